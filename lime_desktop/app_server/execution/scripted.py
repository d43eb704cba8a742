"""A deterministic engine for tests and fixtures: the input's text names the script that is played.

It invents nothing and reaches nothing. RuntimeCore refuses it as a product engine.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from lime_desktop.app_server.runtime_core.backend import (
    ActionAnswer,
    EngineChoice,
    EngineDescription,
    TurnRequest,
)
from lime_desktop.protocol.calls.turns import RuntimeOptions
from lime_desktop.protocol.errors import ProviderNotReady
from lime_desktop.protocol.runtime.events import ProposedEvent
from lime_desktop.protocol.runtime.sessions import HistoryMessage


@dataclass(frozen=True, slots=True)
class Ask:
    """Propose a question, wait for its answer, go on with one branch or the other."""

    question: ProposedEvent
    allowed: "Script" = ()
    denied: "Script" = ()


@dataclass(frozen=True, slots=True)
class Hold:
    """Wait until the test calls `ScriptedEngine.release` with this name."""

    name: str


@dataclass(frozen=True, slots=True)
class Raise:
    """Fail as real engines do."""

    error: Exception


@dataclass(frozen=True, slots=True)
class Yield:
    """Yield something that may not even be an event."""

    item: object


Step: TypeAlias = ProposedEvent | Ask | Hold | Raise | Yield
Script: TypeAlias = Sequence[Step]


@dataclass(slots=True)
class ScriptedEngine:
    """Plays `scripts[input.text]`; an unknown text fails before the turn begins."""

    scripts: Mapping[str, Script]
    can_resume: bool = False
    ignores_cancellation: bool = False
    requests: list[TurnRequest] = field(default_factory=list[TurnRequest])
    answers: list[ActionAnswer] = field(default_factory=list[ActionAnswer])
    cancelled: list[str] = field(default_factory=list[str])
    _runs: dict[tuple[str, str], list[str]] = field(
        default_factory=dict[tuple[str, str], list[str]]
    )
    _held: dict[str, asyncio.Event] = field(default_factory=dict[str, asyncio.Event])
    _waiting: dict[str, "asyncio.Future[ActionAnswer]"] = field(
        default_factory=dict[str, "asyncio.Future[ActionAnswer]"]
    )

    def describe(self) -> EngineDescription:
        """Never a product."""
        return EngineDescription("scripted", "1", is_product=False, can_resume=self.can_resume)

    async def preflight(self, request: TurnRequest) -> None:
        """A text without a script cannot be played."""
        if request.input.text not in self.scripts:
            raise ProviderNotReady(
                "No script has this name.", details={"reasonCode": "script_missing"}
            )

    async def run_turn(self, request: TurnRequest) -> AsyncIterator[ProposedEvent]:
        """Play the script, from the open question on when the turn is taken up again."""
        self.requests.append(request)
        script = self.scripts.get(self._name(request), ())
        if request.open_action_ids:
            script = _rest(script, request.open_action_ids)
        async for event in self._play(script, frozenset(request.open_action_ids)):
            yield event

    async def cancel_turn(self, turn_id: str) -> None:
        """Remember that it was asked; a stubborn engine does not even answer."""
        self.cancelled.append(turn_id)
        if self.ignores_cancellation:
            await asyncio.Event().wait()

    async def respond_action(self, turn_id: str, answer: ActionAnswer) -> None:
        """Let the question that waits go on."""
        del turn_id
        self.answers.append(answer)
        self._question(answer.action_id).set_result(answer)

    async def summarize(
        self,
        app_id: str,
        history: tuple[HistoryMessage, ...],
        options: RuntimeOptions | None = None,
        choice: EngineChoice | None = None,
    ) -> str:
        """Count, which is deterministic."""
        del app_id, options, choice
        return f"{len(history)} messages"

    async def close(self) -> None:
        """Nothing is held."""

    def release(self, name: str) -> None:
        """Let every `Hold` of this name go on, now and later."""
        self._gate(name).set()

    async def _play(self, script: Script, asked: frozenset[str]) -> AsyncIterator[ProposedEvent]:
        for step in script:
            match step:
                case Hold():
                    await self._gate(step.name).wait()
                case Raise():
                    raise step.error
                case Yield():
                    yield step.item  # pyright: ignore[reportReturnType] - wrong on purpose
                case Ask():
                    async for event in self._ask(step, asked):
                        yield event
                case ProposedEvent():
                    yield step

    async def _ask(self, step: Ask, asked: frozenset[str]) -> AsyncIterator[ProposedEvent]:
        action_id = step.question.action_id or ""
        if action_id not in asked:
            yield step.question
        answer = await self._question(action_id)
        branch = step.allowed if answer.behavior == "allow" else step.denied
        async for event in self._play(branch, asked):
            yield event

    def _name(self, request: TurnRequest) -> str:
        """The first run of a turn plays its text; another one of the same turn plays ``text, attempt 2``."""
        if request.open_action_ids:
            return request.input.text
        # A turn is known by its id in its session alone.
        runs = self._runs.setdefault((request.session_id, request.turn_id), [])
        runs.append(request.input.text)
        return runs[0] if len(runs) == 1 else f"{runs[0]}, attempt {len(runs)}"

    def _gate(self, name: str) -> asyncio.Event:
        return self._held.setdefault(name, asyncio.Event())

    def _question(self, action_id: str) -> "asyncio.Future[ActionAnswer]":
        if action_id not in self._waiting:
            self._waiting[action_id] = asyncio.get_running_loop().create_future()
        return self._waiting[action_id]


def _rest(script: Script, open_actions: tuple[str, ...]) -> Script:
    for index, step in enumerate(script):
        if isinstance(step, Ask) and step.question.action_id in open_actions:
            return script[index:]
    return ()
