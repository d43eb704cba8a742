"""Makes each long-lived object of the shell once, and says which of them the window and a view are given.

Only the start knows them all: whatever stands below is given what it uses.
"""

import time
from collections.abc import Callable

from lime_desktop.host.approvals.approvals import Approvals
from lime_desktop.host.apps.reading_journal import ReadingJournal
from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.host.apps.set_aside import SetAsideApps
from lime_desktop.host.apps.setup_facts import SetupReading
from lime_desktop.host.models.model_status import ModelStatus
from lime_desktop.host.proxy.ledger import NetworkLedger
from lime_desktop.host.startup.engine_sandbox import SandboxGap
from lime_desktop.host.user_profile.recent_work import RecentWork
from lime_desktop.host.user_profile.settings import HostSettings
from lime_desktop.host.user_profile.unsaved_decisions import UnsavedDecisions
from lime_desktop.host.view.opened_files import OpenedFilesQueue
from lime_desktop.host.view.subscriptions import (
    RunChanges,
    StorageChanges,
    TopicHub,
    WebhookArrivals,
)
from lime_desktop.shell.appearance.brand import Brand
from lime_desktop.shell.appearance.look import make_look
from lime_desktop.shell.appearance.settings_store import SettingsStore
from lime_desktop.shell.startup.own_updates import OwnUpdates
from lime_desktop.shell.widgets.resource_folders import Folders
from lime_desktop.shell.window.services import (
    OpenedTabs,
    SandboxConsent,
    TabServices,
    WindowServices,
)


class Composition:
    """One of each, joined; nothing of it runs yet."""

    def __init__(
        self, folders: Folders, settings: HostSettings, gap: SandboxGap | None = None
    ) -> None:
        self.folders = folders
        self.settings = SettingsStore(folders.settings_file, settings)
        self.brand = Brand(folders.resources, folders.product, folders.icon_file)
        self.look = make_look(folders.resources, folders.data, self.settings, self.brand)
        self.unkept = UnsavedDecisions()
        aside = SetAsideApps(ReadingJournal(folders.data / "reading"))
        self.registry = AppRegistry(self.look.texts.locale, self.unkept, aside)
        # Before any page hears of it: what a page shows of an app is worded by then.
        self.look.texts.changed.connect(self._retranslate)
        self.setup = SetupReading(self.registry)
        self.approvals = Approvals(self.unkept)
        self.recent = RecentWork(
            folders.settings_file.with_name("recent.json"), lambda: time.time_ns() // 1_000_000
        )
        self.models = ModelStatus()
        self.topics = TopicHub()
        self.storage_changes = StorageChanges()
        self.webhook_arrivals = WebhookArrivals()
        self.run_changes = RunChanges()
        self.opened_files = OpenedFilesQueue()
        self.sandbox = SandboxConsent(self.settings, gap)
        self.opened_tabs = OpenedTabs()
        self.opened_tabs.ready.connect(self.setup.note_page)
        self.updates = OwnUpdates()

    def for_window(
        self, network_ledger: Callable[[], NetworkLedger | None] = lambda: None
    ) -> WindowServices:
        """What the window is assembled from."""
        return WindowServices(
            look=self.look,
            settings=self.settings,
            brand=self.brand,
            folders=self.folders,
            registry=self.registry,
            setup=self.setup,
            approvals=self.approvals,
            recent=self.recent,
            models=self.models,
            unkept=self.unkept,
            network_ledger=network_ledger,
            updates=self.updates,
        )

    def for_tabs(self) -> TabServices:
        """What a view of an app stands on."""
        return TabServices(
            look=self.look,
            settings=self.settings,
            brand=self.brand,
            resources=self.folders.resources,
            registry=self.registry,
            approvals=self.approvals,
            models=self.models,
            topics=self.topics,
            storage_changes=self.storage_changes,
            webhook_arrivals=self.webhook_arrivals,
            run_changes=self.run_changes,
            opened_files=self.opened_files,
            sandbox=self.sandbox,
            opened_tabs=self.opened_tabs,
        )

    def _retranslate(self) -> None:
        self.registry.retranslate(self.look.texts.locale)
