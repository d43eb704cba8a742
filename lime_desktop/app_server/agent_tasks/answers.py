"""A person's answer that an app passes on. An app asks and answers in its own window; it never permits itself anything."""

from pydantic import JsonValue

from lime_desktop.app_server.agent_tasks.task_lookup import TaskLocation
from lime_desktop.app_server.runtime_core.log.journal import Journal
from lime_desktop.app_server.runtime_core.reading.session_reader import SessionReader
from lime_desktop.app_server.runtime_core.running.answers import PERMISSION_TYPES
from lime_desktop.protocol.calls.actions import ActionScope, RespondActionParams
from lime_desktop.protocol.capability_calls.agent import SubmitHostResponseParams
from lime_desktop.protocol.errors import ActionNotFound, ApprovalRequired
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.threads import PendingAction


async def response_to(
    journal: Journal, place: TaskLocation, params: SubmitHostResponseParams
) -> RespondActionParams:
    """The answer as RuntimeCore takes it.

    Raises:
        ActionNotFound: the task asked no such question.
        ApprovalRequired: it is a permission or a review, which a person gives in the host's own window.
    """
    action = await journal.read(
        place.session_id,
        lambda connection, row: SessionReader.of(connection, row).one(
            PendingAction, "action", params.request_id
        ),
    )
    if action is None or action.turn_id not in {None, place.turn.turn_id}:
        raise ActionNotFound("The task asked no question of that id")
    # By what was asked, not by what the answer calls it.
    is_decision = action.action_type in PERMISSION_TYPES or action.decision_kind == "review"
    if is_decision and params.confirmed is not False:
        raise ApprovalRequired("A permission or a review is given in the host's own window")
    return RespondActionParams(
        session_id=place.session_id,
        action_id=params.request_id,
        action_type=params.action_type,
        confirmed=params.confirmed,
        response=params.response,
        user_data=_user_data(params.user_data),
        action_scope=_scope(params),
    )


def _user_data(value: JsonValue) -> JsonObject | None:
    return value if isinstance(value, dict) else None if value is None else {"value": value}


def _scope(params: SubmitHostResponseParams) -> ActionScope | None:
    scope = params.action_scope
    return None if scope is None else ActionScope.model_validate(scope.to_wire())
