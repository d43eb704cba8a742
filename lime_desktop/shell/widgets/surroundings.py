"""Everything that the rooms which still ask for it share. It ends with the last of them: see `shell/appearance`."""

import time

from PySide6.QtCore import QObject, SignalInstance

from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.governance.branding import Branding
from lime_desktop.host.approvals.approvals import Approvals
from lime_desktop.host.apps.reading_journal import ReadingJournal
from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.host.apps.set_aside import SetAsideApps
from lime_desktop.host.apps.setup_facts import SetupReading
from lime_desktop.host.models.standing import ModelStanding
from lime_desktop.host.proxy.ledger import NetworkLedger
from lime_desktop.host.user_profile.recent_work import RecentWork
from lime_desktop.host.user_profile.settings import HostSettings
from lime_desktop.host.user_profile.unsaved_decisions import UnkeptDecisions
from lime_desktop.host.view.storage_changes import StorageNews
from lime_desktop.host.view.topics import TopicHub
from lime_desktop.protocol.bridge.snapshot import Theme
from lime_desktop.shell.appearance.appearance import Appearance
from lime_desktop.shell.appearance.brand import Brand
from lime_desktop.shell.appearance.icons import Icons
from lime_desktop.shell.appearance.live_texts import LiveTexts
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.appearance.settings_store import SettingsStore
from lime_desktop.shell.widgets.resource_folders import Folders


class Surroundings(QObject):
    """Language, theme and apps as they are now."""

    def __init__(self, folders: Folders, settings: HostSettings) -> None:
        super().__init__()
        self.folders = folders
        self.store = SettingsStore(folders.settings_file, settings)
        self.texts = LiveTexts(folders.resources / "locales", self.store)
        self.brand = Brand(folders.resources)
        self.unkept = UnkeptDecisions()
        aside = SetAsideApps(ReadingJournal(folders.data / "reading"))
        self.shelf = AppRegistry(self.texts.locale, self.unkept, aside)
        self.texts.changed.connect(lambda: self.shelf.speak(self.texts.locale))
        self.appearance = Appearance(
            folders.resources, folders.data, self.store, self.texts, self.brand
        )
        self.icons = Icons(folders.resources, self.appearance.theme)
        self.look = Look(self.texts, self.icons, self.appearance)
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
        self.network_ledger: NetworkLedger | None = None
        """What apps sent and fetched; None until the proxy runs."""
        self.signs = self.icons
        self.pictures = self.appearance.pictures
        self.style = self.appearance.style
        self.theme_with = self.appearance.theme_with
        self.icon, self.icon_of = self.appearance.icon, self.appearance.icon_of
        self.logo = self.appearance.logo
        self.change, self.keep = self.store.change, self.store.defer
        self.finish_keeping = self.store.flush
        self.look_changed: SignalInstance = self.appearance.changed
        self.language_changed: SignalInstance = self.texts.changed
        self.settings_written: SignalInstance = self.store.written
        self.organisation_changed: SignalInstance = self.brand.changed

    @property
    def settings(self) -> HostSettings:
        """What the person chose."""
        return self.store.current

    @property
    def theme(self) -> Theme:
        """The theme in force."""
        return self.appearance.theme

    @property
    def branding(self) -> Branding:
        """The brand in force."""
        return self.brand.branding

    @property
    def has_own_logo(self) -> bool:
        """Whether an organisation's logo stands in the place of the product's."""
        return self.brand.has_own_logo

    def follow(self, center: AppCenter) -> None:
        """Have an app center at hand, and wear the brand of the organisation that it knows of."""
        self.center = center
        self.brand.follow(center)

    def close_place(self, app_id: str) -> None:
        """Forget that an app was opened in place: it was installed, and what was installed is what runs."""
        path = self.shelf.take_off(app_id)
        if path is not None:
            kept = (each for each in self.settings.package_paths if each != str(path))
            self.change(package_paths=tuple(kept))
