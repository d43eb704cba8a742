"""Who would answer a task of an app now: what the App Server last said of its models, kept for whoever must know at once.

Which apps ask a model at all is read from what they declare.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass

from lime_desktop.app_package.manifest import Manifest
from lime_desktop.background.observers import Observers
from lime_desktop.background.tasks import BackgroundTasks
from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.app_server_client.connection import AppServerConnection
from lime_desktop.host.wording.models import obstacle_words, settings_section
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.bridge.snapshot import ModelSummary
from lime_desktop.protocol.calls.local_models import LOCAL_MODEL_CHANGED, LocalModelNotification
from lime_desktop.protocol.calls.models import (
    LIST_MODELS,
    MODELS_CHANGED,
    ListModelsParams,
    ListModelsResult,
)
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.wire import Empty

_log = logging.getLogger(__name__)


_CLOSE_S = 2.0
_AGAIN_S = 3.0
"""How often somebody is looked for who would answer, while nobody would: a terminal that sets one up tells no server."""
_STILL_S = 10.0
"""How often whoever would answer is looked for, likewise: a terminal that takes one away is as silent."""
_NOTHING_SAID = ("engine_unavailable", "No model is set up.")
_ANSWERED_BY_MODELS = frozenset({"lime.agent", "lime.media"})


@dataclass(frozen=True, slots=True)
class ModelGap:
    """Why no able model answers, in the person's words."""

    words: str
    section: str
    """Where in the settings that is changed."""


class ModelStatus:
    """Follows one App Server after the other; tells its watchers whenever somebody else would answer."""

    def __init__(self, again_s: float = _AGAIN_S, still_s: float = _STILL_S) -> None:
        self._again_s = again_s
        self._still_s = still_s
        self._again: asyncio.TimerHandle | None = None
        self._found: ListModelsResult | None = None
        self._call: CallServer | None = None
        self._watchers = Observers[()]()
        self._reading = BackgroundTasks(_log, AppError)

    @property
    def found(self) -> ListModelsResult | None:
        """The models as last told; None until a server has told of them."""
        return self._found

    def introduce(self, connection: AppServerConnection) -> None:
        """Hear a server that has just started, and ask it."""

        def changed(_: Empty) -> None:
            self.look_again()

        def installed(told: LocalModelNotification) -> None:
            if told.model.state != "installing":
                self.look_again()

        self._call = connection.call
        connection.listen(MODELS_CHANGED, changed)
        connection.listen(LOCAL_MODEL_CHANGED, installed)
        self.look_again()

    def look_again(self) -> None:
        """Ask the newest server, also where nobody said that it changed."""
        self._stop_waiting()
        if self._call is not None:
            self._reading.spawn(self.read(self._call))

    async def read(self, call: CallServer) -> None:
        """Ask who would answer now."""
        found = await call(LIST_MODELS, ListModelsParams())
        before, self._found = self._found, found
        if before != found:
            self._watchers.notify()
        self._stop_waiting()
        wait_s = self._again_s if found.default_model is None else self._still_s
        self._again = asyncio.get_running_loop().call_later(wait_s, self.look_again)

    def watch(self, watcher: Callable[[], None]) -> Callable[[], None]:
        """Call this whenever it changed; the returned function ends it."""
        return self._watchers.subscribe(watcher)

    def summary(self, texts: Texts) -> ModelSummary:
        """What an app is told of it, in the person's language."""
        return summary_of(self._found, texts)

    def gap(self, texts: Texts) -> ModelGap | None:
        """What keeps an able model from answering; None where one answers, and until a server has told."""
        told = self.summary(texts)
        if told.status == "demo":
            return ModelGap(texts("models.now.demo", model=told.label or ""), "models")
        if told.status != "none":
            return None
        return ModelGap(told.message or "", settings_section(told.reason_code or ""))

    async def close(self) -> None:
        """Wait for what is on its way."""
        await self._reading.finish(_CLOSE_S)
        self._stop_waiting()

    def _stop_waiting(self) -> None:
        if self._again is not None:
            self._again.cancel()
            self._again = None


def summary_of(found: ListModelsResult | None, texts: Texts) -> ModelSummary:
    """What an app may know: whether somebody would answer, and how well."""
    if found is None:
        return ModelSummary(status="unknown")
    model = found.default_model
    if model is None:
        obstacle = found.obstacle
        code, message = (obstacle.reason_code, obstacle.message) if obstacle else _NOTHING_SAID
        return ModelSummary(
            status="none", reason_code=code, message=obstacle_words(texts, code, message)
        )
    return ModelSummary(
        status="demo" if model.quality == "demo" else "ready",
        quality=model.quality,
        label=model.title,
        is_local=model.is_local,
    )


def wants_model(manifest: Manifest) -> bool:
    """Whether a model has any part in it: something of it stays undone where none answers."""
    return needs_model(manifest) or any(each.scope == "model" for each in manifest.permissions)


def needs_model(manifest: Manifest) -> bool:
    """Whether it cannot do its work without a model: what its author calls optional is none of that."""
    if any(each.kind == "expert-chat" for each in manifest.entries):
        return True
    asked = [each for each in manifest.permissions if each.scope == "model"]
    if asked:
        return any(each.required is not False for each in asked)
    named = {*manifest.capability_names, *manifest.requires.capability_ranges}
    named |= {name for entry in manifest.entries for name in entry.required_capabilities}
    return not named.isdisjoint(_ANSWERED_BY_MODELS)
