"""Language, theme, contrast, text size; in force at once."""

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from lime_desktop.shell.settings.section import SectionContext, choice, group, setting, switch
from lime_desktop.shell.widgets.parts import column
from lime_desktop.shell.widgets.surroundings import Surroundings

LANGUAGES = {"en": "English", "zh-CN": "简体中文"}
"""Each language under its own name, so that it is found by whoever reads it."""
THEMES = ("system", "light", "dark")
_SCALES = (0.9, 1.0, 1.15, 1.3, 1.5)


def build(context: SectionContext) -> QWidget:
    """The choices as they stand."""
    return column(
        _language(context.around), _look(context.around), _behaviour(context.around), spacing=16
    )


def _language(around: Surroundings) -> QWidget:
    texts = around.texts
    options = [(None, texts("settings.language.system")), *LANGUAGES.items()]
    box = choice(options, around.settings.locale, _set(around, "locale"))
    return group(
        texts("settings.language"),
        setting(texts("settings.language"), texts("settings.language.about"), box),
    )


def _look(around: Surroundings) -> QWidget:
    texts, settings = around.texts, around.settings
    themes = [(mode, texts(f"settings.theme.{mode}")) for mode in THEMES]
    scales = [(scale, f"{scale:.0%}") for scale in _SCALES]
    contrast = switch(around, "settings.contrast", "is_high_contrast")
    return group(
        texts("settings.look"),
        setting(
            texts("settings.theme"),
            texts("settings.theme.about"),
            choice(themes, settings.theme_mode, _set(around, "theme_mode")),
        ),
        setting(
            texts("settings.text"),
            texts("settings.text.about"),
            choice(scales, settings.text_scale, _set(around, "text_scale")),
        ),
        contrast,
    )


def _behaviour(around: Surroundings) -> QWidget:
    return group(
        around.texts("settings.behaviour"),
        switch(around, "settings.notify", "has_notifications"),
        switch(around, "settings.tray", "stays_in_tray"),
    )


def _set(around: Surroundings, name: str) -> Callable[[object], None]:
    return lambda value: around.change(**{name: value})
