"""Tools at work for pages: begun, looked at, stopped, and known for a while after their end.

Knows how a run goes; whether it may was decided before.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import cast

from lime_desktop.app_server.runtime_core.backend import ActionAnswer
from lime_desktop.app_server.runtime_core.identities import new_id, now
from lime_desktop.app_server.tools.answer_mailbox import AnswerMailbox
from lime_desktop.app_server.tools.live_input import no_more_input
from lime_desktop.app_server.tools.tooling import LiveCall, ToolCall, ToolOutcome
from lime_desktop.app_server.tools.toolset import Told, TurnToolset
from lime_desktop.background.tasks import BackgroundTasks
from lime_desktop.protocol.calls.tools import ToolRun
from lime_desktop.protocol.errors import AppError, InternalError, RateLimited, ToolUnknown
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import ProposedEvent

_log = logging.getLogger(__name__)

MOST_AT_WORK = 8
"""Of one app."""
MOST_KNOWN = 200
"""Of one app: the oldest that has ended is forgotten first."""
_NOBODY = "Nobody can be asked during a call of a page."


@dataclass(slots=True)
class _Invocation:
    run: ToolRun
    call: ToolCall
    scope_id: str
    work: "asyncio.Task[object] | None" = None

    @property
    def is_at_work(self) -> bool:
        return self.run.status == "running"

    def note(self, **facts: object) -> None:
        self.run = self.run.model_copy(update=facts)


@dataclass(slots=True)
class _OfApp:
    known: OrderedDict[str, _Invocation] = field(default_factory=OrderedDict[str, _Invocation])
    writing: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Tools that change something run one at a time, as in an agent's turn."""


class Invocations:
    """The runs of every app, until this process ends."""

    def __init__(self) -> None:
        self._apps: dict[str, _OfApp] = {}
        self._tasks = BackgroundTasks(_log)

    async def close(self) -> None:
        """Stop what runs."""
        await self._tasks.cancel()

    def begin(
        self,
        app_id: str,
        call: ToolCall,
        toolset: TurnToolset,
        *,
        is_alone: bool,
        scope_id: str = "",
    ) -> str:
        """Have a call carried out, and give the name of its run.

        Raises:
            RateLimited: too many tools are at work for this app.
        """
        app = self._apps.setdefault(app_id, _OfApp())
        if sum(each.is_at_work for each in app.known.values()) >= MOST_AT_WORK:
            raise RateLimited("Too many tools are at work for this app")
        invocation_id = new_id("tool")
        run = ToolRun(
            invocation_id=invocation_id, tool_name=call.name, status="running", started_at=now()
        )
        invocation = app.known[invocation_id] = _Invocation(run, call, scope_id)
        lock = app.writing if is_alone else None
        invocation.work = self._tasks.spawn(
            _carry_out(invocation, call, toolset, lock),
            # A tool that breaks is a bug of ours: the page hears that its call failed, and nothing of the inside.
            lambda _error: _end(invocation, _broken(call)),
        )
        _forget_old(app)
        return invocation_id

    async def watch(self, app_id: str, invocation_id: str, wait_s: float | None = 0) -> ToolRun:
        """A run as it is once it has ended, or once the time is over; None waits to the end.

        Raises:
            ToolUnknown: the app has no such run, or it was too long ago.
        """
        invocation = self._find(app_id, invocation_id)
        if invocation.work is not None and invocation.is_at_work and wait_s != 0:
            await asyncio.wait({invocation.work}, timeout=wait_s)
        return invocation.run

    async def cancel(self, app_id: str, invocation_id: str) -> ToolRun:
        """Stop a run, and wait until nothing of it is left.

        Raises:
            ToolUnknown: the app has no such run, or it was too long ago.
        """
        invocation = self._find(app_id, invocation_id)
        if invocation.work is not None:
            invocation.work.cancel()
            await asyncio.wait({invocation.work})
        return invocation.run

    def give_input(
        self, app_id: str, scope_id: str, invocation_id: str, call: ToolCall, *, close: bool
    ) -> ToolRun:
        """Give a running program the `stdin` of a call that is the same otherwise.

        Raises:
            ToolUnknown: this view began no such run, or began it with other arguments than people were shown.
            CapabilityNotAvailable: it takes no input, or none any more.
        """
        invocation = self._find(app_id, invocation_id)
        begun = invocation.call
        if invocation.scope_id != scope_id or _without_input(begun) != _without_input(call):
            raise ToolUnknown("The view has no run of a tool of that id")
        if not isinstance(begun, LiveCall):
            raise no_more_input()
        begun.live_input.write(str(call.arguments.get("stdin", "")).encode(), close=close)
        return invocation.run

    def _find(self, app_id: str, invocation_id: str) -> _Invocation:
        app = self._apps.get(app_id)
        if app is None or invocation_id not in app.known:
            raise ToolUnknown("The app has no run of a tool of that id")
        return app.known[invocation_id]


