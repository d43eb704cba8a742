"""A person's answer that an app passes on. An app asks and answers in its own window; it never permits itself anything."""

import msgspec
from pydantic import JsonValue

from lime_desktop.app_server.agent_tasks.places import TaskPlace
from lime_desktop.app_server.runtime_core.log.journal import Journal
from lime_desktop.app_server.runtime_core.reading.session_reader import SessionReader
from lime_desktop.app_server.runtime_core.running.answers import PERMISSION_TYPES
from lime_desktop.protocol.calls.actions import RespondActionParams
from lime_desktop.protocol.calls.agent_tasks import RespondAgentTaskParams
from lime_desktop.protocol.errors import ActionNotFound, ApprovalRequired, InvalidInput
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.threads import PendingAction


async def response_to(
    journal: Journal, place: TaskPlace, params: RespondAgentTaskParams
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
        user_data=_user_data(params.user_data_json),
        action_scope=params.action_scope,
    )


def _user_data(text: str | None) -> JsonObject | None:
    if text is None:
        return None
    try:
        value: JsonValue = msgspec.json.decode(text)
    except msgspec.DecodeError:
        raise InvalidInput.at_fields([("userData", "not_json")]) from None
    return value if isinstance(value, dict) else {"value": value}
