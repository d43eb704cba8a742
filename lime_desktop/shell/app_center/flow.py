"""Leads a person from a package to an installed app, and from an app to its receipt. One thing at a time."""

from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from lime_desktop.host.app_center.catalog.search import newest
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.packages.progress import InstallProgress
from lime_desktop.host.app_center.records.offers import Offer
from lime_desktop.host.app_center.records.removal import UninstallKind, suggested_way
from lime_desktop.host.app_center.review.install_review import Consent, InstallReview
from lime_desktop.host.appearance.package_face import title_of
from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.protocol.errors import AppError, AppNotInstalled, PackageInvalid
from lime_desktop.shell.app_center.in_place import PackagesInPlace
from lime_desktop.shell.app_center.review_page import ReviewPage
from lime_desktop.shell.app_center.uninstall_page import ReceiptPage, UninstallPage, name_of_removed
from lime_desktop.shell.app_center.waiting_page import FailedPage, WaitingPage
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.widgets.focus import focus_first, has_keyboard
from lime_desktop.shell.widgets.work import Work

MakeReview = Callable[[AppCenter, InstallProgress], Awaitable[InstallReview]]


class CenterFlow(QStackedWidget):
    """Shows the page of the moment. Whoever holds it shows it when something begins."""

    begun = Signal()
    finished = Signal(str)
    """An app is installed, updated or brought back: its id."""
    left = Signal()
    """There is nothing more to show here."""
    put_aside = Signal(str, object)
    """Somebody had chosen something in a review and left it: what became of it, and what brings the review back as it was."""

    def __init__(
        self,
        look: Look,
        registry: AppRegistry,
        in_place: PackagesInPlace,
        close_app: Callable[[str], None],
    ) -> None:
        """`close_app` shuts every view of an app: nothing may run on data that are being copied or removed."""
        super().__init__()
        self._look = look
        self._registry = registry
        self._in_place = in_place
        self._close_app = close_app
        self._work = Work(self, self._fail)
        self._review: InstallReview | None = None
        self._leave: Callable[[], object] | None = None

    def leave(self) -> bool:
        """Go back, as the page's own button does; says whether there is a way back now."""
        if self._leave is None:
            return False
        self._leave()
        return True

    def install(self, source: Path) -> None:
        """Review a package from disk."""
        self._begin(self._reviewed(lambda center, progress: center.review(source, progress)))

    def install_offer(self, offer: Offer) -> None:
        """Review an app from the catalog."""
        self._begin(self._reviewed(lambda center, progress: center.review_offer(offer, progress)))

    def decide(self, review: InstallReview) -> None:
        """Put a release to the person that was fetched before."""

        async def ready(_center: AppCenter, _progress: InstallProgress) -> InstallReview:
            return review

        # What it brought is thrown away with the review: that it was left cannot be undone.
        self._begin(self._reviewed(ready, can_repeat=False))

    def install_named(self, app_id: str) -> None:
        """Review an app that a source offers, as far as it is not here in its newest version already."""
        self._begin(self._found(app_id))

    def uninstall(self, app_id: str) -> None:
        """Ask how much of an app is to go."""
        self._begin(self._previewed(app_id))

    def roll_back(self, app_id: str, point_id: str) -> None:
        """Bring an app back to an earlier version."""
        self._begin(self._rolled_back(app_id, point_id))

    async def _reviewed(
        self, make: MakeReview, chosen: Consent | None = None, *, can_repeat: bool = True
    ) -> None:
        center = self._registry.require_center()
        await self._let_review_go()
        review = self._review = await make(center, self._wait("review.reading"))

        def decline() -> None:
            again = partial(self._review_again, make, page.choices)
            is_lost = can_repeat and page.has_choices
            self._work.start(self._declined(review, again if is_lost else None))

        page = ReviewPage(
            self._look,
            review,
            lambda consent: self._work.start(self._installed(review, consent)),
            decline,
            lambda source: self._begin(self._found(review.app_id, source)),
            lambda: self.install(review.signed_twin or Path(review.source)),
        )
        if chosen is not None:
            page.choose(chosen)
        self.show_page(page, decline)

    def _review_again(self, make: MakeReview, chosen: Consent) -> None:
        self._begin(self._reviewed(make, chosen))

    async def _found(self, app_id: str, source: str | None = None) -> None:
        center = self._registry.require_center()
        self._wait("review.looking")
        await center.catalog.refresh()
        catalog = center.catalog
        fresh = catalog.new_offers if source is None else newest(catalog.offers_of(source))
        offer = next((each for each in fresh if each.app_id == app_id), None)
        if offer is not None:
            await self._reviewed(lambda held, progress: held.review_offer(offer, progress))
        elif self._registry.app(app_id) is not None:
            self.finished.emit(app_id)
        else:
            raise AppNotInstalled(self._look.texts("link.unknown", app=app_id))

    async def _installed(self, review: InstallReview, consent: Consent) -> None:
        self._review = None
        self._close_app(review.app_id)
        progress = self._wait("review.installing")
        app = await self._registry.require_center().install(review, consent, progress)
        self._in_place.close(app.app_id)
        self.finished.emit(app.app_id)

    async def _declined(self, review: InstallReview, again: Callable[[], None] | None) -> None:
        await self._let_review_go()
        self.left.emit()
        if again is not None:
            key = "review.put-aside.update" if review.is_update else "review.put-aside"
            title = title_of(review.package.manifest, self._look.texts.locale)
            self.put_aside.emit(self._look.texts(key, app=title), again)

    async def _rolled_back(self, app_id: str, point_id: str) -> None:
        self._close_app(app_id)
        app = await self._registry.require_center().roll_back(
            app_id, point_id, self._wait("rollback.doing")
        )
        self.finished.emit(app.app_id)

    async def _previewed(self, app_id: str) -> None:
        center = self._registry.require_center()
        preview = await center.preview_uninstall(app_id, await _first_way(center, app_id))

        def choose(way: UninstallKind) -> None:
            self._work.start(show_again(way))

        async def show_again(way: UninstallKind) -> None:
            page.show_preview(await center.preview_uninstall(app_id, way))

        def confirm(way: UninstallKind, export_to: Path | None) -> None:
            self._work.start(self._removed(app_id, way, export_to))

        page = UninstallPage(
            self._look.texts, self._registry, preview, choose, confirm, self.left.emit
        )
        self.show_page(page, self.left.emit)

    async def _removed(self, app_id: str, kind: UninstallKind, export_to: Path | None) -> None:
        self._close_app(app_id)
        title = name_of_removed(self._registry, app_id, self._look.texts.locale)
        progress = self._wait("uninstall.removing")
        receipt = await self._registry.require_center().uninstall(app_id, kind, export_to, progress)
        page = ReceiptPage(self._look.texts, receipt, title or receipt.title, self.left.emit)
        self.show_page(page, self.left.emit)

    async def _let_review_go(self) -> None:
        review, self._review = self._review, None
        if review is not None:
            await self._registry.require_center().discard(review)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        self._work.start(work)
        self.begun.emit()

    def _wait(self, key: str) -> InstallProgress:
        page = WaitingPage(self._look.texts, self._look.texts(key))
        self.show_page(page, page.stop)
        return page.progress

    def _fail(self, error: AppError) -> None:
        self.show_page(FailedPage(self._look.texts, error, self.left.emit), self.left.emit)

    def show_page(self, page: QWidget, leave: Callable[[], object] | None = None) -> None:
        """Show a page in the place of the one before; `leave` is how to go back from it."""
        before, held = self.currentWidget(), has_keyboard(self)
        self._leave = leave
        self.addWidget(page)
        self.setCurrentWidget(page)
        if held:
            focus_first(page)
        if before is not None:
            self.removeWidget(before)
            before.deleteLater()


async def _first_way(center: AppCenter, app_id: str) -> UninstallKind:
    """The way that is chosen until the person chooses."""
    if center.installed_app(app_id) is None:
        return UninstallKind.DELETE_DATA
    # Not the registry's: it may not have read an app that was installed this moment, or show a folder in its place.
    try:
        package = await center.package(app_id)
    except PackageInvalid:
        return UninstallKind.KEEP_DATA
    return suggested_way(package.manifest)
