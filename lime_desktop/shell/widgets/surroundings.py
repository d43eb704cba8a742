"""What every page shares: texts, theme, icons and the apps at hand. One object, passed on; never looked up."""

import time
from dataclasses import replace
from functools import cached_property

from PySide6.QtCore import QLocale, QObject, Qt, QTimer, QTimeZone, Signal
from PySide6.QtGui import QGuiApplication, QIcon

from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.governance.branding import Branding, brand_in_force, read_branding
from lime_desktop.host.app_center.governance.organisation import Organisation
from lime_desktop.host.appearance.picture_cache import DrawnPictures
from lime_desktop.host.appearance.theme import (
    ThemeChoice,
    ThemeMode,
    ThemeTokens,
    parse_tokens,
    theme_in_force,
)
from lime_desktop.host.approvals.approvals import Approvals
from lime_desktop.host.apps.reading_journal import ReadingJournal
from lime_desktop.host.apps.registry import AppRegistry, RegisteredApp
from lime_desktop.host.apps.set_aside import SetAsideApps
from lime_desktop.host.apps.setup_facts import SetupReading
from lime_desktop.host.models.standing import ModelStanding
from lime_desktop.host.proxy.ledger import NetworkLedger
from lime_desktop.host.startup.engine_sandbox import SandboxGap, must_ask
from lime_desktop.host.user_profile.recent_work import RecentWork
from lime_desktop.host.user_profile.settings import HostSettings, write_settings
from lime_desktop.host.user_profile.unsaved_decisions import UnkeptDecisions
from lime_desktop.host.view.storage_changes import StorageNews
from lime_desktop.host.view.topics import TopicHub
from lime_desktop.host.wording.texts import Texts, read_texts
from lime_desktop.protocol.bridge.snapshot import Theme
from lime_desktop.shell.pictures.icons import Pictures
from lime_desktop.shell.widgets.icons import Signs, draw_svg
from lime_desktop.shell.widgets.resource_folders import Folders
from lime_desktop.shell.widgets.style import ShellStyle

_BURST_MS = 400
"""How long a choice that is made by turning a wheel must have stayed before it is written."""


