"""The theme in force, and what is drawn in its colours: the style sheet, the icons of apps, the logo."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication, QIcon

from lime_desktop.host.appearance.picture_cache import DrawnPictures
from lime_desktop.host.appearance.theme import (
    ThemeChoice,
    ThemeMode,
    ThemeTokens,
    parse_tokens,
    theme_in_force,
)
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.bridge.snapshot import Theme
from lime_desktop.shell.appearance.brand import Brand
from lime_desktop.shell.appearance.icons import draw_svg
from lime_desktop.shell.appearance.settings_store import SettingsStore
from lime_desktop.shell.appearance.style import ShellStyle
from lime_desktop.shell.pictures.icons import Pictures


class Appearance(QObject):
    """Follows the person's choices, the system and the brand; says when the window must look otherwise."""

    changed = Signal()
    """The theme, the contrast or the text size."""

    def __init__(
        self, resources: Path, data: Path, settings: SettingsStore, texts: Texts, brand: Brand
    ) -> None:
        """Draw from the resources; what is drawn is kept among the data."""
        super().__init__()
        self._resources = resources
        self._settings = settings
        self._texts = texts
        self._brand = brand
        self._tokens: ThemeTokens = parse_tokens(
            (resources / "theme/tokens.json").read_text(encoding="utf-8")
        )
        # Every snapshot holds the theme, and most are sent for another reason.
        self._shown_choice = ThemeChoice()
        self._shown_theme = theme_in_force(self._tokens, self._shown_choice)
        self.style = ShellStyle(resources, data / "look")
        self.pictures = Pictures(DrawnPictures(data / "pictures"), self)
        settings.changed.connect(self.changed)
        brand.changed.connect(self.changed)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow_system)

    @property
    def theme(self) -> Theme:
        """The theme in force."""
        choice = self._choice()
        if choice != self._shown_choice:
            self._shown_choice, self._shown_theme = choice, theme_in_force(self._tokens, choice)
        return self._shown_theme

    @property
    def text_scale(self) -> float:
        """How much larger than usual the person wants text."""
        return self._settings.current.text_scale

    def theme_with(self, mode: ThemeMode | None, text_scale: float | None) -> Theme:
        """The theme as it would be if the person had chosen this."""
        choice = self._choice()
        return theme_in_force(
            self._tokens,
            replace(choice, mode=mode or choice.mode, text_scale=text_scale or choice.text_scale),
        )

    def icon_of(self, app: RegisteredApp) -> QIcon:
        """An app's icon in the colours of now."""
        return self.icon(app.icon(), app.title(self._texts.locale))

    def icon(self, picture: bytes | None, name: str) -> QIcon:
        """The icon of whoever has this picture and this name."""
        tokens = self.theme.tokens
        return self.pictures.icon(
            picture, name, tokens["--lime-accent"], tokens["--lime-accent-text"]
        )

    def logo(self) -> QIcon:
        """The organisation's logo, or the product's own icon."""
        own = self._brand.own_picture()
        if self._brand.picture is None and own is not None:
            return QIcon(own)
        if self._brand.picture is None:
            return QIcon(draw_svg((self._resources / "icons/lime-desktop.svg").read_bytes()))
        return self.icon(self._brand.picture, self._brand.branding.brand_name)

    def _choice(self) -> ThemeChoice:
        hints, chosen = QGuiApplication.styleHints(), self._settings.current
        return ThemeChoice(
            mode=chosen.theme_mode,
            system_is_dark=hints.colorScheme() is Qt.ColorScheme.Dark,
            is_high_contrast=chosen.is_high_contrast,
            text_scale=chosen.text_scale,
            accent=self._brand.branding.accent,
        )

    def _follow_system(self) -> None:
        self.changed.emit()
