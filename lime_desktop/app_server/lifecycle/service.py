"""Answers app/runHook: begins the turn of a hook, waits for its end, and says what came of it.

The app is known for that run alone, and only to the tools that run it: an app that is off stays off for everybody else.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from lime_desktop.app_package.lifecycle import LifecycleHook, hook_at
from lime_desktop.app_server.apps.registered import RegisteredApps
from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.lifecycle.hook_middleware import HookMiddleware
from lime_desktop.app_server.routes import Routes
from lime_desktop.app_server.runtime_core.core import RuntimeCore
from lime_desktop.app_server.runtime_core.identities import new_id
from lime_desktop.app_server.tools.broker import ToolBroker
from lime_desktop.protocol.calls.lifecycle_hooks import (
    RUN_HOOK,
    HookOutcome,
    RunHookParams,
    RunHookResult,
)
from lime_desktop.protocol.calls.sessions import StartSessionParams
from lime_desktop.protocol.calls.turns import (
    CancelTurnParams,
    RuntimeOptions,
    RuntimeRequest,
    StartTurnParams,
    TurnInput,
)
from lime_desktop.protocol.errors import InvalidInput
from lime_desktop.protocol.ids import JsonObject, TurnId
from lime_desktop.protocol.runtime.event_types import TURN_TERMINALS
from lime_desktop.protocol.runtime.events import RuntimeEvent

ToolsAmong = Callable[[RegisteredApps], ToolBroker]
"""Makes the tools that a hook may call, for the apps of this table."""
_CUT_SHORT = "It was stopped before it came to its end."


@dataclass(slots=True)
class _Watched:
    """What was heard of one run."""

    ended: "asyncio.Future[str]"
    """The type of the turn's last event."""
    failure: JsonObject | None = None


class LifecycleHooks:
    """The hooks of every app."""

    def __init__(self, core: RuntimeCore, middleware: HookMiddleware, tools: ToolsAmong) -> None:
        self._core = core
        self._middleware = middleware
        self._tools = tools
        self._watched: dict[str, _Watched] = {}
        core.subscribe(self._on_events)

    def serve(self, routes: Routes) -> None:
        """Answer the method."""
        routes.add(RUN_HOOK, self.run)

    async def run(self, params: RunHookParams, context: CallContext) -> RunHookResult:
        """Run the hook of a moment; a failure is an answer.

        Raises:
            InvalidInput: the manifest has no hook for it.
            PackageInvalid: the package is not what the host means.
        """
        apps = RegisteredApps()
        await apps.register(params.registration, context)
        app = apps.get(params.registration.app_id)
        hook = hook_at(app.package.manifest, params.point)
        if hook is None:
            raise InvalidInput.at_fields([("point", "no_hook")])
        outcome = await self._outcome(params, hook, apps, context)
        return RunHookResult(outcome=outcome)

    async def _outcome(
        self,
        params: RunHookParams,
        hook: LifecycleHook,
        apps: RegisteredApps,
        context: CallContext,
    ) -> HookOutcome:
        turn_id = TurnId(new_id("turn"))
        watched = _Watched(asyncio.get_running_loop().create_future())
        self._watched[params.session_id] = watched
        self._middleware.begin(turn_id, hook, self._tools(apps))
        try:
            await self._start(params, turn_id, context)
            return _told(params, await watched.ended, watched.failure)
        finally:
            del self._watched[params.session_id]
            if not watched.ended.done():
                # Whoever asked for it is gone: nothing runs on for nobody.
                await self._cancel(params, turn_id, context)
            self._middleware.end(turn_id)

    async def _start(self, params: RunHookParams, turn_id: TurnId, context: CallContext) -> None:
        title = f"Lifecycle hook: {params.point}"
        begin = StartSessionParams(
            app_id=params.registration.app_id, session_id=params.session_id, title=title
        )
        await self._core.sessions.start(begin, context)
        wishes = RuntimeRequest(approval_policy=None if params.is_attended else "never")
        turn = StartTurnParams(
            session_id=params.session_id,
            turn_id=turn_id,
            input=TurnInput(text=title),
            runtime_options=RuntimeOptions(runtime_request=wishes),
        )
        await self._core.turns.start(turn, context)

    async def _cancel(self, params: RunHookParams, turn_id: TurnId, context: CallContext) -> None:
        wanted = CancelTurnParams(session_id=params.session_id, turn_id=turn_id)
        await asyncio.shield(self._core.turns.cancel(wanted, context))

    def _on_events(self, _app_id: str, events: tuple[RuntimeEvent, ...]) -> None:
        for event in events:
            watched = self._watched.get(event.session_id)
            if watched is None:
                continue
            if event.type == "hook.failed":
                watched.failure = event.payload
            elif event.type in TURN_TERMINALS and not watched.ended.done():
                watched.ended.set_result(event.type)


def _told(params: RunHookParams, ended_by: str, failure: JsonObject | None) -> HookOutcome:
    if failure is None and ended_by != "turn.completed":
        failure = {"errorCategory": "cancelled", "message": _CUT_SHORT}
    return HookOutcome(
        point=params.point,
        session_id=params.session_id,
        is_done=failure is None,
        category=None if failure is None else str(failure["errorCategory"]),
        message=None if failure is None else str(failure["message"]),
    )
