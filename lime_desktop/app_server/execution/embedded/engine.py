"""The embedded engine: offers the installed models as what they are, and runs turns on them."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

from lime_desktop.app_server.execution.embedded.access import ModelAccess
from lime_desktop.app_server.execution.embedded.completions import (
    Message,
    ModelLost,
    Piece,
    Question,
)
from lime_desktop.app_server.execution.embedded.memory import lost
from lime_desktop.app_server.execution.embedded.model_host import ModelHost, context_of
from lime_desktop.app_server.execution.embedded.prompt import ANSWER_TOKENS
from lime_desktop.app_server.execution.embedded.turn import EmbeddedTurn
from lime_desktop.app_server.execution.engines import EngineTurn
from lime_desktop.app_server.execution.turn_states import TurnStates
from lime_desktop.app_server.models.catalogue import QWEN_CODER
from lime_desktop.app_server.models.listing import engine_problem
from lime_desktop.app_server.models.store import InstalledModel, ModelStore
from lime_desktop.app_server.tools.tooling import Tooling
from lime_desktop.protocol.calls.models import ModelDescription, ModelObstacle
from lime_desktop.protocol.errors import ProviderNotReady
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import ProposedEvent
from lime_desktop.protocol.runtime.sessions import HistoryMessage

PROVIDER = "embedded"
_LAST_RANK = 1_000
"""Any provider that the user set up comes before a model this small."""
_DEMO_NOTE = "A demo: its answers are mostly wrong, so nothing uses it unless you choose it."
_NOTE = (
    "A small model on this computer. It is private and free, and often wrong: "
    "add a model provider in Settings for better answers."
)


class EmbeddedEngine:
    """Runs turns on GGUF weights, in a process of its own."""

    name = "embedded"

    def __init__(
        self, store: ModelStore, tooling: Tooling, states: TurnStates, host: ModelHost | None = None
    ) -> None:
        self._store = store
        self._tooling = tooling
        self._states = states
        self._host = host or ModelHost()
        self._asking = asyncio.Lock()

    async def offers(self) -> tuple[ModelDescription, ...]:
        """The installed models; where there are none, the one that is worth bringing."""
        problem = engine_problem()
        installed = await asyncio.to_thread(self._store.installed)
        if not installed:
            return (_not_installed(),)
        return tuple(_offer(model, problem) for model in installed)

    async def run_turn(self, turn: EngineTurn) -> AsyncGenerator[ProposedEvent]:
        """Run a turn; a model that dies before it said anything is started again, once."""
        model = await self._installed(turn.model.model_id)
        for is_last in (False, True):
            access = ModelAccess(self._host, model, self._asking)
            work = EmbeddedTurn(turn, model, access, self._tooling.toolset_for(turn.request))
            try:
                async with aclosing(work.run(self._states)) as events:
                    async for event in events:
                        yield event
            except ModelLost:
                exit_code = await self._bury(access)
                for event in _told_loss(exit_code, work):
                    yield event
                if is_last or work.has_output:
                    raise lost(exit_code) from None
            else:
                return

    async def summarize(
        self, app_id: str, history: tuple[HistoryMessage, ...], model: ModelDescription
    ) -> str:
        """Put a conversation into fewer words."""
        del app_id
        installed = await self._installed(model.model_id)
        access = ModelAccess(self._host, installed, self._asking)
        # About four characters a token: what does not fit is left out from the beginning.
        room = (context_of(installed) - ANSWER_TOKENS) * 3
        said = "\n".join(f"{each.role}: {each.text}" for each in history if each.text)[-room:]
        asked = f"Summarise this conversation in a few sentences:\n\n{said}"
        question = Question([Message(role="user", content=asked)], ANSWER_TOKENS // 2)
        try:
            async with aclosing(access.ask(question)) as told:
                pieces = [each.text async for each in told if isinstance(each, Piece)]
        except ModelLost:
            raise lost(None) from None
        return "".join(pieces).strip()

    async def close(self) -> None:
        """End the model's process."""
        await self._host.close()

    async def _installed(self, model_id: str) -> InstalledModel:
        model = await asyncio.to_thread(self._store.find, model_id)
        if model is None:
            raise ProviderNotReady(
                "This model's weights are not on this computer any more.",
                details={"reasonCode": "weights_missing"},
            )
        return model

    async def _bury(self, access: ModelAccess) -> int | None:
        served = access.last_served
        return await self._host.bury(served) if served else None


def _told_loss(exit_code: int | None, work: EmbeddedTurn) -> list[ProposedEvent]:
    payload: JsonObject = {
        "code": "model_process_ended",
        "message": lost(exit_code).message,
        "failureCategory": "engine_crashed",
        "recoverable": not work.has_output,
        "exitCode": exit_code,
    }
    return [ProposedEvent(type="runtime.warning", payload=payload), *work.failed_round()]


def _offer(model: InstalledModel, problem: str | None) -> ModelDescription:
    obstacle = problem and ModelObstacle(
        reason_code="engine_missing", message=problem, setup_action="Install the engine parts"
    )
    is_small = model.record.size < 500_000_000
    return ModelDescription(
        engine=EmbeddedEngine.name,
        provider_id=PROVIDER,
        model_id=model.record.model_id,
        title=model.record.title,
        capabilities=("text", "tools", "structured_output"),
        context_tokens=context_of(model),
        max_output_tokens=ANSWER_TOKENS,
        is_local=True,
        quality=model.quality,
        latency="normal" if is_small else "slow",
        rank=_LAST_RANK - model.rank,
        note=_DEMO_NOTE if model.quality == "demo" else _NOTE,
        obstacle=obstacle or None,
    )


def _not_installed() -> ModelDescription:
    return ModelDescription(
        engine=EmbeddedEngine.name,
        provider_id=PROVIDER,
        model_id=QWEN_CODER.model_id,
        title=QWEN_CODER.title,
        capabilities=("text", "tools", "structured_output"),
        is_local=True,
        quality=QWEN_CODER.quality,
        rank=_LAST_RANK,
        note=_NOTE,
        obstacle=ModelObstacle(
            reason_code="weights_missing",
            message="No local model is installed.",
            setup_action="Install a local model in Settings, or add a model provider",
        ),
    )
