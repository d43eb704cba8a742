"""The person's choices, in force at once."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import qVersion
from PySide6.QtWidgets import QCheckBox, QComboBox, QFormLayout, QFrame, QWidget

from lime_desktop import __version__
from lime_desktop.shell.pages.page import Page
from lime_desktop.shell.parts import card, label
from lime_desktop.shell.surroundings import Surroundings

_LANGUAGES = {"en": "English", "zh-CN": "简体中文"}
_SCALES = (0.9, 1.0, 1.15, 1.3, 1.5)


class SettingsPage(Page):
    """Language, theme, contrast, text size, and what this program is made of."""

    def __init__(
        self, around: Surroundings, engine_versions: Callable[[], tuple[str, str]]
    ) -> None:
        super().__init__()
        self._around = around
        self._engine_versions = engine_versions
        around.language_changed.connect(self.show_again)
        self.show_again()

    def show_again(self) -> None:
        """Show the choices as they stand."""
        texts = self._around.texts
        self.refill(label(texts("settings.title"), "title"), self._choices(), self._about())

    def _choices(self) -> QFrame:
        texts, settings = self._around.texts, self._around.settings
        fields = QWidget()
        form = QFormLayout(fields)
        form.setContentsMargins(0, 0, 0, 0)
        form.setHorizontalSpacing(24)
        form.setVerticalSpacing(12)
        languages = [(None, texts("settings.language.system")), *_LANGUAGES.items()]
        themes = [(mode, texts(f"settings.theme.{mode}")) for mode in ("system", "light", "dark")]
        scales = [(scale, f"{scale:.0%}") for scale in _SCALES]
        self._add(
            form, "settings.language", _choice(languages, settings.locale, self._set("locale"))
        )
        self._add(
            form, "settings.theme", _choice(themes, settings.theme_mode, self._set("theme_mode"))
        )
        self._add(
            form, "settings.text", _choice(scales, settings.text_scale, self._set("text_scale"))
        )
        contrast = QCheckBox(texts("settings.contrast"))
        contrast.setChecked(settings.is_high_contrast)
        contrast.toggled.connect(self._set("is_high_contrast"))
        form.addRow(contrast)
        return card(fields)

    def _add(self, form: QFormLayout, key: str, field: QWidget) -> None:
        words = self._around.texts(key)
        field.setAccessibleName(words)
        form.addRow(words, field)

    def _set(self, name: str) -> Callable[[object], None]:
        return lambda value: self._around.change(**{name: value})

    def _about(self) -> QFrame:
        texts = self._around.texts
        chromium, patch = self._engine_versions()
        about = texts(
            "settings.about.text",
            version=__version__,
            qt=qVersion(),
            chromium=chromium,
            patch=patch,
        )
        return card(label(texts("settings.about"), "heading"), label(about, "muted"))


def _choice(
    options: Sequence[tuple[object, str]], chosen: object, taken: Callable[[object], None]
) -> QComboBox:
    box = QComboBox()
    for value, words in options:
        box.addItem(words, value)
    values = [value for value, _ in options]
    box.setCurrentIndex(values.index(chosen) if chosen in values else 0)

    def take(index: int) -> None:
        taken(values[index])

    box.activated.connect(take)
    return box
