"""Models that are near at hand: servers that run on this computer, and keys that the environment holds."""

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtWidgets import QLabel, QWidget
from shiboken6 import isValid

from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.models.choosing import EnvironmentKey, keys_in, read_key, use_key, use_server
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.calls.model_providers import (
    FIND_SERVERS,
    LIST_PROVIDERS,
    FoundServer,
    ListProvidersParams,
    ListProvidersResult,
    ModelProvider,
)
from lime_desktop.protocol.calls.models import LIST_MODELS, ListModelsParams, ListModelsResult
from lime_desktop.protocol.wire import HostOnlyParams
from lime_desktop.shell.settings.section import refill
from lime_desktop.shell.widgets.parts import button, column, label, name_button, pill, row

_CALL_S = 30.0


@dataclass(frozen=True, slots=True)
class ChoosingContext:
    """What whoever offers models may use."""

    texts: Texts
    call: CallServer
    start: Callable[[Coroutine[Any, Any, None]], None]
    """Begins what takes a while; its failures are shown to the person."""
    used: Callable[[ModelProvider], None]
    """Told once a provider was set up."""


class FoundModels:
    """One row for each; nothing is used before it is pressed, and of a key only its name is shown."""

    def __init__(self, context: ChoosingContext, environment: Mapping[str, str]) -> None:
        self._context = context
        self._environment = environment
        self._nothing: QLabel | None = None
        self.widget = column(label(context.texts("models.found.looking"), "muted"))

    async def look(self) -> None:
        """Look around, and show what is there."""
        call = self._context.call
        listed = await call(LIST_PROVIDERS, ListProvidersParams(), timeout_s=_CALL_S)
        found = await call(FIND_SERVERS, HostOnlyParams(), timeout_s=_CALL_S)
        models = await call(LIST_MODELS, ListModelsParams(), timeout_s=_CALL_S)
        # Whoever asked may have gone on to another page meanwhile.
        if not isValid(self.widget):
            return
        servers = [self._server(each) for each in found.servers]
        on_offer = {each.preset_id for each in listed.presets}
        here = {each.provider_id for each in listed.providers}
        keys = [
            self._key(each, listed)
            for each in keys_in(self._environment)
            if each.preset_id in on_offer - here
        ]
        self._nothing = None if servers or keys else label("", "muted")
        refill(self.widget, *servers, *keys, *((self._nothing,) if self._nothing else ()))
        self.follow(models)

    def follow(self, listed: ListModelsResult) -> None:
        """Where nothing was found and yet a model answers, say that nothing more was."""
        if self._nothing is not None and isValid(self._nothing):
            key = "models.found.nothing" if listed.default_model is None else "models.found.no_more"
            self._nothing.setText(self._context.texts(key))

    def _server(self, server: FoundServer) -> QWidget:
        texts, count = self._context.texts, len(server.model_ids)
        title = texts("models.found.server", title=server.title)
        if server.is_set_up:
            return _row(title, server.base_url, pill(texts("models.found.set_up"), "ok"))
        if not count:
            return _row(title, texts("models.found.server.empty"), *())
        about = texts("models.found.server.about", count=count, first=server.model_ids[0])
        use = button(texts("models.found.use"), partial(self._use_server, server))
        name_button(use, texts, server.title)
        return _row(title, about, use)

    def _key(self, key: EnvironmentKey, listed: ListProvidersResult) -> QWidget:
        texts = self._context.texts
        names = {each.preset_id: each.settings.title for each in listed.presets}
        provider = names.get(key.preset_id, key.preset_id)
        title = texts("models.found.key", title=provider)
        about = texts("models.found.key.about", variable=key.variable, title=provider)
        use = button(texts("models.found.key.use"), partial(self._use_key, key))
        name_button(use, texts, key.variable)
        return _row(title, about, use)

    def _use_server(self, server: FoundServer) -> None:
        async def use() -> None:
            self._context.used(await use_server(self._context.call, server))

        self._context.start(use())

    def _use_key(self, key: EnvironmentKey) -> None:
        async def use() -> None:
            value = read_key(key, self._environment)
            self._context.used(await use_key(self._context.call, key.preset_id, value))

        self._context.start(use())


def _row(title: str, about: str, *ways: QWidget) -> QWidget:
    return row(
        column(label(title, "strong"), label(about, "small"), spacing=0), *ways, stretch_at=0
    )
