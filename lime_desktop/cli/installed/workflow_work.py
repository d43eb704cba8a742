"""What `lime-desktop workflow` stands on: the app's calls, made by the desktop that is open or by an App Server of the command's own."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from enum import Enum
from functools import partial
from pathlib import Path

from lime_desktop.cli.installed.center import center_and_server, center_in
from lime_desktop.cli.terminal.language import words
from lime_desktop.cli.terminal.open_desktop import desktop_on
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_server_client.calling import CallServer, call_for_app
from lime_desktop.host.apps.provenance import provenance_of
from lime_desktop.host.apps.registry import AppRegistry, RegisteredApp
from lime_desktop.host.requests.app_without_window import (
    app_without_window,
    found_app,
    require_allowed,
    require_ready,
)
from lime_desktop.policy.call import PolicyCall
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.capability_calls.call import Call, ParamsT, ResultT
from lime_desktop.protocol.capability_calls.workflow import (
    GET_RUN,
    START_WORKFLOW,
    WorkflowRun,
    WorkflowRunDetails,
    WorkflowRunParams,
)
from lime_desktop.protocol.errors import AppDisabled

_LOOK_S = 0.25
_ENDED = frozenset({"succeeded", "failed", "cancelled", "paused"})
_MAY_TAKE_DAYS = frozenset({"review", "input", "approval", "time", "event", "retry"})


class Need(Enum):
    """What a command does with runs."""

    ASK = "ask"
    """The App Server has to know the app, which does nothing."""
    LOOK = "look"
    """Nothing moves by it."""
    LEAD_ON = "lead on"
    """The app works: it has to be ready and allowed to."""


@dataclass(frozen=True, slots=True)
class AppRuns:
    """The runs of one app."""

    app: RegisteredApp
    server: CallServer
    is_desktops: bool
    """Whether they go on by themselves once the command has ended."""

    async def ask(self, call: Call[ParamsT, ResultT], params: ParamsT) -> ResultT:
        """Make a call in the app's name."""
        provenance = provenance_of(self.app)
        caller = AppCaller(provenance=provenance, locale=words().locale, is_person=True)
        return await call_for_app(self.server, caller, call, params)

    async def get(self, run_id: str) -> WorkflowRunDetails:
        """A run with its steps."""
        return await self.ask(GET_RUN, WorkflowRunParams(workflow_run_id=run_id))

    async def settled(self, run: WorkflowRun, *, is_awaited: bool) -> WorkflowRunDetails:
        """The run once it has ended, or waits for what may take days."""
        found = await self.get(run.workflow_run_id)
        while is_awaited and not _rests(found):
            await asyncio.sleep(_LOOK_S)
            found = await self.get(run.workflow_run_id)
        return found


def _rests(run: WorkflowRun) -> bool:
    return run.status in _ENDED or run.waits_for in _MAY_TAKE_DAYS


@asynccontextmanager
async def runs_of(app_id: str, data_dir: Path, need: Need) -> AsyncGenerator[AppRuns]:
    """The runs of an installed app.

    Raises:
        AppError: it is not installed, or may not work now.
    """
    async with AsyncExitStack() as ends:
        desktop = await ends.enter_async_context(desktop_on(data_dir))
        if desktop is not None:
            center = await ends.enter_async_context(center_in(data_dir, only_reads=True))
            app = await _looked_up(center, app_id, ends)
            if need is Need.LEAD_ON:
                _require_on(app)
            yield AppRuns(app, desktop.call, is_desktops=True)
            return
        center, call = await ends.enter_async_context(center_and_server(data_dir))
        if need is Need.LOOK:
            app = await _looked_up(center, app_id, ends)
        else:
            require = _require if need is Need.LEAD_ON else _require_nothing
            known = app_without_window(
                center, call, data_dir, app_id, words().locale, require=require
            )
            app = await ends.enter_async_context(known)
        yield AppRuns(app, call, is_desktops=False)


async def _looked_up(center: AppCenter, app_id: str, ends: AsyncExitStack) -> RegisteredApp:
    registry = AppRegistry(words().locale)
    await registry.follow(center)
    ends.push_async_callback(registry.close)
    return found_app(registry, app_id)


def _require(app: RegisteredApp) -> None:
    require_ready(app)
    call = partial(PolicyCall, app_id=app.app_id, access="execute", has_idempotency_key=True)
    wanted = call(capability=START_WORKFLOW.capability, method=START_WORKFLOW.method)
    require_allowed(app, START_WORKFLOW.name, wanted)


def _require_nothing(app: RegisteredApp) -> None:
    """It may stand as it likes."""
    del app


def _require_on(app: RegisteredApp) -> None:
    """How it is set up, the desktop knows; it makes each call of the run by what holds there."""
    is_enabled = app.installed is None or app.installed.is_enabled
    if not is_enabled or not app.governing.is_allowed:
        raise AppDisabled(f"{app.app_id} is turned off")
