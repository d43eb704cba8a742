"""What the router asks of an engine, and what an engine is given.

A new engine is one module and one row of ``engine_table``. All that leaves it is proposals and `ModelDescription`s; whatever
objects it works with inside stay inside.
"""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from lime_desktop.app_server.execution.turn_states import TurnStates
from lime_desktop.app_server.providers.store import ProviderStore
from lime_desktop.app_server.runtime_core.backend import TurnRequest
from lime_desktop.app_server.tools.answer_mailbox import AnswerMailbox
from lime_desktop.app_server.tools.tooling import Tooling
from lime_desktop.app_server.tools.work_folders import EndOfApp
from lime_desktop.app_server.traffic import CountTraffic, count_nothing
from lime_desktop.protocol.calls.models import ModelDescription
from lime_desktop.protocol.runtime.events import ProposedEvent
from lime_desktop.protocol.runtime.sessions import HistoryMessage


@dataclass(frozen=True, slots=True)
class EngineDependencies:
    """What every engine may use."""

    data_dir: Path
    turn_states: TurnStates
    providers: ProviderStore
    tooling: Tooling
    count: CountTraffic = count_nothing
    """Told what leaves this machine."""
    add_work: Callable[[Path, EndOfApp], None] | None = None
    """Told where an engine lets others work for apps, a folder for each, and how that is ended."""


@dataclass(frozen=True, slots=True)
class EngineTurn:
    """One turn for one engine, with the model that routing chose."""

    request: TurnRequest
    model: ModelDescription
    mailbox: AnswerMailbox = field(default_factory=AnswerMailbox)
    """Where the answers to its questions come in."""
    saved: str | None = None
    """What the engine kept of this turn before the process died; only `request.open_action_ids` are open."""


class Engine(Protocol):
    """Runs turns on models. Wrong or broken output ends its turn with facts, never the process."""

    @property
    def name(self) -> str:
        """The engine's own name, as in the table."""
        ...

    async def offers(self) -> tuple[ModelDescription, ...]:
        """Every model it knows, with the obstacle where one cannot be used now. Quick: asked for each turn."""
        ...

    def run_turn(self, turn: EngineTurn) -> AsyncIterator[ProposedEvent]:
        """Do the work. The last event is ``turn.completed`` or ``turn.failed``.

        Closing or cancelling the stream stops the work, at any point, and lets go of all it holds.

        Raises:
            AppError: the turn cannot go on; RuntimeCore ends it in the error's words. A `ProviderNotReady`,
                `ProviderFailed` or `EngineUnavailable` before any output lets the router try another model.
        """
        ...

    async def summarize(
        self, app_id: str, history: tuple[HistoryMessage, ...], model: ModelDescription
    ) -> str:
        """Put an app's conversation into fewer words."""
        ...

    async def close(self) -> None:
        """Let go of everything."""
        ...
