"""The form that adds a provider: one known by name, or any other by its address."""

import re
from collections.abc import Awaitable, Callable, Iterable

from pydantic import SecretStr, ValidationError
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from lime_desktop.protocol.calls.model_providers import (
    CREATE_PROVIDER,
    UPDATE_PROVIDER_KEY,
    CreateKeyParams,
    CreateProviderParams,
    ProviderPreset,
    ProviderSettings,
)
from lime_desktop.shell.settings.organisation_models import preset_words
from lime_desktop.shell.settings.section import SectionContext, group, setting
from lime_desktop.shell.widgets.parts import button, column, combo_box, label, row

_PROTOCOLS = ("openai-compatible", "anthropic-compatible", "gemini-native")
_OTHER = ""
"""Stands for a provider that is not known by name."""

Added = Callable[[str], Awaitable[None]]


class AddingForm:
    """What the person chooses and writes; `added` hears the new provider's id."""

    def __init__(self, context: SectionContext, added: Added) -> None:
        self._context = context
        self._added = added
        self._presets: dict[str, ProviderPreset] = {}
        self._taken: set[str] = set()
        self._choice = combo_box()
        self._choice.currentIndexChanged.connect(self._turn)
        self._about = label("", "small")
        self._name, self._address, self._key = QLineEdit(), QLineEdit(), QLineEdit()
        self._key.setEchoMode(QLineEdit.EchoMode.Password)
        for field in (self._name, self._address, self._key):
            field.returnPressed.connect(self._add)
        self._protocol = combo_box()
        for protocol in _PROTOCOLS:
            self._protocol.addItem(context.look.texts(f"settings.providers.{protocol}"), protocol)
        self._by_hand = self._other_fields()
        self._is_adding = False
        self.widget = self._build()
        self._second_press = QTimer(self.widget)
        self._second_press.setSingleShot(True)

    def offer(self, presets: Iterable[ProviderPreset], taken: set[str]) -> None:
        """Offer those that are not set up yet, and any other."""
        self._taken = taken
        self._presets = {each.preset_id: each for each in presets if each.preset_id not in taken}
        self._choice.clear()
        for preset_id, preset in self._presets.items():
            self._choice.addItem(preset.settings.title, preset_id)
        self._choice.addItem(self._context.look.texts("settings.providers.other"), _OTHER)

    def _build(self) -> QWidget:
        texts = self._context.look.texts
        return group(
            texts("settings.providers.add"),
            self._setting("which", self._choice),
            self._about,
            self._by_hand,
            self._setting("key", self._key),
            row(button(texts("settings.providers.add.do"), self._add, "primary")),
        )

    def _other_fields(self) -> QWidget:
        return column(
            self._setting("name", self._name),
            self._setting("address", self._address),
            self._setting("protocol", self._protocol),
        )

    def _setting(self, name: str, control: QWidget) -> QWidget:
        texts, key = self._context.look.texts, f"settings.providers.{name}"
        return setting(texts(key), texts(f"{key}.about"), control)

    def _turn(self) -> None:
        preset = self._presets.get(str(self._choice.currentData()))
        self._by_hand.setVisible(preset is None)
        texts = self._context.look.texts
        about = preset_words(texts, preset) if preset else texts("settings.providers.other.about")
        words = [about, (preset and preset.key_page) or ""]
        self._about.setText("\n".join(filter(None, words)))

    def _add(self) -> None:
        # A second press asks for nothing more: it would add the same again, or what the choice has moved on to.
        if self._is_adding or self._second_press.isActive():
            return
        key = SecretStr(self._key.text().strip())
        preset = self._presets.get(str(self._choice.currentData()))
        try:
            params = (
                self._known(preset)
                if preset
                else self._written(has_key=bool(key.get_secret_value()))
            )
        except ValidationError:
            words = self._context.look.texts("settings.providers.other.wrong")
            self._context.say(words, "error")
            return
        self._key.clear()
        self._is_adding = True
        self._second_press.start(QApplication.doubleClickInterval())
        self._context.work.start(self._create(params, key))

    async def _create(self, params: CreateProviderParams, key: SecretStr) -> None:
        try:
            await self._context.call(CREATE_PROVIDER, params)
            if key.get_secret_value():
                asked = CreateKeyParams(provider_id=params.provider_id, key=key)
                await self._context.call(UPDATE_PROVIDER_KEY, asked)
            self._name.clear()
            self._address.clear()
            await self._added(params.provider_id)
        finally:
            self._is_adding = False

    def _known(self, preset: ProviderPreset) -> CreateProviderParams:
        return CreateProviderParams(provider_id=preset.preset_id, preset_id=preset.preset_id)

    def _written(self, *, has_key: bool) -> CreateProviderParams:
        title = self._name.text().strip()
        stated = {
            "title": title,
            "protocol": self._protocol.currentData(),
            "baseUrl": self._address.text().strip(),
            "needsKey": has_key,
        }
        return CreateProviderParams(
            provider_id=_free_id(title, self._taken),
            settings=ProviderSettings.model_validate(stated),
        )


def _free_id(title: str, taken: set[str]) -> str:
    """A short name made of a title, that no other provider has."""
    plain = re.sub(r"[^a-z0-9._-]+", "-", title.lower()).strip("-._")[:50] or "provider"
    numbered = (f"{plain}-{number}" for number in range(2, len(taken) + 3))
    return next(each for each in (plain, *numbered) if each not in taken)
