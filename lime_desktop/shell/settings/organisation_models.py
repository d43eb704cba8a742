"""The model providers that an organisation offers in its own product: each asks for its key, and for nothing else."""

from functools import partial

from pydantic import SecretStr
from PySide6.QtWidgets import QLineEdit, QWidget
from shiboken6 import isValid

from lime_desktop.host.models.choosing import use_key, use_preset
from lime_desktop.host.wording.joining import listed
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.calls.model_providers import (
    LIST_PROVIDERS,
    ListProvidersParams,
    ProviderPreset,
)
from lime_desktop.shell.layouts.flow import flow
from lime_desktop.shell.settings.found_models import ChoosingContext
from lime_desktop.shell.settings.section import refill
from lime_desktop.shell.widgets.parts import button, column, label, name_button, pill, row

_CALL_S = 30.0
_KEY_WIDTH = 260
_NAMED_MODELS = 6


def preset_words(texts: Texts, preset: ProviderPreset) -> str:
    """What a provider is: in the person's language where we know it, else in the words of whoever offers it."""
    key = f"settings.providers.preset.{preset.preset_id}"
    known = texts(key)
    return known if known != key else preset.about or preset.settings.base_url


class OrganisationModels:
    """A row for each provider; a key goes to the keyring by way of the App Server, and the field forgets it."""

    def __init__(self, context: ChoosingContext) -> None:
        self._context = context
        self.widget = column(label(context.texts("settings.models.asking"), "muted"), spacing=16)

    async def look(self) -> None:
        """Show how each stands."""
        found = await self._context.call(LIST_PROVIDERS, ListProvidersParams(), timeout_s=_CALL_S)
        # Whoever asked may have gone on to another page meanwhile.
        if not isValid(self.widget):
            return
        ready = {
            each.provider_id
            for each in found.providers
            if each.has_key or not each.settings.needs_key
        }
        rows = [self._row(each, is_ready=each.preset_id in ready) for each in found.presets]
        refill(self.widget, *rows)

    def _row(self, preset: ProviderPreset, *, is_ready: bool) -> QWidget:
        texts = self._context.texts
        title = label(preset.settings.title, "strong")
        words = column(title, *(label(each, "small") for each in self._about(preset)), spacing=0)
        if is_ready:
            return row(words, pill(texts("models.found.set_up"), "ok"), stretch_at=0)
        if not preset.settings.needs_key:
            use = button(texts("models.found.use"), partial(self._use, preset.preset_id, None))
            name_button(use, texts, preset.settings.title)
            return row(words, use, stretch_at=0)
        return column(words, self._asking(preset), spacing=8)

    def _about(self, preset: ProviderPreset) -> list[str]:
        texts, models = self._context.texts, preset.settings.models
        names = [each.title or each.model_id for each in models[:_NAMED_MODELS]]
        if len(models) > len(names):
            names.append("…")
        lines = [preset_words(texts, preset), listed(texts, names), preset.key_page or ""]
        return [each for each in lines if each]

    def _asking(self, preset: ProviderPreset) -> QWidget:
        texts, title = self._context.texts, preset.settings.title
        key = QLineEdit()
        key.setEchoMode(QLineEdit.EchoMode.Password)
        key.setMinimumWidth(_KEY_WIDTH)
        key.setPlaceholderText(texts("models.key.hint"))
        key.setAccessibleName(texts("models.key.of", provider=title))

        def take() -> None:
            written = SecretStr(key.text().strip())
            key.clear()
            if written.get_secret_value():
                self._use(preset.preset_id, written)
            else:
                key.setFocus()

        key.returnPressed.connect(take)
        use = button(texts("models.key.use"), take)
        name_button(use, texts, title)
        return flow(key, use)

    def _use(self, preset_id: str, key: SecretStr | None) -> None:
        call = self._context.call

        async def use() -> None:
            set_up = use_preset(call, preset_id) if key is None else use_key(call, preset_id, key)
            self._context.used(await set_up)

        self._context.start(use())
