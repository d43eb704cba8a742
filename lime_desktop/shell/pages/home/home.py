"""The first page: where to go on, what waits, the apps at hand, apps that could be, and one search over all apps."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QMimeData, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QShowEvent
from PySide6.QtWidgets import (
    QLineEdit,
    QMenu,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from lime_desktop.host.app_center.offered import Offered, offered_by
from lime_desktop.host.app_center.records.offers import Offer
from lime_desktop.host.app_server_client.supervisor import AppServerSupervisor, Running
from lime_desktop.host.appearance.package_face import UNORDERED
from lime_desktop.host.approvals.approvals import Approvals
from lime_desktop.host.apps.registry import AppRegistry, RegisteredApp
from lime_desktop.host.models.model_status import ModelStatus
from lime_desktop.host.user_profile.recent_work import RecentWork
from lime_desktop.projection.catalog import catalog_row
from lime_desktop.protocol.errors import AppServerUnavailable
from lime_desktop.readiness.flow_chart import Status
from lime_desktop.shell.appearance.brand import Brand
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.appearance.settings_store import SettingsStore
from lime_desktop.shell.layouts.flow import flow
from lime_desktop.shell.pages.home.left_over import LeftOverApps
from lime_desktop.shell.pages.home.offers import OfferTiles, PackageChooser
from lime_desktop.shell.pages.home.shelves import CategoryChoice, HomeCards
from lime_desktop.shell.pages.home.work import HomeWork, WorkLinks
from lime_desktop.shell.pages.model_offer import ModelOffer
from lime_desktop.shell.widgets.app_cards import FIRST, AppCards
from lime_desktop.shell.widgets.menus import open_below
from lime_desktop.shell.widgets.page import Page
from lime_desktop.shell.widgets.parts import (
    banner,
    button,
    empty_state,
    icon_button,
    label,
    pill,
    row,
    section_heading,
)
from lime_desktop.shell.widgets.run_news import RunNews
from lime_desktop.shell.widgets.status import recall_pill, standing_pill
from lime_desktop.shell.widgets.tiles import Grid, Tile, skeleton
from lime_desktop.shell.widgets.work import Work

_AWAITED = 6
"""How many tiles are drawn where apps will stand."""


@dataclass(frozen=True, slots=True)
class HomeLinks:
    """Where the page leads."""

    open_app: Callable[[str], None]
    show_details: Callable[[str], None]
    install: Callable[[Path], None]
    install_offer: Callable[[Offer], None]
    uninstall: Callable[[str], None]
    fill_menu: Callable[[str, QMenu], None]
    """Puts what can be done with an app into a menu."""
    show_settings: Callable[[str], None]
    work: WorkLinks


@dataclass(frozen=True, slots=True)
class HomeServices:
    """What the page and its parts show."""

    look: Look
    settings: SettingsStore
    brand: Brand
    registry: AppRegistry
    approvals: Approvals
    recent: RecentWork
    models: ModelStatus


@dataclass(frozen=True, slots=True)
class _Named:
    """An app by what it is sorted and found by; its package may not have been read yet."""

    app_id: str
    title: str
    order: int = UNORDERED


class HomePage(Page):
    """Recent work and tiles of apps under a search line. A package dropped on it is reviewed."""

    catalog_read = Signal()
    """Every source was looked at."""

    def __init__(
        self, services: HomeServices, server: AppServerSupervisor, links: HomeLinks
    ) -> None:
        super().__init__()
        look, registry = services.look, services.registry
        self._look = look
        self._offers = OfferTiles(look, services.brand, links.install_offer)
        self._chooser = PackageChooser(self, look.texts, links.install)
        self._categories = CategoryChoice(look.texts, self._look_for)
        self._registry = registry
        self._awaits_apps = False
        self._links = links
        self._server = server
        self._left_over = LeftOverApps(look, registry, links.uninstall)
        self._shortcuts = HomeCards(look, registry, links.work.open_entry)
        self._failed_sources = 0
        self._work = Work(self, lambda _error: None)
        self._title = label("", "title")
        self._recent = HomeWork(
            look,
            registry,
            services.approvals,
            services.recent,
            links.work,
            self.once_seen(self._follow_registry),
        )
        self._model_offer = ModelOffer(
            look, services.settings, registry, services.models, links.show_settings
        )
        self._search = QLineEdit(clearButtonEnabled=True)
        [clearing] = self._search.findChildren(QToolButton)
        look.icons.put_on(clearing, "close", "text-muted", 14)
        self._search.textChanged.connect(self._look_for)
        self._install: QPushButton = button(
            "", lambda: self._chooser.open_under(self._install), "primary"
        )
        self._found = QVBoxLayout()
        self._found.setSpacing(12)
        found = QWidget()
        found.setLayout(self._found)
        self._found.setContentsMargins(0, 0, 0, 0)
        tools = row(self._search, self._install, stretch_at=0)
        self.refill(self._title, tools, found)
        self.setAcceptDrops(True)
        self._cards: AppCards | None = None
        self._shown: tuple[object, ...] = ()
        follow = self.once_seen(self._follow_registry)
        registry.watch(follow)
        self.destroyed.connect(services.approvals.queue.watch(follow))
        self.destroyed.connect(services.models.watch(follow))
        self._work.start_when_running(server, self._read_work)
        RunNews(self, server, lambda: self._work.start(self._read_work()))
        self.show_apps()

    def await_apps(self, *, is_reading: bool) -> None:
        """The installed apps are being read for the first time, or are known: until then, to say that there are none is untrue."""
        self._awaits_apps = is_reading
        self.show_apps()

    def refresh_catalog(self) -> None:
        """Look at every source of apps anew."""
        self._work.start(self._refreshed())

    def show_apps(self) -> None:
        """Show the apps that match what was typed, in the language of now."""
        texts = self._look.texts
        self._title.setText(texts("home.title"))
        self._search.setPlaceholderText(texts("home.search"))
        self._search.setAccessibleName(texts("home.search"))
        self._install.setText(texts("home.install"))
        center = self._registry.center
        self._install.setVisible(center is None or center.rules.takes_packages)
        self._shown = self._shows()
        parts = [*self._parts()]
        while (item := self._found.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for part in parts:
            self._found.addWidget(part)

    def _look_for(self) -> None:
        # Words of an app that was not read yet find it once it is.
        self._registry.hurry()
        self._cards = None
        self.show_apps()

    def _follow_registry(self) -> None:
        """Apps further down are read while the first ones are looked at: only what shows is shown anew."""
        if self._shows() != self._shown:
            self.show_apps()

    def _shows(self) -> tuple[object, ...]:
        """What the page says of apps that are here; the rest of it has its own reasons to be shown anew."""
        rows = self._matching_apps(self._search.text())
        seen = rows[: self._cards.count if self._cards else FIRST]
        apps = [self._registry.app(each.app_id) for each in seen]
        states = [
            (
                app.title(self._look.texts.locale),
                app.readiness.status,
                app.installed,
                app.recall,
                app.path,
                self._registry.is_checking(app.app_id),
            )
            for app in apps
            if app is not None
        ]
        aside = self._registry.set_aside
        offered = self._offered()
        kept = offered.kept
        updates = tuple((each.offer.app_id, each.offer.version) for each in offered.updates)
        ids = tuple(each.app_id for each in rows)
        told = (self._recent.shows(), self._model_offer.shows(), self._shortcuts.shows())
        return (ids, states, aside, kept, updates, told, self._awaits_apps)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt calls this
        """Look anew where the person left off."""
        super().showEvent(event)
        self._follow_registry()
        # At the very start there is no loop yet to read on; it is read when the server runs.
        if isinstance(self._server.state, Running):
            self._work.start(self._read_work())

    async def _read_work(self) -> None:
        with suppress(AppServerUnavailable):  # then it is read when there is one
            await self._recent.read(self._server.call)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 - Qt calls this
        """Welcome one package, and nothing else."""
        if _dropped_package(event.mimeData()) is not None:
            event.acceptProposedAction()

    def dragMoveEvent(self, event: QDropEvent) -> None:  # noqa: N802 - Qt calls this
        """Stay as welcoming while it moves."""
        event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 - Qt calls this
        """Review what was dropped."""
        package = _dropped_package(event.mimeData())
        if package is not None:
            event.acceptProposedAction()
            self._links.install(package)

    async def _refreshed(self) -> None:
        center = self._registry.center
        if center is not None:
            self._failed_sources = len(await center.catalog.refresh())
            self.show_apps()
            self.catalog_read.emit()

    def _parts(self) -> Iterable[QWidget]:
        texts, query = self._look.texts, self._search.text()
        here, offered = self._matching_apps(query), self._offered()
        aside = self._registry.set_aside
        if self._awaits_apps and not here:
            yield from self._awaited_parts()
            return
        if not query:
            yield from self._recent.parts()
        yield from self._left_over.aside_parts(aside)
        yield from self._app_parts(here)
        # Below the apps, as what follows: sources are read last, and nothing that was pressed already may move.
        yield from self._shortcuts.parts(query)
        yield from self._update_parts(offered)
        if here and not query:
            yield from self._model_offer.parts(self.show_apps)
        if not here and not (aside and not query):
            yield self._nothing(query, has_offers=bool(offered.fresh))
        elif offered.fresh:
            yield section_heading(texts("home.available"))
        if offered.fresh:
            yield Grid(*(self._offers.of_new(each, offered, query) for each in offered.fresh))
        if self._failed_sources:
            yield banner(texts("home.sources.failed", count=self._failed_sources), "warning")
        yield from self._left_over.kept_parts(() if query else offered.kept)

    def _awaited_parts(self) -> Iterable[QWidget]:
        """The places of what will be here."""
        texts = self._look.texts
        if not self._search.text():
            yield from self._recent.awaited_parts()
        yield section_heading(texts("home.installed"))
        shapes = skeleton(_AWAITED)
        shapes.setAccessibleName(texts("home.loading"))
        yield shapes

    def _update_parts(self, offered: Offered) -> Iterable[QWidget]:
        if offered.updates:
            yield section_heading(self._look.texts("home.updates"))
            yield Grid(*map(self._offers.of_update, offered.updates))

    def _app_parts(self, here: list[_Named]) -> Iterable[QWidget]:
        texts = self._look.texts
        if here:
            yield section_heading(texts("home.installed"))
            yield from self._categories.parts(self._registry.apps)
            self._cards = AppCards(
                self,
                [app.app_id for app in here],
                self._card_of,
                lambda count: texts("home.more", count=count),
                self._cards.count if self._cards and self._cards.count > FIRST else FIRST,
            )
            yield self._cards

    def _matching_apps(self, query: str) -> list[_Named]:
        registry, locale = self._registry, self._look.texts.locale
        self._categories.look(registry.apps)
        read = (
            _Named(app.app_id, app.title(locale), app.order)
            for app in registry.apps
            if catalog_row(app.projection).matches(query) and self._categories.shows(app)
        )
        unread = (
            _Named(app.app_id, app.title)
            for app in (() if self._categories.is_chosen else registry.unread)
            if query.casefold() in f"{app.title} {app.app_id}".casefold()
        )
        return sorted((*read, *unread), key=lambda app: (app.order, app.title.casefold()))

    def _offered(self) -> Offered:
        return offered_by(self._registry.center, self._search.text())

    def _nothing(self, query: str, *, has_offers: bool) -> QWidget:
        """Says that nothing was found; on an empty Home, the one thing to do."""
        texts = self._look.texts
        if query:
            found = "home.nothing.here" if has_offers else "home.nothing"
            return label(texts(found, query=query), "muted")
        if has_offers:
            return section_heading(texts("home.empty.choose"))
        sign = self._look.icons.picture("package", side=32)
        return empty_state(sign, texts("home.empty.title"), texts("home.empty.text"))

    def _card_of(self, app_id: str) -> QWidget:
        app = self._registry.app(app_id)
        return self._app_tile(app) if app is not None else QWidget()

    def _app_tile(self, app: RegisteredApp) -> Tile:
        """Opens the app; one that cannot start leads to what it needs. Its state is said where it is not as usual."""
        texts, locale = self._look.texts, self._look.texts.locale
        title = app.title(locale)
        more = icon_button(texts("home.menu", app=title), lambda: self._show_menu(app, more))
        self._look.icons.put_on(more, "more")
        may_open = app.can_start or self._registry.is_checking(app.app_id)
        can_open = may_open and bool(app.projection.entries)
        go = self._links.open_app if can_open else self._links.show_details
        return Tile(
            self._look.appearance.icon_of(app),
            title,
            app.home_text(locale),
            lambda: go(app.app_id),
            *(flow(each) for each in self._state_of(app)),
            corner=more,
        )

    def _state_of(self, app: RegisteredApp) -> Iterable[QWidget]:
        """What is not as usual, the most telling of it alone."""
        texts = self._look.texts
        if app.installed is not None and not app.installed.is_enabled:
            yield pill(texts("home.off"), "plain")
        elif app.recall is not None:
            yield recall_pill(texts, app.recall)
        elif app.readiness.status is not Status.READY:
            yield standing_pill(texts, self._registry, app)
        elif app.installed is None:
            yield pill(texts("home.in-place"), "info")

    def _show_menu(self, app: RegisteredApp, under: QWidget) -> None:
        menu = QMenu(self)
        self._links.fill_menu(app.app_id, menu)
        open_below(menu, under)


def _dropped_package(dropped: QMimeData) -> Path | None:
    """The one package that is being dropped: an archive, or a folder with an APP.md."""
    urls = dropped.urls()
    if len(urls) != 1 or not urls[0].isLocalFile():
        return None
    path = Path(urls[0].toLocalFile())
    return path if path.suffix == ".lapp" or (path / "APP.md").is_file() else None
