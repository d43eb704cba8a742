"""A key of the person's own: whose it is, the key itself, and one button."""

from collections.abc import Iterable

from pydantic import SecretStr
from PySide6.QtWidgets import QLineEdit

from lime_desktop.host.models.choosing import use_key
from lime_desktop.protocol.calls.model_providers import ProviderPreset
from lime_desktop.shell.layouts.flow import flow
from lime_desktop.shell.settings.found_models import ChoosingContext
from lime_desktop.shell.widgets.parts import button, column, combo_box, label

_KEY_WIDTH = 260


class KeyForm:
    """The key goes to the keyring by way of the App Server; the field forgets it as soon as it was pressed."""

    def __init__(self, context: ChoosingContext) -> None:
        self._context = context
        texts = context.texts
        self._which = combo_box()
        self._which.setAccessibleName(texts("models.key.provider"))
        self._key = QLineEdit()
        self._key.setEchoMode(QLineEdit.EchoMode.Password)
        self._key.setMinimumWidth(_KEY_WIDTH)
        self._key.setPlaceholderText(texts("models.key.hint"))
        self._key.setAccessibleName(texts("models.key.hint"))
        self._key.returnPressed.connect(self._take)
        self._use = button(texts("models.key.use"), self._take)
        self._fields = flow(self._which, self._key, self._use)
        # A key for nobody could only be thrown away.
        self._fields.setEnabled(False)
        self.widget = column(
            label(texts("models.key.title"), "strong"),
            label(texts("models.key.about"), "small"),
            self._fields,
        )

    def offer(self, presets: Iterable[ProviderPreset]) -> None:
        """Offer the providers that want a key; what was chosen and written stays."""
        chosen = self._which.currentData()
        self._which.clear()
        for preset in presets:
            if preset.settings.needs_key:
                self._which.addItem(preset.settings.title, preset.preset_id)
        self._which.setCurrentIndex(max(0, self._which.findData(chosen)))
        self._fields.setEnabled(self._which.count() > 0)

    def _take(self) -> None:
        key = SecretStr(self._key.text().strip())
        preset_id = self._which.currentData()
        if not key.get_secret_value() or not isinstance(preset_id, str):
            self._key.setFocus()
            return
        self._key.clear()
        self._use.setEnabled(False)

        async def use() -> None:
            try:
                self._context.used(await use_key(self._context.call, preset_id, key))
            finally:
                self._use.setEnabled(True)

        self._context.start(use())
