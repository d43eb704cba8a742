"""The first page: installed apps, apps that could be, one search over both, and the ways to install."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QFrame,
    QLineEdit,
    QMenu,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from lime_desktop.host.app_center.catalog.offers import Offer
from lime_desktop.host.app_center.catalog.search import Found
from lime_desktop.host.app_center.fetching import place_name
from lime_desktop.host.app_center.records import KeptData
from lime_desktop.host.set_aside import SetAsideApp
from lime_desktop.host.shelf import ShelfApp
from lime_desktop.projection.catalog import catalog_row
from lime_desktop.protocol.plain_text import plain_name
from lime_desktop.shell.flow import flow
from lime_desktop.shell.pages.app_cards import FIRST, AppCards
from lime_desktop.shell.pages.page import Page
from lime_desktop.shell.pages.status import status_pill
from lime_desktop.shell.parts import (
    banner,
    button,
    card,
    column,
    icon_label,
    label,
    pill,
    row,
    set_tip,
)
from lime_desktop.shell.surroundings import Surroundings
from lime_desktop.shell.work import Work


@dataclass(frozen=True, slots=True)
class HomeLinks:
    """Where the page leads."""

    open_app: Callable[[str], None]
    show_details: Callable[[str], None]
    install: Callable[[Path], None]
    install_offer: Callable[[Offer], None]
    uninstall: Callable[[str], None]


@dataclass(frozen=True, slots=True)
class _Named:
    """An app by what it is sorted and found by; its package may not have been read yet."""

    app_id: str
    title: str


class HomePage(Page):
    """Cards of apps under a search line. A package dropped on it is reviewed."""

    catalog_read = Signal()
    """Every source was looked at."""

    def __init__(self, around: Surroundings, links: HomeLinks) -> None:
        super().__init__()
        self._around = around
        self._links = links
        self._failed_sources = 0
        self._work = Work(self, lambda _error: None)
        self._title, self._subtitle = label("", "title"), label("", "muted")
        self._search = QLineEdit(clearButtonEnabled=True)
        self._search.textChanged.connect(self._look_for)
        self._install: QPushButton = button("", self._choose_kind, "primary")
        self._found = QVBoxLayout()
        self._found.setSpacing(12)
        found = QWidget()
        found.setLayout(self._found)
        self._found.setContentsMargins(0, 0, 0, 0)
        tools = row(self._search, self._install, stretch_at=0)
        self.refill(self._title, self._subtitle, tools, found)
        self.setAcceptDrops(True)
        self._cards: AppCards | None = None
        self._shown: tuple[object, ...] = ()
        around.shelf.watch(self.once_seen(self._follow_shelf))
        self.show_apps()

    def refresh_catalog(self) -> None:
        """Look at every source of apps anew."""
        self._work.start(self._refreshed())

    def show_apps(self) -> None:
        """Show the apps that match what was typed, in the language of now."""
        texts = self._around.texts
        self._title.setText(texts("home.title"))
        self._subtitle.setText(f"{texts('home.subtitle')} {texts('home.drop')}")
        self._search.setPlaceholderText(texts("home.search"))
        self._search.setAccessibleName(texts("home.search"))
        self._install.setText(texts("home.install"))
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
        self._around.shelf.hurry()
        self._cards = None
        self.show_apps()

    def _follow_shelf(self) -> None:
        """Apps further down are read while the first ones are looked at: only what shows is shown anew."""
        if self._shows() != self._shown:
            self.show_apps()

    def _shows(self) -> tuple[object, ...]:
        """What the page says of apps that are here; the rest of it has its own reasons to be shown anew."""
        rows, center = self._matching_apps(self._search.text()), self._around.center
        seen = rows[: self._cards.count if self._cards else FIRST]
        apps = [self._around.shelf.app(each.app_id) for each in seen]
        states = [
            (app.title(self._around.texts.locale), app.readiness.status, app.installed, app.path)
            for app in apps
            if app is not None
        ]
        aside = self._around.shelf.set_aside
        return (tuple(each.app_id for each in rows), states, aside, center and center.kept_data())

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
        center = self._around.center
        if center is not None:
            self._failed_sources = len(await center.catalog.refresh())
            self.show_apps()
            self.catalog_read.emit()

    def _parts(self) -> Iterable[QWidget]:
        texts, query = self._around.texts, self._search.text()
        here = self._matching_apps(query)
        offered = self._matching_offers(query)
        if self._failed_sources:
            yield banner(texts("home.sources.failed", count=self._failed_sources), "warning")
        updates = [each for each in offered if self._is_here(each.offer)]
        fresh = [each for each in offered if each not in updates]
        aside = self._around.shelf.set_aside
        yield from map(self._aside_card, aside)
        if updates:
            yield label(texts("home.updates"), "heading")
            yield from map(self._offer_card, updates)
        if here:
            yield label(texts("home.installed"), "heading")
            self._cards = AppCards(
                self,
                [app.app_id for app in here],
                self._card_of,
                lambda count: texts("home.more", count=count),
                self._cards.count if self._cards and self._cards.count > FIRST else FIRST,
            )
            yield self._cards
        if fresh:
            yield label(texts("home.available"), "heading")
            yield from map(self._offer_card, fresh)
        if not here and not offered and not (aside and not query):
            yield self._nothing(query)
        yield from self._kept_parts()

    def _matching_apps(self, query: str) -> list[_Named]:
        shelf, locale = self._around.shelf, self._around.texts.locale
        read = (
            _Named(app.app_id, app.title(locale))
            for app in shelf.apps
            if catalog_row(app.projection).matches(query)
        )
        unread = (
            _Named(app.app_id, app.title)
            for app in shelf.unread
            if query.casefold() in f"{app.title} {app.app_id}".casefold()
        )
        return sorted((*read, *unread), key=lambda app: app.title.casefold())

    def _matching_offers(self, query: str) -> list[Found]:
        center = self._around.center
        if center is None:
            return []
        fresh = center.catalog.new_offers
        return [each for each in center.catalog.search(query) if each.offer in fresh]

    def _nothing(self, query: str) -> QWidget:
        texts = self._around.texts
        if query:
            return label(texts("home.nothing", query=query), "muted")
        return card(
            label(texts("home.empty.title"), "heading"),
            label(texts("home.empty.text"), "muted"),
        )

    def _card_of(self, app_id: str) -> QWidget:
        app = self._around.shelf.app(app_id)
        return self._app_card(app) if app is not None else QWidget()

    def _app_card(self, app: ShelfApp) -> QFrame:
        texts, locale = self._around.texts, self._around.texts.locale
        title = app.title(locale)
        pills = [status_pill(texts, app.readiness.status)]
        if app.installed is None:
            pills.append(pill(texts("home.in-place"), "info"))
        elif not app.installed.is_enabled:
            pills.append(pill(texts("home.off"), "plain"))
        details = button(texts("home.details"), lambda: self._links.show_details(app.app_id))
        details.setAccessibleName(f"{texts('home.details')}: {title}")
        tools = [details]
        if app.can_start and app.projection.entries:
            opening = button(
                texts("home.open"), lambda: self._links.open_app(app.app_id), "primary"
            )
            opening.setAccessibleName(f"{texts('home.open')}: {title}")
            tools.append(opening)
        words = column(
            label(title, "heading"), label(app.tagline(locale), "muted"), flow(*pills), spacing=4
        )
        return card(row(icon_label(self._around.icon_of(app), 44), words, *tools, stretch_at=1))

    def _aside_card(self, aside: SetAsideApp) -> QFrame:
        """An app that would keep the window from starting: what that means, and the ways out."""
        texts, app = self._around.texts, aside.app
        again = button(texts("home.aside.again"), partial(self._around.shelf.try_again, app.app_id))
        again.setAccessibleName(f"{texts('home.aside.again')}: {app.title}")
        remove = button(texts("manage.remove"), partial(self._links.uninstall, app.app_id))
        remove.setAccessibleName(f"{texts('manage.remove')}: {app.title}")
        state = "home.aside.trying" if aside.is_being_tried else "home.aside.text"
        words = column(
            label(plain_name(app.title), "heading"),
            label(texts(state), "muted"),
            flow(pill(texts("home.aside"), "warning")),
            spacing=4,
        )
        tools = () if aside.is_being_tried else (again, remove)
        return card(row(words, *tools, stretch_at=0))

    def _offer_card(self, found: Found) -> QFrame:
        texts, offer = self._around.texts, found.offer
        title = offer.title_in(texts.locale)
        icon = self._around.icon(offer.icon, title)
        pills: list[QWidget] = [pill(offer.version, "plain")]
        if self._search.text() and found.found_by in {"keyword", "trigger", "scenario"}:
            pills.append(pill(texts(f"home.found.{found.found_by}"), "info"))
        update = texts("home.available.update", version=offer.version)
        take_words = update if self._is_here(offer) else texts("home.available.install")
        take = button(take_words, lambda: self._links.install_offer(offer))
        take.setAccessibleName(f"{take_words}: {title}")
        source = label(self._source_words(offer), "small")
        set_tip(source, offer.source)
        words = column(
            label(title, "heading"),
            label(offer.tagline_in(texts.locale), "muted"),
            source,
            flow(*pills),
            spacing=4,
        )
        return card(row(icon_label(icon, 44), words, take, stretch_at=1))

    def _is_here(self, offer: Offer) -> bool:
        center = self._around.center
        return center is not None and center.installed_app(offer.app_id) is not None

    def _source_words(self, offer: Offer) -> str:
        """Where an offer comes from, as a person knows the place."""
        texts, center = self._around.texts, self._around.center
        own = center.catalog.built_in if center else ()
        given = [each for each in (center.catalog.sources if center else ()) if each.is_given]
        if offer.source in {each.location for each in own}:
            return texts("home.available.own", product=self._around.branding.product_name)
        if offer.source in {each.location for each in given}:
            return texts("home.available.org")
        return texts("home.available.in", source=place_name(offer.source))

    def _kept_parts(self) -> Iterable[QWidget]:
        texts, center = self._around.texts, self._around.center
        kept = center.kept_data() if center else ()
        if kept and not self._search.text():
            yield card(label(texts("home.kept"), "heading"), *map(self._kept_row, kept))

    def _kept_row(self, kept: KeptData) -> QWidget:
        texts = self._around.texts
        delete = button(texts("home.kept.delete"), lambda: self._links.uninstall(kept.app_id))
        delete.setAccessibleName(f"{texts('home.kept.delete')} {kept.title}")
        return row(label(kept.title), delete, stretch_at=0)

    def _choose_kind(self) -> None:
        texts = self._around.texts
        menu = QMenu(self)
        menu.addAction(texts("home.install.archive"), self._choose_archive)
        menu.addAction(texts("home.install.folder"), self._choose_folder)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self._install.mapToGlobal(self._install.rect().bottomLeft()))

    def _choose_folder(self) -> None:
        dialog = QFileDialog(self, self._around.texts("home.install.title"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        self._ask(dialog)

    def _choose_archive(self) -> None:
        dialog = QFileDialog(self, self._around.texts("home.install.title"), filter="*.lapp")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        self._ask(dialog)

    def _ask(self, dialog: QFileDialog) -> None:
        # open() and not exec(): a nested loop would stop every other task of the host.
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self._take_chosen)
        dialog.open()

    def _take_chosen(self, path: str) -> None:
        self._links.install(Path(path))


def _dropped_package(dropped: QMimeData) -> Path | None:
    """The one package that is being dropped: an archive, or a folder with an APP.md."""
    urls = dropped.urls()
    if len(urls) != 1 or not urls[0].isLocalFile():
        return None
    path = Path(urls[0].toLocalFile())
    return path if path.suffix == ".lapp" or (path / "APP.md").is_file() else None
