"""The app center as others hold it: installed apps, what each may do, and every way to change that.

Reads answer from memory. Changes run one after the other; each is decided by one transaction in host.db. What nothing
refers to, such as a copy whose install was killed, is swept away when the center is opened; what was decided and not
finished is finished by `settle`, as soon as there is an App Server.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from lime_desktop.app_package.package import AppPackage
from lime_desktop.background.tasks import close_all
from lime_desktop.database.lock import FolderLock
from lime_desktop.host.app_center.catalog.catalog import Catalog
from lime_desktop.host.app_center.catalog.recalls import Recalls
from lime_desktop.host.app_center.changes.due_hooks import due_at_enabling, hook_error
from lime_desktop.host.app_center.changes.hook_results import run_due, take_back
from lime_desktop.host.app_center.changes.installing import install
from lime_desktop.host.app_center.changes.parts import CenterParts
from lime_desktop.host.app_center.changes.rolling_back import (
    earlier_point,
    points_to_choose,
    roll_back,
)
from lime_desktop.host.app_center.changes.turns import Turns
from lime_desktop.host.app_center.changes.uninstalling import (
    preview_uninstall,
    switch_off,
    uninstall,
)
from lime_desktop.host.app_center.changes.update_policies import UpdatePolicies
from lime_desktop.host.app_center.changes.updates import Updates
from lime_desktop.host.app_center.changes.updating import update
from lime_desktop.host.app_center.eval_outcomes import EvalOutcomes
from lime_desktop.host.app_center.governance.membership import Membership
from lime_desktop.host.app_center.governance.overlays import AppOverlays
from lime_desktop.host.app_center.governance.product_rules import UNBOUND, ProductRules
from lime_desktop.host.app_center.governance.workspaces import Workspaces
from lime_desktop.host.app_center.package_reviews import PackageReviews
from lime_desktop.host.app_center.packages.progress import InstallProgress
from lime_desktop.host.app_center.packages.trusting import VerifyPackage
from lime_desktop.host.app_center.permissions import PermissionStore
from lime_desktop.host.app_center.records.done_calls import DoneCalls
from lime_desktop.host.app_center.records.offers import Offer
from lime_desktop.host.app_center.records.records import (
    InstalledApp,
    KeptData,
    RollbackPoint,
)
from lime_desktop.host.app_center.records.removal import (
    Receipt,
    RemovalItem,
    UninstallKind,
    UninstallPreview,
)
from lime_desktop.host.app_center.records.rows import (
    delete_history,
    put_app,
    read_records,
)
from lime_desktop.host.app_center.records.unfinished import (
    Unfinished,
)
from lime_desktop.host.app_center.review.install_review import (
    Consent,
    InstallReview,
)
from lime_desktop.protocol.errors import (
    Conflict,
    DatabaseBusy,
    InvalidInput,
)


class AppCenter:
    """Made by `open_center` (in `opening`), and holds the host folder until it is closed; or by `look_at_center`, and changes nothing."""

    def __init__(
        self,
        parts: CenterParts,
        lock: FolderLock | None,
        verify: VerifyPackage,
        built_in: tuple[Path, ...] = (),
        rules: ProductRules = UNBOUND,
    ) -> None:
        self.layout = parts.layout
        self.rules = rules
        """What holds here because it came with the product."""
        self.membership = Membership(parts.ledger, rules.organisation)
        self.catalog = Catalog(
            parts.ledger,
            parts.layout.staging,
            built_in,
            self._catalogs_of_organisation,
            rules.packages,
        )
        self.workspaces = Workspaces(parts.ledger)
        self.done_calls = DoneCalls(parts.ledger)
        self.permissions = PermissionStore(parts, self.package)
        self.overlays = AppOverlays(parts.ledger, self.membership, self.workspaces)
        self.eval_outcomes = EvalOutcomes(parts.ledger)
        self.updates = Updates(self.catalog, self.review_offer, self.discard)
        self.recalls = Recalls(
            parts.ledger, lambda: self.catalog.in_order, self.updates.newest_version
        )
        self.update_policies = UpdatePolicies(parts.ledger, self.membership)
        self.hooks = parts.hooks
        """Runs what apps want run as they come, change and go."""
        self._parts = parts
        self._ledger = parts.ledger
        self._lock = lock
        self._verify = verify
        self._turns = Turns(parts)
        self._reviews = PackageReviews(
            parts=parts,
            rules=rules,
            verify=verify,
            membership=self.membership,
            catalog=self.catalog,
            permissions=self.permissions,
            overlays=self.overlays,
            updates=self.updates,
            recalls=self.recalls,
        )

    # What is there.

    def installed(self) -> tuple[InstalledApp, ...]:
        """Every installed app, in the order of installing."""
        return tuple(self._ledger.state.apps.values())

    def installed_app(self, app_id: str) -> InstalledApp | None:
        """The installed app of this id."""
        return self._ledger.state.apps.get(app_id)

    def is_settled(self, app_id: str) -> bool:
        """Whether nothing that was decided about the app is still to be done; until then it must not run."""
        return all(work.app_id != app_id for work in self._ledger.state.unfinished)

    def unfinished(self) -> tuple[Unfinished, ...]:
        """What was decided and is not done: `settle` does it."""
        return self._ledger.state.unfinished

    def kept_data(self) -> tuple[KeptData, ...]:
        """Data that outlived their apps."""
        return tuple(self._ledger.state.kept_data.values())

    def rollback_points(self, app_id: str) -> tuple[RollbackPoint, ...]:
        """How an app was before and can be again, the oldest first."""
        return points_to_choose(self._ledger.state, app_id)

    def earlier_point(self, app_id: str) -> RollbackPoint | None:
        """Where going back leads if nobody says where to.

        Raises:
            AppNotInstalled: there is no such app.
        """
        return earlier_point(self.rollback_points(self._parts.installed(app_id).app_id))

    def package_path(self, app_id: str) -> Path:
        """Where an installed app's package lies."""
        app = self._parts.installed(app_id)
        return self._parts.store.path_of(app.package_hash, app.app_id)

    async def package(self, app_id: str) -> AppPackage:
        """Read an installed app's package, checked against its hash.

        Raises:
            AppNotInstalled: there is no such app.
            PackageInvalid: its files are gone or were changed.
        """
        return await self._parts.package(app_id)

    def load_package(self, app_id: str) -> AppPackage:
        """Read an installed app's package here and now, checked likewise. Blocks."""
        return self._parts.load_package(self._parts.installed(app_id))

    async def receipts(self) -> tuple[Receipt, ...]:
        """What was removed from this machine, the oldest first."""
        return await self._ledger.read(lambda each: tuple(read_records(each, "receipt", Receipt)))

    def watch(self, watcher: Callable[[], None]) -> Callable[[], None]:
        """Hear of every change; the returned function ends it."""
        return self._ledger.watch(watcher)

    # Coming, changing and going.

    async def review(
        self, source: Path, progress: InstallProgress | None = None, offer: Offer | None = None
    ) -> InstallReview:
        """Copy a package and say everything about it. The copy stays until it is installed or discarded.

        `offer` is what it was fetched for, if it was not chosen by itself.

        Raises:
            PackageInvalid: it cannot be read at all.
            Cancelled: it was stopped; nothing is left.
        """
        return await self._reviews.of_package(source, progress or InstallProgress(), offer)

    async def review_offer(
        self, offer: Offer, progress: InstallProgress | None = None
    ) -> InstallReview:
        """Fetch what a catalog offers, and review it; it must be what was promised.

        Raises:
            SourceUnverified: it is another app or other bytes than the list says.
            AppError: it cannot be fetched or read.
        """
        return await self._reviews.of_offer(offer, progress or InstallProgress())

    async def discard(self, review: InstallReview) -> None:
        """Let go of a review's copy."""
        await asyncio.to_thread(review.staged.discard)

    async def install(
        self,
        review: InstallReview,
        consent: Consent,
        progress: InstallProgress | None = None,
        *,
        is_attended: bool = True,
    ) -> InstalledApp:
        """Install exactly what was reviewed, or update to it; the review is used up by it.

        What the app wants run at that is run; where it fails, a new app is left off with the reason (`failed_hook`).
        `is_attended` says whether anybody is there to be asked about it.

        Raises:
            LifecycleHookFailed: what an update wants run failed; the version before is back.
            AppError: it may not be, or the consent does not reach; nothing was changed.
        """
        carry_out = update if review.is_update else install
        try:
            async with self._turns.changing(review.app_id, copies_data=review.is_update):
                if self.installed_app(review.app_id) != review.installed:
                    raise Conflict("The installed app changed since the review. Review it again")
                progress = progress or InstallProgress()
                app = await carry_out(self._parts, review, consent, progress)
                is_wanted_on = review.installed is None or review.installed.is_enabled
                if not app.due_hooks or not is_wanted_on:
                    return app
                app = await run_due(self._parts, app, app.due_hooks, is_attended=is_attended)
                if review.installed is not None and app.failed_hook is not None:
                    await take_back(self._parts, review.installed, app.failed_hook)
                return app
        finally:
            await self.discard(review)

    async def roll_back(
        self, app_id: str, point_id: str | None = None, progress: InstallProgress | None = None
    ) -> InstalledApp:
        """Bring code, data and grants back to a point that is named, or to the newest earlier one.

        Raises:
            InstallRefused: there is no such point.
        """
        async with self._turns.changing(app_id, copies_data=True):
            return await roll_back(self._parts, app_id, point_id, progress or InstallProgress())

    async def preview_uninstall(self, app_id: str, kind: UninstallKind) -> UninstallPreview:
        """Say what would go and what would stay."""
        return await preview_uninstall(self._parts, app_id, kind)

    async def uninstall(
        self,
        app_id: str,
        kind: UninstallKind,
        export_to: Path | None = None,
        progress: InstallProgress | None = None,
    ) -> Receipt:
        """Remove an app, or data that outlived it, and say what went.

        Raises:
            AppNotInstalled: there is neither.
        """
        async with self._turns.changing(app_id, copies_data=True):
            return await uninstall(
                self._parts, app_id, kind, export_to, progress or InstallProgress()
            )

    async def data_of(self, app_id: str) -> tuple[RemovalItem, ...]:
        """What an app keeps on this machine, part by part: with the App Server, and in its web profile."""
        return await self._parts.data.describe(app_id)

    async def clear_data(self, app_id: str) -> None:
        """Remove everything that an app keeps, copies of it too, and leave the app. Its views must be closed.

        Raises:
            AppServerUnavailable: nobody is there to remove it; said again later, it is done.
        """
        async with self._turns.changing(app_id, copies_data=True):
            # First the ways back: none may lead to data that are gone.
            await self._ledger.change(lambda connection: delete_history(connection, app_id))
            await self._parts.data.remove(app_id)
            await asyncio.to_thread(self._parts.data.remove_view, app_id)

    async def choose_source(self, app_id: str, source: str) -> None:
        """Let an app's updates come from another source from now on; a person's act, and nothing is installed by it.

        Raises:
            AppNotInstalled: there is no such app.
            InvalidInput: this is no source that offers it.
        """
        async with self._turns.alone:
            app = self._parts.installed(app_id)
            if source not in self.catalog.offering(app_id):
                raise InvalidInput(f"This catalog does not offer {app_id}")
            # What was fetched from the source before is no update any more.
            await self.updates.let_go(app_id)
            app = app.model_copy(update={"offered_by": source})
            await self._ledger.change(lambda connection: put_app(connection, app))
            await self.catalog.learn_revocations()

    async def ask_publishers(self) -> None:
        """Ask again whether installed versions were revoked, where their signatures name an address for that."""
        await self.recalls.ask_publishers(self.load_package, self._verify)

    async def enable(self, app_id: str) -> None:
        """Let an app run again, once what is due of it has run.

        Raises:
            LifecycleHookFailed: that failed; the app stays off.
        """
        async with self._turns.alone:
            app = self._parts.installed(app_id)
            if app.is_enabled:
                return
            due = due_at_enabling(app, (await self.package(app_id)).manifest)
            app = await run_due(self._parts, app, due, is_attended=True)
        if app.failed_hook is not None:
            raise hook_error(app.failed_hook)

    async def disable(self, app_id: str) -> None:
        """Keep an app from running; its data and permissions stay. What it wants run at that cannot keep it on."""
        async with self._turns.alone:
            await switch_off(self._parts, app_id)

    # Its own life.

    async def settle(self, progress: InstallProgress | None = None) -> None:
        """Finish what was decided before an earlier end, and clear away copies that nothing refers to.

        Raises:
            AppServerUnavailable: there is nobody to ask yet; try again when there is.
        """
        await self._turns.settle(progress or InstallProgress())

    async def look_again(self) -> None:
        """Take note of what the process that holds the folder has changed: for a center that only looks on."""
        await self._ledger.reread()
        # A file that is new in the workspace is the owner's to take note of.
        with suppress(DatabaseBusy):
            await Workspaces.reread(self.workspaces)

    async def close(self) -> None:
        """Finish the change under way, close host.db and let go of the folder."""
        async with self._turns.alone:
            release = () if self._lock is None else (self._lock.release,)
            await close_all(partial(asyncio.to_thread, self._ledger.close), *release)

    def _catalogs_of_organisation(self) -> tuple[str, ...]:
        organisation = self.membership.organisation
        return () if organisation is None else organisation.catalogs
