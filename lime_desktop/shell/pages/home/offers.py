"""Apps that are not here yet, on Home: tiles of what catalogs offer, and the way to a package of the person's own."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from lime_desktop.host.app_center.catalog.search import Found
from lime_desktop.host.app_center.offered import Offered
from lime_desktop.host.app_center.packages.fetching import place_name
from lime_desktop.host.app_center.records.offers import Offer
from lime_desktop.host.wording.texts import Texts
from lime_desktop.shell.appearance.brand import Brand
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.dialogs.file_dialogs import open_dialog
from lime_desktop.shell.layouts.flow import flow
from lime_desktop.shell.widgets.menus import open_below
from lime_desktop.shell.widgets.parts import ShortLabel, pill
from lime_desktop.shell.widgets.tiles import Tile


class OfferTiles:
    """Each leads to what an app would be and want, before anything of it is installed."""

    def __init__(self, look: Look, brand: Brand, install: Callable[[Offer], None]) -> None:
        self._look = look
        self._brand = brand
        self._install = install

    def of_update(self, found: Found) -> Tile:
        """A newer version of an app that is here."""
        note = self._look.texts("home.available.update", version=found.offer.version)
        return self._tile(found, note, query="")

    def of_new(self, found: Found, offered: Offered, query: str) -> Tile:
        """An app that is not here, with what of it the query found."""
        return self._tile(found, self._source_words(found.offer, offered), query)

    def _tile(self, found: Found, note: str, query: str) -> Tile:
        texts, offer = self._look.texts, found.offer
        title = offer.title_in(texts.locale)
        notes: list[QWidget] = [ShortLabel(note, "small", keeps=20)]
        if query and found.found_by in {"keyword", "trigger", "scenario"}:
            notes.append(flow(pill(texts(f"home.found.{found.found_by}"), "info")))
        return Tile(
            self._look.appearance.icon(offer.icon, title),
            title,
            offer.tagline_in(texts.locale),
            lambda: self._install(offer),
            *notes,
        )

    def _source_words(self, offer: Offer, offered: Offered) -> str:
        """Where an offer comes from, as a person knows the place."""
        texts = self._look.texts
        if offer.source in offered.built_in:
            return texts("home.available.own", product=self._brand.branding.product_name)
        if offer.source in offered.given:
            return texts("home.available.org")
        return texts("home.available.in", source=place_name(offer.source))


class PackageChooser(QObject):
    """Asks which package to review: an archive or a folder."""

    def __init__(self, page: QWidget, texts: Texts, install: Callable[[Path], None]) -> None:
        super().__init__(page)
        self._page = page
        self._texts = texts
        self._install = install

    def open_under(self, under: QWidget) -> None:
        """Offer both kinds below a button."""
        menu = QMenu(self._page)
        menu.addAction(self._texts("home.install.archive"), self._choose_archive)
        menu.addAction(self._texts("home.install.folder"), self._choose_folder)
        open_below(menu, under)

    def _choose_folder(self) -> None:
        dialog = QFileDialog(self._page, self._texts("home.install.title"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        open_dialog(dialog, self._take)

    def _choose_archive(self) -> None:
        dialog = QFileDialog(self._page, self._texts("home.install.title"), filter="*.lapp")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        open_dialog(dialog, self._take)

    def _take(self, path: str) -> None:
        self._install(Path(path))
