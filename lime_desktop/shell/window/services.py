"""What the window and the views of apps are assembled from, made once with the program. Imports nothing of the web engine."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from lime_desktop.host.approvals.approvals import Approvals
from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.host.apps.setup_facts import SetupReading
from lime_desktop.host.models.model_status import ModelStatus
from lime_desktop.host.proxy.ledger import NetworkLedger
from lime_desktop.host.startup.engine_sandbox import SandboxGap, must_ask
from lime_desktop.host.user_profile.recent_work import RecentWork
from lime_desktop.host.user_profile.unsaved_decisions import UnsavedDecisions
from lime_desktop.host.view.opened_files import OpenedFilesQueue
from lime_desktop.host.view.subscriptions import (
    RunChanges,
    StorageChanges,
    TopicHub,
    WebhookArrivals,
)
from lime_desktop.shell.appearance.brand import Brand
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.appearance.settings_store import SettingsStore
from lime_desktop.shell.widgets.resource_folders import Folders

if TYPE_CHECKING:
    # Loaded with the page that shows it.
    from lime_desktop.shipping.service import UpdateService


class SandboxConsent:
    """Whether pages lack Chromium's own sandbox, and whether the person has agreed to do without."""

    def __init__(self, settings: SettingsStore, gap: SandboxGap | None = None) -> None:
        self._settings = settings
        self.gap: SandboxGap | None = gap
        """Why pages lack the sandbox, if they do; the first page may show that they do."""

    @property
    def must_ask(self) -> bool:
        """Whether no app may open before the person agrees to do without the sandbox."""
        return must_ask(self.gap, is_agreed=self._settings.current.opens_without_sandbox)

    def agree(self) -> None:
        """The person opens apps without it, now and later."""
        self._settings.change(opens_without_sandbox=True)


class OpenedTabs(QObject):
    """Says when a view of an app is made: to the developer's loop, to recordings and to test runs."""

    opened = Signal(object)
    """An `AppTab` was made and is about to load its page."""
    ready = Signal(str)
    """A page of this app said that it is ready."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TabServices:
    """Given to an `AppTab`, and to nobody else."""

    look: Look
    settings: SettingsStore
    brand: Brand
    resources: Path
    registry: AppRegistry
    approvals: Approvals
    models: ModelStatus
    topics: TopicHub
    storage_changes: StorageChanges
    webhook_arrivals: WebhookArrivals
    run_changes: RunChanges
    opened_files: OpenedFilesQueue
    sandbox: SandboxConsent
    opened_tabs: OpenedTabs


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowServices:
    """Given to `MainWindow`, which hands on to each part what that part uses."""

    look: Look
    settings: SettingsStore
    brand: Brand
    folders: Folders
    registry: AppRegistry
    setup: SetupReading
    approvals: Approvals
    recent: RecentWork
    models: ModelStatus
    unkept: UnsavedDecisions
    network_ledger: Callable[[], NetworkLedger | None]
    """What apps sent and fetched; nothing before the proxy runs."""
    updates: "Callable[[], UpdateService]"
    """Those of the program itself; refused where it is none that updates itself."""
