"""What a view of an app stands on, made once with the program and shared by all views."""

from dataclasses import dataclass
from pathlib import Path

from lime_desktop.host.approvals.approvals import Approvals
from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.host.models.standing import ModelStanding
from lime_desktop.host.view.subscriptions import StorageChanges, TopicHub
from lime_desktop.shell.app_view.opened_tabs import OpenedTabs
from lime_desktop.shell.app_view.sandbox_consent import SandboxConsent
from lime_desktop.shell.appearance.brand import Brand
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.appearance.settings_store import SettingsStore


@dataclass(frozen=True, slots=True, kw_only=True)
class TabServices:
    """Given to an `AppTab`, and to nobody else."""

    look: Look
    settings: SettingsStore
    brand: Brand
    resources: Path
    registry: AppRegistry
    approvals: Approvals
    models: ModelStanding
    topics: TopicHub
    storage_changes: StorageChanges
    sandbox: SandboxConsent
    opened_tabs: OpenedTabs
