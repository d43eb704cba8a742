"""Everything the palette offers: entries of apps with their triggers, places and settings, and what the window can do."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from lime_desktop.host.app_center.records.offers import Offer as CatalogOffer
from lime_desktop.host.app_center.records.records import InstalledApp
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.view.shell_port import AppRoute
from lime_desktop.host.wording.joining import part_name
from lime_desktop.protocol.plain_text import plain_line
from lime_desktop.shell.command_palette.offer import Offer
from lime_desktop.shell.settings.general import LANGUAGES, THEMES
from lime_desktop.shell.settings.table import SECTIONS
from lime_desktop.shell.surfaces.kinds import sign_of
from lime_desktop.shell.surfaces.surface import Surface
from lime_desktop.shell.widgets.shortcuts import Shortcut
from lime_desktop.shell.widgets.surroundings import Surroundings

_MOST_SHOWN = 40


@dataclass(frozen=True, slots=True)
class PaletteLinks:
    """What the palette can have done."""

    open_entry: Callable[[str, str], None]
    open_route: Callable[[str, AppRoute], None]
    show_app: Callable[[str], None]
    show_settings: Callable[[str], None]
    install: Callable[[CatalogOffer], None]


def list_offers(
    around: Surroundings,
    shortcuts: Sequence[Shortcut],
    surfaces: Sequence[Surface],
    links: PaletteLinks,
) -> list[Offer]:
    """Entries first, then what open apps made known: opening something is what the palette is used for most."""
    around.shelf.hurry()
    return [
        *(offer for app in around.shelf.apps for offer in _of_app(around, app, links)),
        *(_of_unread(around, app, links) for app in around.shelf.unread),
        *(offer for surface in surfaces for offer in _of_surface(around, surface, links)),
        *_of_window(around, shortcuts),
        *_of_settings(around, links),
        *_of_catalog(around, links),
        *_of_looks(around),
    ]


def web_offer(around: Surroundings, words: str, search: Callable[[str], object]) -> Offer:
    """Words that were looked up may mean nothing to Lime: the last line offers to search the web for them."""
    return Offer(
        around.texts("palette.web", words=plain_line(words, _MOST_SHOWN)),
        around.texts("palette.kind.web"),
        around.signs.icon("globe"),
        partial(search, words),
    )


def _of_app(around: Surroundings, app: RegisteredApp, links: PaletteLinks) -> Iterator[Offer]:
    locale, title = around.texts.locale, app.title(around.texts.locale)
    triggers = app.package.manifest.triggers
    words = (*triggers.keywords, *triggers.scenarios) if triggers else ()
    shown = [entry for entry in app.entries if entry.declared.visibility != "hidden"]
    for at, entry in enumerate(shown):
        declared, called = entry.declared, app.entry_title(entry.key, locale)
        yield Offer(
            # To open an app is to open the first of them.
            title if at == 0 else part_name(title, called),
            around.texts(f"entry.kind.{declared.kind}"),
            around.signs.icon(sign_of(declared.kind)),
            partial(links.open_entry, app.app_id, entry.key),
            (called, app.app_id, *words, *([declared.command] if declared.command else ())),
        )
    yield Offer(
        around.texts("palette.app", app=title),
        around.texts("palette.kind.app"),
        around.icon_of(app),
        partial(links.show_app, app.app_id),
        (app.app_id, *words),
    )


def _of_unread(around: Surroundings, app: InstalledApp, links: PaletteLinks) -> Offer:
    """An app that was not read yet is found by its name; choosing it reads it."""
    return Offer(
        around.texts("palette.app", app=app.title),
        around.texts("palette.kind.app"),
        around.signs.icon("apps"),
        partial(links.show_app, app.app_id),
        (app.app_id,),
    )


def _of_surface(around: Surroundings, surface: Surface, links: PaletteLinks) -> Iterator[Offer]:
    app = around.shelf.app(surface.app_id)
    if app is None:
        return
    title = app.title(around.texts.locale)
    for route in surface.routes:
        yield Offer(
            part_name(title, route.title),
            around.texts("entry.kind.page"),
            around.signs.icon("page"),
            partial(links.open_route, surface.app_id, route),
            (route.title, surface.app_id, route.path),
        )


def _of_catalog(around: Surroundings, links: PaletteLinks) -> Iterator[Offer]:
    """Apps that a source offers and that are not here, or are here in an older version."""
    for offer in around.center.catalog.new_offers if around.center else ():
        yield Offer(
            around.texts("palette.install", app=offer.title_in(around.texts.locale)),
            around.texts("palette.kind.install"),
            around.signs.icon("download"),
            partial(links.install, offer),
            (offer.app_id, *offer.other_names, *offer.keywords, *offer.trigger_keywords),
        )


def _of_window(around: Surroundings, shortcuts: Sequence[Shortcut]) -> Iterator[Offer]:
    for each in shortcuts:
        if each.in_palette and each.is_offered():
            name = around.texts(f"command.{each.key}")
            yield Offer(name, each.shown_keys, around.signs.icon(each.sign), each.run)


def _of_settings(around: Surroundings, links: PaletteLinks) -> Iterator[Offer]:
    texts = around.texts
    for section in SECTIONS:
        yield Offer(
            texts(f"settings.{section.key}.title"),
            texts("settings.title"),
            around.signs.icon(section.sign),
            partial(links.show_settings, section.key),
            # Its key too: as an app by its id, it is found by one word in every language.
            (section.key, texts(f"settings.{section.key}.about")),
        )


def _of_looks(around: Surroundings) -> Iterator[Offer]:
    texts = around.texts
    for mode in THEMES:
        yield Offer(
            texts("palette.theme", theme=texts(f"settings.theme.{mode}")),
            texts("settings.theme"),
            around.signs.icon("sun"),
            partial(around.change, theme_mode=mode),
        )
    for locale, name in LANGUAGES.items():
        yield Offer(
            name,
            texts("settings.language"),
            around.signs.icon("language"),
            partial(around.change, locale=locale),
        )
