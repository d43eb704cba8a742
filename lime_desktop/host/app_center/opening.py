"""How a center comes to be: opened by the one process that changes it, or looked at while another one holds it."""

import asyncio
import shutil
from contextlib import ExitStack, suppress
from pathlib import Path

from lime_desktop.database.lock import FolderLock
from lime_desktop.durable_files.writing import sweep_leftovers
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.changes.app_data import AppData
from lime_desktop.host.app_center.changes.parts import CenterParts
from lime_desktop.host.app_center.governance.product_rules import UNBOUND, ProductRules
from lime_desktop.host.app_center.packages.package_store import PackageStore
from lime_desktop.host.app_center.packages.trusting import TrustCheck, VerifyPackage
from lime_desktop.host.app_center.records.layout import CenterLayout
from lime_desktop.host.app_center.records.ledger import look_at_ledger, open_ledger
from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.protocol.errors import DatabaseBusy


async def open_center(
    data: Path,
    call: CallServer,
    verify: VerifyPackage | None = None,
    built_in: tuple[Path, ...] = (),
    rules: ProductRules = UNBOUND,
) -> AppCenter:
    """Open the app center of a data folder, and clear away what an earlier end left half done.

    `built_in` are folders whose packages are always on offer; `rules` came with the product that this is.

    Raises:
        DatabaseBusy: another process holds it.
    """
    layout = CenterLayout(data)
    with ExitStack() as undo:
        # Whatever keeps it from being opened: who comes next must not find the folder held by nobody.
        lock = FolderLock(layout.host)
        undo.callback(lock.release)
        ledger = await open_ledger(layout.database)
        undo.callback(ledger.close)
        parts = CenterParts(layout, ledger, PackageStore(layout.packages), AppData(layout, call))
        await asyncio.to_thread(_clear_away, parts)
        center = AppCenter(parts, lock, verify or TrustCheck(), built_in, rules)
        await center.workspaces.reread()
        undo.pop_all()
    return center


async def look_at_center(
    data: Path,
    call: CallServer,
    held: DatabaseBusy,
    built_in: tuple[Path, ...] = (),
    rules: ProductRules = UNBOUND,
) -> AppCenter:
    """Look at the app center of a folder that another process holds: nothing is cleared away, and nothing can be changed.

    Raises:
        AppError: what it holds cannot be read.
    """
    layout = CenterLayout(data)
    if not layout.database.exists():
        raise held  # its owner has not made it yet
    ledger = await look_at_ledger(layout.database, held)
    parts = CenterParts(layout, ledger, PackageStore(layout.packages), AppData(layout, call))
    center = AppCenter(parts, None, TrustCheck(), built_in, rules)
    # A file that is new in the workspace is the owner's to take note of.
    with suppress(DatabaseBusy):
        await center.workspaces.reread()
    return center


def _clear_away(parts: CenterParts) -> None:
    shutil.rmtree(parts.layout.staging, ignore_errors=True)
    sweep_leftovers(parts.layout.data, ("*.partial", "host/*.partial", "views/*.partial"))
    parts.store.keep_only(parts.ledger.state.package_hashes)
    parts.data.keep_view_copies(parts.ledger.state.point_ids)
    parts.data.remove_empty_views({*parts.ledger.state.apps, *parts.ledger.state.kept_data})