def _without_input(call: ToolCall) -> tuple[str, JsonObject]:
    return call.name, {name: value for name, value in call.arguments.items() if name != "stdin"}


def _forget_old(app: _OfApp) -> None:
    ended = [name for name, each in app.known.items() if not each.is_at_work]
    for name in ended[: max(len(app.known) - MOST_KNOWN, 0)]:
        del app.known[name]


async def _carry_out(
    invocation: _Invocation, call: ToolCall, toolset: TurnToolset, lock: asyncio.Lock | None
) -> None:
    try:
        if lock is None:
            outcome = await _run(invocation, call, toolset)
        else:
            async with lock:
                outcome = await _run(invocation, call, toolset)
    except AppError as error:
        outcome = ToolOutcome(
            call.call_id, error.message, is_error=True, category=error.stable_code
        )
    except asyncio.CancelledError:
        invocation.note(status="cancelled", finished_at=now())
        raise
    finally:
        # Also of a run that never began, since another was before it.
        if isinstance(call, LiveCall):
            call.live_input.end()
    _end(invocation, outcome)


async def _run(invocation: _Invocation, call: ToolCall, toolset: TurnToolset) -> ToolOutcome:
    mailbox = AnswerMailbox()
    async with aclosing(cast("AsyncGenerator[Told]", toolset.run(call, mailbox))) as stream:
        async for told in stream:
            if isinstance(told, ToolOutcome):
                return told
            _on_event(invocation, told, mailbox)
    return ToolOutcome(call.call_id, "The tool gave no result.", is_error=True)


def _on_event(invocation: _Invocation, told: ProposedEvent, mailbox: AnswerMailbox) -> None:
    payload = told.payload
    match told.type:
        case "tool.progress":
            invocation.note(progress=_share(payload), message=payload.get("message"))
        case "process.completed":
            invocation.note(exit_code=payload.get("exitCode"))
        case "action.required" if told.action_id is not None:
            # A page does not wait for people: whoever asks in the middle of a call hears a no.
            no = ActionAnswer(told.action_id, "deny", "deny", message=_NOBODY)
            mailbox.deliver(no)
        case _:
            pass


def _broken(call: ToolCall) -> ToolOutcome:
    text = InternalError.__doc__ or ""
    return ToolOutcome(call.call_id, text, is_error=True, category=InternalError.stable_code)


def _share(payload: JsonObject) -> float:
    done, whole = payload.get("progress"), payload.get("total")
    if not isinstance(done, int | float) or not isinstance(whole, int | float) or whole <= 0:
        return 0.0
    return min(max(done / whole, 0.0), 1.0)


def _end(invocation: _Invocation, outcome: ToolOutcome) -> None:
    if outcome.is_error:
        failure = {"status": "failed", "category": outcome.category, "message": outcome.text}
        invocation.note(**failure, finished_at=now())
        return
    invocation.note(
        status="succeeded",
        progress=1.0,
        text=outcome.text,
        structured=outcome.structured,
        refs=outcome.refs,
        finished_at=now(),
    )
