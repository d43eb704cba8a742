"""What the ways of installing, updating and removing work with: passed as one, made by the center."""

import asyncio
from dataclasses import dataclass, field

from lime_desktop.app_package.package import AppPackage, load_package
from lime_desktop.host.app_center.changes.app_data import AppData
from lime_desktop.host.app_center.changes.due_hooks import HookRuns
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
    hooks: HookRuns = field(default_factory=HookRuns)

    def installed(self, app_id: str) -> InstalledApp:
        """The installed app of this id.

        Raises:
            AppNotInstalled: there is none.
        """
        app = self.ledger.state.apps.get(app_id)
        if app is None:
            raise AppNotInstalled(f"{app_id} is not installed")
        return app

    async def package(self, app_id: str) -> AppPackage:
        """Read an installed app's package, checked against its hash.

        Raises:
            AppNotInstalled: there is no such app.
            PackageInvalid: its files are gone or were changed.
        """
        return await asyncio.to_thread(self.load_package, self.installed(app_id))

    def load_package(self, app: InstalledApp) -> AppPackage:
        """Read a package here and now, checked likewise. Blocks."""
        return load_package(self.store.open(app.package_hash, app.app_id))
