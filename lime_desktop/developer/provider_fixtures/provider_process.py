"""A provider as a program: it is asked by one line of JSON, and tells events line by line until its turn has ended.

In: ``{"kind": "turnStart", "request": …}``, then ``{"kind": "actionRespond", "request": {"actionId", "behavior"}}`` for
each question it asked. Out: an event ``{"type", "payload", ids…}``, or ``{"events": […]}``. One process for each turn.
"""

import asyncio
import json
import subprocess
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError

from lime_desktop.app_server.children.leashed_process import (
    LeashedProcess,
    Streams,
    clean_environment,
)
from lime_desktop.app_server.runtime_core.backend import (
    ActionAnswer,
    EngineChoice,
    EngineDescription,
    TurnRequest,
)
from lime_desktop.developer.provider_fixtures.fixture import ProviderFixture
from lime_desktop.protocol.calls.turns import RuntimeOptions
from lime_desktop.protocol.errors import ProviderFailed
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.event_types import TURN_TERMINALS
from lime_desktop.protocol.runtime.events import ProposedEvent
from lime_desktop.protocol.runtime.sessions import HistoryMessage

_PIPE = asyncio.subprocess.PIPE
_LONGEST_LINE = 4 * 1024 * 1024
_GRACE_S = 5.0
"""How long a program may take to be gone once it was ended."""


class ProviderProcess:
    """An engine that a program plays. Never a product: it is here to be looked at."""

    def __init__(
        self, command: Sequence[str], folder: Path, fixture: ProviderFixture, timeout_s: float
    ) -> None:
        self._command = tuple(command)
        self._folder = folder
        self._fixture = fixture
        self._timeout_s = timeout_s
        self._child: LeashedProcess | None = None

    def describe(self) -> EngineDescription:
        """What it is."""
        return EngineDescription("provider-process", "1", is_product=False)

    async def preflight(self, request: TurnRequest) -> EngineChoice | None:
        """Nothing is known of it before it runs."""
        del request

    async def run_turn(self, request: TurnRequest) -> AsyncIterator[ProposedEvent]:
        """Ask, and pass on what it tells.

        Raises:
            ProviderFailed: it cannot be started, says nothing, or what is no event.
        """
        child = await self._start()
        try:
            await self._say("turnStart", _request(request, self._fixture))
            async for event in self._events(child):
                yield event
                if event.type in TURN_TERMINALS:
                    return
        finally:
            await child.stop_unread(_GRACE_S)
            self._child = None

    async def cancel_turn(self, turn_id: str) -> None:
        """End the program."""
        del turn_id
        if self._child is not None:
            self._child.release()

    async def respond_action(self, turn_id: str, answer: ActionAnswer) -> None:
        """Hand an answer on."""
        del turn_id
        said: JsonObject = {
            "actionId": answer.action_id,
            "behavior": answer.behavior,
            "decision": answer.decision,
        }
        await self._say("actionRespond", said)

    async def summarize(
        self,
        app_id: str,
        history: tuple[HistoryMessage, ...],
        options: RuntimeOptions | None = None,
        choice: EngineChoice | None = None,
    ) -> str:
        """No fixture asks for one."""
        del app_id, history, options, choice
        raise ProviderFailed("A provider under proof summarizes nothing.")

    async def close(self) -> None:
        """End the program."""
        await self.cancel_turn("")

    async def _start(self) -> LeashedProcess:
        try:
            self._child = await LeashedProcess.start(
                self._command,
                environment=clean_environment(),
                folder=self._folder,
                streams=Streams(_PIPE, _PIPE, subprocess.DEVNULL, _LONGEST_LINE),
            )
        except OSError as error:
            raise ProviderFailed(f"The program could not be started: {error.strerror}") from None
        return self._child

    async def _say(self, kind: str, request: JsonObject) -> None:
        stream = self._child.process.stdin if self._child else None
        if stream is None:
            return
        try:
            stream.write(json.dumps({"kind": kind, "request": request}).encode() + b"\n")
            await stream.drain()
        except (BrokenPipeError, ConnectionResetError):
            # What it has to say about it is on its way, or it ends without: both are seen by whoever reads.
            return

    async def _events(self, child: LeashedProcess) -> AsyncGenerator[ProposedEvent]:
        while line := await self._line(child):
            for said in _events_in(line):
                yield said

    async def _line(self, child: LeashedProcess) -> bytes:
        stream = cast("asyncio.StreamReader", child.process.stdout)
        try:
            async with asyncio.timeout(self._timeout_s):
                return await stream.readline()
        except TimeoutError:
            raise ProviderFailed(f"It said nothing for {self._timeout_s:.0f} s.") from None
        except ValueError:
            raise ProviderFailed(f"A line has more than {_LONGEST_LINE} bytes.") from None


def _request(request: TurnRequest, fixture: ProviderFixture) -> JsonObject:
    return {
        "fixture": fixture.to_wire(),
        "sessionId": request.session_id,
        "threadId": request.thread_id,
        "turnId": request.turn_id,
        "taskId": request.task_id,
        "runId": request.run_id,
        "input": {"text": request.input.text},
    }


def _events_in(line: bytes) -> list[ProposedEvent]:
    try:
        said: Any = json.loads(line)
    except ValueError:
        raise ProviderFailed(
            "It wrote a line that is no JSON. Logs go to standard error."
        ) from None
    told = cast("dict[str, Any]", said).get("events", [said]) if isinstance(said, dict) else [said]
    try:
        return [ProposedEvent.model_validate(each) for each in cast("list[Any]", told)]
    except (TypeError, ValidationError) as error:
        fields = (
            ", ".join(".".join(map(str, each["loc"])) for each in error.errors())
            if isinstance(error, ValidationError)
            else "events"
        )
        raise ProviderFailed(f"It told what is no event. Look at: {fields}.") from None
