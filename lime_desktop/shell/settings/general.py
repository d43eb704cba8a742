"""Language, theme, contrast, text size; in force at once."""

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from lime_desktop.host.wording.texts import Texts
from lime_desktop.shell.appearance.settings_store import SettingsStore
from lime_desktop.shell.settings.section import SectionContext, choice, group, setting, switch
from lime_desktop.shell.widgets.parts import column

LANGUAGES = {"en": "English", "zh-CN": "简体中文"}
"""Each language under its own name, so that it is found by whoever reads it."""
THEMES = ("system", "light", "dark")
_SCALES = (0.9, 1.0, 1.15, 1.3, 1.5)


def build(context: SectionContext) -> QWidget:
    """The choices as they stand."""
    texts, settings = context.look.texts, context.services.settings
    return column(
        _language(texts, settings),
        _look(texts, settings),
        _behaviour(texts, settings),
        spacing=16,
    )


def _language(texts: Texts, settings: SettingsStore) -> QWidget:
    options = [(None, texts("settings.language.system")), *LANGUAGES.items()]
    box = choice(options, settings.current.locale, _set(settings, "locale"))
    return group(
        texts("settings.language"),
        setting(texts("settings.language"), texts("settings.language.about"), box),
    )


def _look(texts: Texts, settings: SettingsStore) -> QWidget:
    chosen = settings.current
    themes = [(mode, texts(f"settings.theme.{mode}")) for mode in THEMES]
    scales = [(scale, f"{scale:.0%}") for scale in _SCALES]
    contrast = switch(texts, settings, "settings.contrast", "is_high_contrast")
    return group(
        texts("settings.look"),
        setting(
            texts("settings.theme"),
            texts("settings.theme.about"),
            choice(themes, chosen.theme_mode, _set(settings, "theme_mode")),
        ),
        setting(
            texts("settings.text"),
            texts("settings.text.about"),
            choice(scales, chosen.text_scale, _set(settings, "text_scale")),
        ),
        contrast,
    )


def _behaviour(texts: Texts, settings: SettingsStore) -> QWidget:
    return group(
        texts("settings.behaviour"),
        switch(texts, settings, "settings.notify", "has_notifications"),
        switch(texts, settings, "settings.tray", "stays_in_tray"),
    )


def _set(settings: SettingsStore, name: str) -> Callable[[object], None]:
    return lambda value: settings.change(**{name: value})
