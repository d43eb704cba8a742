"""What the window is assembled from, made once with the program. Its parts and pages are given theirs of it."""

from collections.abc import Callable
from dataclasses import dataclass

from lime_desktop.host.approvals.approvals import Approvals
from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.host.apps.setup_facts import SetupReading
from lime_desktop.host.models.standing import ModelStanding
from lime_desktop.host.proxy.ledger import NetworkLedger
from lime_desktop.host.user_profile.recent_work import RecentWork
from lime_desktop.host.user_profile.unsaved_decisions import UnkeptDecisions
from lime_desktop.shell.appearance.brand import Brand
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.appearance.settings_store import SettingsStore
from lime_desktop.shell.widgets.resource_folders import Folders


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
    models: ModelStanding
    unkept: UnkeptDecisions
    network_ledger: Callable[[], NetworkLedger | None]
    """What apps sent and fetched; nothing before the proxy runs."""
