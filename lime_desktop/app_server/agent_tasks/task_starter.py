"""How a request becomes a turn: its session by the mode it names, its input, and the form its output must have."""

import asyncio
from contextlib import suppress

from lime_desktop.app_server.agent_tasks.expected_output import structured_output
from lime_desktop.app_server.agent_tasks.task_resources import TaskResources
from lime_desktop.app_server.apps.registered import RegisteredApp, RegisteredApps
from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.runtime_core.backend import TurnRequest
from lime_desktop.app_server.runtime_core.core import RuntimeCore
from lime_desktop.app_server.task_request import TaskRequest
from lime_desktop.protocol.calls.sessions import SessionPolicy, StartSessionParams
from lime_desktop.protocol.calls.turns import RuntimeOptions, StartTurnParams, TurnInput
from lime_desktop.protocol.errors import InvalidInput, SessionExists, WritebackNotDeclared
from lime_desktop.protocol.ids import SessionId


class TaskStarter:
    """Starts turns for tasks. Whether a task was started before is not its business."""

    def __init__(self, core: RuntimeCore, apps: RegisteredApps, things: TaskResources) -> None:
        self._core = core
        self._apps = apps
        self._things = things

    async def start(self, asked: TaskRequest) -> None:
        """Begin the turn, or queue it where its session is busy."""
        app = self._apps.get(asked.app_id)
        _require_mode(asked, app)
        _require_kind(asked, app)
        await self._things.require(asked, app)
        expected = asked.request.expected_output
        output = await asyncio.to_thread(structured_output, expected, app.package)
        turn_input, options = asked.turn_input(), asked.options(output)
        # Before the session: a task that cannot even begin leaves none behind.
        choice = await self._core.engine.preflight(_request(asked, turn_input, options))
        context = CallContext(trace_id=asked.trace_id)
        session_id = await self._session(asked, app, context)
        await self._core.turns.start(
            StartTurnParams(
                session_id=session_id,
                input=turn_input,
                turn_id=asked.turn_id,
                queue_if_busy=asked.request.queue_if_busy,
                skip_pre_submit_resume=asked.request.skip_pre_submit_resume,
                runtime_options=options,
            ),
            context,
            choice,
        )

    async def _session(
        self, asked: TaskRequest, app: RegisteredApp, context: CallContext
    ) -> SessionId:
        request = asked.request
        is_old = request.session_mode in {"resume", "continue"}
        session_id = request.session_id if is_old else asked.new_session_id
        params = StartSessionParams(
            app_id=asked.app_id,
            session_id=session_id,
            workspace_id=app.registration.workspace_id,
            title=request.title,
            session_policy=SessionPolicy(
                mode=request.session_mode,
                source_session_id=None if request.session_mode == "new" else request.session_id,
            ),
        )
        # It exists where an earlier start of this key got no further.
        with suppress(SessionExists):
            return (await self._core.sessions.start(params, context)).session.session_id
        return asked.new_session_id


def _require_mode(asked: TaskRequest, app: RegisteredApp) -> None:
    request = asked.request
    if request.session_mode != "new" and request.session_id is None:
        raise InvalidInput.at_fields([("sessionId", "missing")])
    runtime = app.package.manifest.agent_runtime
    policy = runtime.agent_task.session_policy if runtime and runtime.agent_task else None
    if policy and policy.modes and request.session_mode not in policy.modes:
        raise InvalidInput.at_fields([("sessionMode", "not_declared")])


def _require_kind(asked: TaskRequest, app: RegisteredApp) -> None:
    """Refuse now what could not be written back when the work is done."""
    expected = asked.request.expected_output
    kind = expected.artifact_kind if expected else None
    declared = {each.key for each in app.package.manifest.artifact_types}
    if kind is not None and kind not in declared:
        raise WritebackNotDeclared("The manifest declares no artifact of this kind")


def _request(asked: TaskRequest, turn_input: TurnInput, options: RuntimeOptions) -> TurnRequest:
    """The turn as far as it is known before anything is stored."""
    return TurnRequest(
        app_id=asked.app_id,
        workspace_id=None,
        session_id=asked.request.session_id or asked.new_session_id,
        thread_id="",
        turn_id=asked.turn_id,
        task_id="",
        run_id="",
        trace_id=asked.trace_id,
        input=turn_input,
        options=options,
    )
