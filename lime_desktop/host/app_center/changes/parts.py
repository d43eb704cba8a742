"""What the ways of installing, updating and removing work with: passed as one, made by the center."""

from dataclasses import dataclass

from lime_desktop.host.app_center.changes.app_data import AppData
from lime_desktop.host.app_center.packages.package_store import PackageStore
from lime_desktop.host.app_center.records.layout import CenterLayout
from lime_desktop.host.app_center.records.ledger import Ledger
from lime_desktop.host.app_center.records.records import InstalledApp
from lime_desktop.protocol.errors import AppNotInstalled


@dataclass(frozen=True, slots=True)
class CenterParts:
    """Paths, facts, code and data."""

    layout: CenterLayout
    ledger: Ledger
    store: PackageStore
    data: AppData

    def installed(self, app_id: str) -> InstalledApp:
        """The installed app of this id.

        Raises:
            AppNotInstalled: there is none.
        """
        app = self.ledger.state.apps.get(app_id)
        if app is None:
            raise AppNotInstalled(f"{app_id} is not installed")
        return app
