"""The app center as others hold it: installed apps, what each may do, and every way to change that.

Reads answer from memory. Changes run one after the other; each is decided by one transaction in host.db, and what
nothing refers to, such as a copy whose install was killed, is swept away when the center is opened.
"""

import asyncio
import shutil
import time
from collections.abc import Callable
from pathlib import Path

from lime_desktop.app_package.package import AppPackage, load_package
from lime_desktop.app_package.trust.verdict import Verification
from lime_desktop.database.lock import FolderLock
from lime_desktop.host.app_center.installing import install
from lime_desktop.host.app_center.layout import CenterLayout
from lime_desktop.host.app_center.ledger import Ledger, open_ledger
from lime_desktop.host.app_center.package_store import PackageStore
from lime_desktop.host.app_center.progress import Errand, Step
from lime_desktop.host.app_center.records import InstalledApp, StoredGrant
from lime_desktop.host.app_center.review.making import (
    Consent,
    InstallReview,
    Surrounding,
    make_review,
)
from lime_desktop.host.app_center.rows import delete_grant, put_app, put_grant
from lime_desktop.host.app_center.staging import StagedPackage, stage
from lime_desktop.host.app_center.trusting import TrustCheck
from lime_desktop.protocol.errors import AppNotInstalled, InvalidInput

VerifyPackage = Callable[[AppPackage], Verification]


class AppCenter:
    """Made by `open_center`; holds the host folder until it is closed."""

    def __init__(
        self, layout: CenterLayout, ledger: Ledger, lock: FolderLock, verify: VerifyPackage
    ) -> None:
        self.layout = layout
        self._ledger = ledger
        self._lock = lock
        self._verify = verify
        self._store = PackageStore(layout.packages)
        self._turn = asyncio.Lock()

    # What is there.

    def installed(self) -> tuple[InstalledApp, ...]:
        """Every installed app, in the order of installing."""
        return tuple(self._ledger.state.apps.values())

    def installed_app(self, app_id: str) -> InstalledApp | None:
        """The installed app of this id."""
        return self._ledger.state.apps.get(app_id)

    def package_path(self, app_id: str) -> Path:
        """Where an installed app's package lies."""
        app = self._installed(app_id)
        return self._store.path_of(app.package_hash, app.app_id)

    async def package(self, app_id: str) -> AppPackage:
        """Read an installed app's package, checked against its hash.

        Raises:
            AppNotInstalled: there is no such app.
            PackageInvalid: its files are gone or were changed.
        """
        app = self._installed(app_id)
        return await asyncio.to_thread(self._load, app)

    def grants(self, app_id: str) -> tuple[StoredGrant, ...]:
        """What a person allowed an app."""
        return self._ledger.state.grants.get(app_id, ())

    def watch(self, watcher: Callable[[], None]) -> Callable[[], None]:
        """Hear of every change; the returned function ends it."""
        return self._ledger.watch(watcher)

    # Coming.

    async def review(self, source: Path, errand: Errand | None = None) -> InstallReview:
        """Copy a package and say everything about it. The copy stays until it is installed or discarded.

        Raises:
            PackageInvalid: it cannot be read at all.
            Cancelled: it was stopped; nothing is left.
        """
        errand = errand or Errand()
        staged = await asyncio.to_thread(stage, source, self.layout.staging, errand)
        try:
            review = await self._reviewed(staged)
            errand.at(Step.REVIEWED)
        except BaseException:
            await asyncio.to_thread(staged.discard)
            raise
        return review

    async def discard(self, review: InstallReview) -> None:
        """Let go of a review's copy."""
        await asyncio.to_thread(review.staged.discard)

    async def install(
        self, review: InstallReview, consent: Consent, errand: Errand | None = None
    ) -> InstalledApp:
        """Install exactly what was reviewed; the review is used up by it.

        Raises:
            AppError: it may not be installed, or the consent does not reach; nothing was changed.
        """
        async with self._turn:
            try:
                return await install(
                    self._ledger, self._store, review, consent, _now_ms(), errand or Errand()
                )
            finally:
                await asyncio.to_thread(review.staged.discard)
                await self._sweep_packages()

    # What it may do.

    async def grant(self, app_id: str, permission: str, expires_at_ms: int | None = None) -> None:
        """Give an app one of the permissions it declares.

        Raises:
            InvalidInput: the app declares no such permission.
        """
        package = await self.package(app_id)
        if permission not in {each.key for each in package.manifest.permissions}:
            raise InvalidInput.at_fields([("permission", "not_declared")])
        grant = StoredGrant(
            app_id=self._installed(app_id).app_id,
            permission=permission,
            granted_at_ms=_now_ms(),
            expires_at_ms=expires_at_ms,
        )
        await self._ledger.change(lambda connection: put_grant(connection, grant))

    async def revoke(self, app_id: str, permission: str) -> None:
        """Take a permission back; taking back what was not given changes nothing."""
        self._installed(app_id)
        await self._ledger.change(lambda connection: delete_grant(connection, app_id, permission))

    async def enable(self, app_id: str) -> None:
        """Let an app run again."""
        await self._set_enabled(app_id, is_enabled=True)

    async def disable(self, app_id: str) -> None:
        """Keep an app from running; its data and permissions stay."""
        await self._set_enabled(app_id, is_enabled=False)

    async def close(self) -> None:
        """Finish the change under way, close host.db and let go of the folder."""
        async with self._turn:
            await asyncio.to_thread(self._ledger.close)
            self._lock.release()

    async def _set_enabled(self, app_id: str, *, is_enabled: bool) -> None:
        async with self._turn:
            app = self._installed(app_id).model_copy(update={"is_enabled": is_enabled})
            await self._ledger.change(lambda connection: put_app(connection, app))

    async def _reviewed(self, staged: StagedPackage) -> InstallReview:
        app_id = staged.package.manifest.name
        verification = await asyncio.to_thread(self._verify, staged.package)
        installed = self.installed_app(app_id)
        around = Surrounding(
            installed=installed,
            installed_package=await self.package(app_id) if installed else None,
            granted=frozenset(grant.permission for grant in self.grants(app_id)),
            has_kept_data=app_id in self._ledger.state.kept_data,
        )
        return await asyncio.to_thread(make_review, staged, verification, around)

    def _installed(self, app_id: str) -> InstalledApp:
        app = self.installed_app(app_id)
        if app is None:
            raise AppNotInstalled(f"No app {app_id} is installed")
        return app

    def _load(self, app: InstalledApp) -> AppPackage:
        return load_package(self._store.open(app.package_hash, app.app_id))

    async def _sweep_packages(self) -> None:
        await asyncio.to_thread(self._store.keep_only, self._ledger.state.package_hashes)


async def open_center(data: Path, verify: VerifyPackage | None = None) -> AppCenter:
    """Open the app center of a data folder, and clear away what an earlier end left half done.

    Raises:
        DatabaseBusy: another process holds it.
    """
    layout = CenterLayout(data)
    lock = FolderLock(layout.host)
    try:
        ledger = await open_ledger(layout.database)
    except BaseException:
        lock.release()
        raise
    await asyncio.to_thread(_sweep, layout, ledger)
    return AppCenter(layout, ledger, lock, verify or TrustCheck())


def _sweep(layout: CenterLayout, ledger: Ledger) -> None:
    shutil.rmtree(layout.staging, ignore_errors=True)
    PackageStore(layout.packages).keep_only(ledger.state.package_hashes)


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