class Surroundings(QObject):
    """Language, theme and apps as they are now; tells when one of them changes."""

    look_changed = Signal()
    """The theme, the contrast or the text size."""
    language_changed = Signal()
    settings_written = Signal(str)
    """The person's choices are on disk (nothing is said), or could not be written: then the system's reason."""
    organisation_changed = Signal()
    """Whose word holds here, or what it says: its brand, its rules, where it offers apps."""
    tab_opened = Signal(object)
    """An `AppTab` was made and is about to load its page, for whoever looks at apps while they are written."""

    def __init__(self, folders: Folders, settings: HostSettings) -> None:
        super().__init__()
        self.folders = folders
        self.settings = settings
        self._burst = QTimer(self, singleShot=True, interval=_BURST_MS)
        self._burst.timeout.connect(self._keep_settings)
        self._shipped: Branding = read_branding(folders.resources)
        self.branding: Branding = self._shipped
        self._organisation: tuple[Organisation | None, bytes | None] = (None, None)
        self._tokens: ThemeTokens = parse_tokens(
            (folders.resources / "theme/tokens.json").read_text(encoding="utf-8")
        )
        # Every snapshot holds the theme, and most are sent for another reason.
        self._shown_choice = ThemeChoice()
        self._shown_theme = theme_in_force(self._tokens, self._shown_choice)
        self.texts: Texts = self._read_texts()
        self.unkept = UnkeptDecisions()
        aside = SetAsideApps(ReadingJournal(folders.data / "reading"))
        self.shelf = AppRegistry(self.texts.locale, self.unkept, aside)
        self.approvals = Approvals(self.unkept)
        self.recent = RecentWork(
            folders.settings_file.with_name("recent.json"), lambda: time.time_ns() // 1_000_000
        )
        self.topics = TopicHub()
        self.storage_news = StorageNews()
        self.models = ModelStanding()
        self.setup = SetupReading(self.shelf)
        self.center: AppCenter | None = None
        """Open from the first moments on; None only while it is being opened, or held by another process."""
        self.awaits_apps = False
        """Whether the installed apps are being read for the first time: until then, to say that there are none is untrue."""
        self.sandbox_gap: SandboxGap | None = None
        """Why pages lack Chromium's own sandbox, if they do."""
        self.network_ledger: NetworkLedger | None = None
        """What apps sent and fetched; None until the proxy runs."""
        self.style = ShellStyle(folders.resources, folders.data / "look")
        self.signs = Signs(folders.resources, self.theme)
        self.pictures = Pictures(DrawnPictures(folders.data / "pictures"), self)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow_system)

    @property
    def must_ask_about_sandbox(self) -> bool:
        """Whether no app may open before the person agrees to do without the sandbox."""
        return must_ask(self.sandbox_gap, is_agreed=self.settings.opens_without_sandbox)

    @property
    def theme(self) -> Theme:
        """The theme in force."""
        choice = self._theme_choice()
        if choice != self._shown_choice:
            self._shown_choice, self._shown_theme = choice, theme_in_force(self._tokens, choice)
        return self._shown_theme

    def theme_with(self, mode: ThemeMode | None, text_scale: float | None) -> Theme:
        """The theme as it would be if the person had chosen this."""
        choice = self._theme_choice()
        return theme_in_force(
            self._tokens,
            replace(choice, mode=mode or choice.mode, text_scale=text_scale or choice.text_scale),
        )

    @cached_property
    def timezone(self) -> str:
        """The system's time zone at the start, by its public name; asking the system each time takes long."""
        return bytes(QTimeZone.systemTimeZoneId().data()).decode() or "UTC"

    def follow(self, center: AppCenter) -> None:
        """Have an app center at hand, and wear the brand of the organisation that it knows of."""
        self.center = center
        center.watch(self._hear_organisation)
        self._hear_organisation()

    def change(self, **choices: object) -> None:
        """Take the person's choices, keep them, and tell whoever shows them."""
        before = self.settings
        self.settings = before.model_copy(update=choices)
        self._keep_settings()
        if self.settings.locale != before.locale:
            self.texts = self._read_texts()
            self.shelf.speak(self.texts.locale)
            self.language_changed.emit()
        self.look_changed.emit()

    def keep(self, **choices: object) -> None:
        """Take choices that change no looks, and keep them once the person has stopped changing them."""
        self.settings = self.settings.model_copy(update=choices)
        self._burst.start()

    def finish_keeping(self) -> None:
        """Write what has not been written yet: the program ends."""
        if self._burst.isActive():
            self._keep_settings()

    def close_place(self, app_id: str) -> None:
        """Forget that an app was opened in place: it was installed, and what was installed is what runs."""
        path = self.shelf.take_off(app_id)
        if path is not None:
            kept = (each for each in self.settings.package_paths if each != str(path))
            self.change(package_paths=tuple(kept))

    def _keep_settings(self) -> None:
        """A choice holds even where it cannot be kept; whoever shows notices says that it will be forgotten."""
        self._burst.stop()
        try:
            write_settings(self.folders.settings_file, self.settings)
        except OSError as error:
            self.settings_written.emit(error.strerror or type(error).__name__)
        else:
            self.settings_written.emit("")

    def icon_of(self, app: RegisteredApp) -> QIcon:
        """An app's icon in the colours of now."""
        return self.icon(app.icon(), app.title(self.texts.locale))

    def icon(self, picture: bytes | None, name: str) -> QIcon:
        """The icon of whoever has this picture and this name."""
        tokens = self.theme.tokens
        return self.pictures.icon(
            picture, name, tokens["--lime-accent"], tokens["--lime-accent-text"]
        )

    @property
    def has_own_logo(self) -> bool:
        """Whether an organisation's logo stands in the place of the product's."""
        return self._organisation[1] is not None

    def logo(self) -> QIcon:
        """The organisation's logo, or the product's own icon."""
        _, picture = self._organisation
        if picture is None:
            return QIcon(draw_svg((self.folders.resources / "icons/lime-desktop.svg").read_bytes()))
        return self.icon(picture, self.branding.brand_name)

    def _theme_choice(self) -> ThemeChoice:
        hints = QGuiApplication.styleHints()
        return ThemeChoice(
            mode=self.settings.theme_mode,
            system_is_dark=hints.colorScheme() is Qt.ColorScheme.Dark,
            is_high_contrast=self.settings.is_high_contrast,
            text_scale=self.settings.text_scale,
            accent=self.branding.accent,
        )

    def _read_texts(self) -> Texts:
        chosen = [self.settings.locale] if self.settings.locale else QLocale.system().uiLanguages()
        return read_texts(self.folders.resources / "locales", chosen)

    def _hear_organisation(self) -> None:
        if self.center is None:
            return
        membership = self.center.membership
        before, self._organisation = self._organisation, (membership.organisation, membership.logo)
        if self._organisation != before:
            self.branding = brand_in_force(self._shipped, membership.organisation)
            self.organisation_changed.emit()
            self.look_changed.emit()

    def _follow_system(self) -> None:
        self.look_changed.emit()
