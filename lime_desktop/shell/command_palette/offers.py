"""Everything the palette offers: entries of apps with their triggers, places and settings, and what the window can do."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtGui import QIcon

from lime_desktop.host.app_center.records.offers import Offer as CatalogOffer
from lime_desktop.host.app_center.records.records import InstalledApp
from lime_desktop.host.apps.registry import AppRegistry, RegisteredApp
from lime_desktop.host.view.shell_port import AppRoute
from lime_desktop.host.wording.joining import part_name
from lime_desktop.protocol.plain_text import plain_line
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.appearance.settings_store import SettingsStore
from lime_desktop.shell.settings.general import LANGUAGES, THEMES
from lime_desktop.shell.settings.section import Section
from lime_desktop.shell.surfaces.surface import Surface, sign_of
from lime_desktop.shell.widgets.shortcuts import Shortcut

_MOST_SHOWN = 40


@dataclass(frozen=True, slots=True)
class Offer:
    """A name to find it by, what kind of thing it is, and what choosing it does."""

    name: str
    kind: str
    """Shown at the right, such as the app's name or a key."""
    icon: QIcon
    run: Callable[[], object]
    also: tuple[str, ...] = ()
    """Other words that find it: the app's name, its triggers."""

    def names(self) -> tuple[str, ...]:
        """Every way to find it, the best first."""
        return (self.name, f"{self.kind} {self.name}", *self.also)


@dataclass(frozen=True, slots=True)
class PaletteLinks:
    """What the palette can have done."""

    open_entry: Callable[[str, str], None]
    open_route: Callable[[str, AppRoute], None]
    show_app: Callable[[str], None]
    show_settings: Callable[[str], None]
    install: Callable[[CatalogOffer], None]
    sections: Sequence[Section]
    """Of the settings."""


def list_offers(
    look: Look,
    settings: SettingsStore,
    registry: AppRegistry,
    shortcuts: Sequence[Shortcut],
    surfaces: Sequence[Surface],
    links: PaletteLinks,
) -> list[Offer]:
    """Entries first, then what open apps made known: opening something is what the palette is used for most."""
    registry.hurry()
    return [
        *(offer for app in registry.apps for offer in _of_app(look, app, links)),
        *(_of_unread(look, app, links) for app in registry.unread),
        *(offer for surface in surfaces for offer in _of_surface(look, registry, surface, links)),
        *_of_window(look, shortcuts),
        *_of_settings(look, links),
        *_of_catalog(look, registry, links),
        *_of_looks(look, settings),
    ]


def web_offer(look: Look, words: str, search: Callable[[str], object]) -> Offer:
    """Words that were looked up may mean nothing to Lime: the last line offers to search the web for them."""
    return Offer(
        look.texts("palette.web", words=plain_line(words, _MOST_SHOWN)),
        look.texts("palette.kind.web"),
        look.icons.icon("globe"),
        partial(search, words),
    )


def _of_app(look: Look, app: RegisteredApp, links: PaletteLinks) -> Iterator[Offer]:
    locale, title = look.texts.locale, app.title(look.texts.locale)
    triggers = app.package.manifest.triggers
    words = (*triggers.keywords, *triggers.scenarios) if triggers else ()
    shown = [entry for entry in app.entries if entry.declared.visibility != "hidden"]
    for at, entry in enumerate(shown):
        declared, called = entry.declared, app.entry_title(entry.key, locale)
        yield Offer(
            # To open an app is to open the first of them.
            title if at == 0 else part_name(title, called),
            look.texts(f"entry.kind.{declared.kind}"),
            look.icons.icon(sign_of(declared.kind)),
            partial(links.open_entry, app.app_id, entry.key),
            # The id first, as for the app below: in every language, "notes" and Enter opens Notes.
            (app.app_id, called, *words, *([declared.command] if declared.command else ())),
        )
    yield Offer(
        look.texts("palette.app", app=title),
        look.texts("palette.kind.app"),
        look.appearance.icon_of(app),
        partial(links.show_app, app.app_id),
        (app.app_id, *_detail_words(look, title, app.app_id), *words),
    )


def _detail_words(look: Look, title: str, app_id: str) -> tuple[str, ...]:
    """What people type who look for an app's page: its name first, then what they want of it."""
    wanted = look.texts("palette.app.also")
    return (f"{title} {wanted}", f"{app_id} {wanted}")


def _of_unread(look: Look, app: InstalledApp, links: PaletteLinks) -> Offer:
    """An app that was not read yet is found by its name; choosing it reads it."""
    return Offer(
        look.texts("palette.app", app=app.title),
        look.texts("palette.kind.app"),
        look.icons.icon("apps"),
        partial(links.show_app, app.app_id),
        (app.app_id, *_detail_words(look, app.title, app.app_id)),
    )


def _of_surface(
    look: Look, registry: AppRegistry, surface: Surface, links: PaletteLinks
) -> Iterator[Offer]:
    app = registry.app(surface.app_id)
    if app is None:
        return
    title = app.title(look.texts.locale)
    for route in surface.routes:
        yield Offer(
            part_name(title, route.title),
            look.texts("entry.kind.page"),
            look.icons.icon("page"),
            partial(links.open_route, surface.app_id, route),
            (route.title, surface.app_id, route.path),
        )


def _of_catalog(look: Look, registry: AppRegistry, links: PaletteLinks) -> Iterator[Offer]:
    """Apps that a source offers and that are not here, or are here in an older version."""
    for offer in registry.center.catalog.new_offers if registry.center else ():
        yield Offer(
            look.texts("palette.install", app=offer.title_in(look.texts.locale)),
            look.texts("palette.kind.install"),
            look.icons.icon("download"),
            partial(links.install, offer),
            (offer.app_id, *offer.other_names, *offer.keywords, *offer.trigger_keywords),
        )


def _of_window(look: Look, shortcuts: Sequence[Shortcut]) -> Iterator[Offer]:
    for each in shortcuts:
        if each.in_palette and each.is_offered():
            name = look.texts(f"command.{each.key}")
            yield Offer(name, each.shown_keys, look.icons.icon(each.sign), each.run)


def _of_settings(look: Look, links: PaletteLinks) -> Iterator[Offer]:
    texts = look.texts
    for section in links.sections:
        yield Offer(
            texts(f"settings.{section.key}.title"),
            texts("settings.title"),
            look.icons.icon(section.sign),
            partial(links.show_settings, section.key),
            # Its key too: as an app by its id, it is found by one word in every language.
            (section.key, texts(f"settings.{section.key}.about")),
        )


def _of_looks(look: Look, settings: SettingsStore) -> Iterator[Offer]:
    texts = look.texts
    for mode in THEMES:
        yield Offer(
            texts("palette.theme", theme=texts(f"settings.theme.{mode}")),
            texts("settings.theme"),
            look.icons.icon("sun"),
            partial(settings.change, theme_mode=mode),
        )
    for locale, name in LANGUAGES.items():
        yield Offer(
            name,
            texts("settings.language"),
            look.icons.icon("language"),
            partial(settings.change, locale=locale),
        )
