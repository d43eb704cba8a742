"""What RuntimeCore asks of an engine, and the middleware around one. Knows no engine."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Literal, Protocol

from lime_desktop.protocol.calls.turns import RuntimeOptions, TurnInput
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import ProposedEvent
from lime_desktop.protocol.runtime.sessions import HistoryMessage


@dataclass(frozen=True, slots=True)
class EngineDescription:
    """What an engine says about itself."""

    name: str
    version: str
    is_product: bool
    """False for engines that only play: they never serve a real session."""
    can_resume: bool = False
    """Whether a turn that waits for an answer survives a restart of the process."""
    unavailable_reason: str | None = None
    setup_action: str | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """Something that an answer is to rest on."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class EngineChoice:
    """What a turn gets, chosen once: made when it is asked for, used when it begins. More of it only its engine reads."""

    context_tokens: int | None = None
    """How many tokens the model can read, where that is known."""


@dataclass(frozen=True, slots=True)
class TurnRequest:
    """One turn to run."""

    app_id: str
    workspace_id: str | None
    session_id: str
    thread_id: str
    turn_id: str
    task_id: str
    run_id: str
    trace_id: str | None
    input: TurnInput
    options: RuntimeOptions
    history: tuple[HistoryMessage, ...] = ()
    """The conversation so far, oldest first, as far as it was not compacted."""
    summary_ref: str | None = None
    """What stands for the compacted part."""
    context_epoch: int = 0
    """How often the conversation was compacted before."""
    open_action_ids: tuple[str, ...] = ()
    """Set when the turn is taken up again after a restart: the questions it still waits on."""
    sources: tuple[Source, ...] = ()
    """What the answer is to rest on: one that shares nothing with them is not given."""
    demands_grounding: bool = False
    """Whether that holds for every model; otherwise it holds for those of this machine."""
    choice: EngineChoice | None = None
    """What the engine chose for it before. It holds while the turn asks for the same; a turn that waited has none."""
    parent_task_id: str | None = None
    """Set for a part of a task that its agent handed to another one."""

    @property
    def whole_task_id(self) -> str:
        """The task as the person knows it: a yes for the task is one for its parts too."""
        return self.parent_task_id or self.task_id


Remember = Literal["never", "task", "session", "workspace"]
"""How long a yes holds beyond its own call."""


@dataclass(frozen=True, slots=True)
class ActionAnswer:
    """A person's answer in the one form RuntimeCore stores. A deferred question has none yet."""

    action_id: str
    behavior: Literal["allow", "deny"]
    decision: str
    """``allow``, ``deny``, or why there will be no answer: ``cancelled`` or ``expired``."""
    remember: Remember = "never"
    updated_input: JsonObject | None = None
    message: str | None = None
    response: str | None = None
    user_data: JsonObject | None = None


class ExecutionBackend(Protocol):
    """An engine. All it yields is proposals; whatever it does wrong ends its turn with facts."""

    def describe(self) -> EngineDescription:
        """Say what this is and whether it can work."""
        ...

    async def preflight(self, request: TurnRequest) -> EngineChoice | None:
        """Raise an `AppError` if the turn could not even begin; nothing has been stored yet.

        Gives what was chosen for it, if the engine chooses: handed back with the request, it is not chosen again.
        """
        ...

    def run_turn(self, request: TurnRequest) -> AsyncIterator[ProposedEvent]:
        """Do the work. The last event is ``turn.completed`` or ``turn.failed``."""
        ...

    async def cancel_turn(self, turn_id: str) -> None:
        """Stop soon. RuntimeCore waits a little, then closes the turn without you."""
        ...

    async def respond_action(self, turn_id: str, answer: ActionAnswer) -> None:
        """Hear the answer to a question this turn asked.

        After a restart it may come before `run_turn` has taken the turn up again.
        """
        ...

    async def summarize(
        self,
        app_id: str,
        history: tuple[HistoryMessage, ...],
        options: RuntimeOptions | None = None,
        choice: EngineChoice | None = None,
    ) -> str:
        """Put an app's conversation into fewer words, by the model that a turn with these options gets, or has got."""
        ...

    async def close(self) -> None:
        """Let go of everything."""
        ...


class EngineMiddleware:
    """Wraps an engine. What a subclass does not override, the engine does."""

    def __init__(self, engine: ExecutionBackend) -> None:
        self._engine = engine

    def describe(self) -> EngineDescription:
        """The engine behind."""
        return self._engine.describe()

    async def preflight(self, request: TurnRequest) -> EngineChoice | None:
        """What the engine refuses, or chooses."""
        return await self._engine.preflight(request)

    def run_turn(self, request: TurnRequest) -> AsyncIterator[ProposedEvent]:
        """The engine's work."""
        return self._engine.run_turn(request)

    async def cancel_turn(self, turn_id: str) -> None:
        """Stop the engine; what waits for a person stops with its turn."""
        await self._engine.cancel_turn(turn_id)

    async def respond_action(self, turn_id: str, answer: ActionAnswer) -> None:
        """Pass an answer on."""
        await self._engine.respond_action(turn_id, answer)

    async def summarize(
        self,
        app_id: str,
        history: tuple[HistoryMessage, ...],
        options: RuntimeOptions | None = None,
        choice: EngineChoice | None = None,
    ) -> str:
        """The engine's summary."""
        return await self._engine.summarize(app_id, history, options, choice)

    async def close(self) -> None:
        """Let the engine go."""
        await self._engine.close()
