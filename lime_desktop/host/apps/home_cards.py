"""The cards that an app puts on Home (`ui.cards`): each a title, a line and the entry that it opens. Says nothing else."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from lime_desktop.host.appearance.package_face import text_of
from lime_desktop.host.apps.registered_app import RegisteredApp
from lime_desktop.protocol.plain_text import plain_line, plain_name

MOST_OF_ONE_APP = 3
"""Home belongs to the person: more cards than that stand in the app itself."""


@dataclass(frozen=True, slots=True)
class HomeCard:
    """One card."""

    app: RegisteredApp = field(compare=False)
    entry_key: str
    title: str
    text: str


def home_cards(apps: Iterable[RegisteredApp], locale: str) -> tuple[HomeCard, ...]:
    """The cards of apps whose entry can be opened now, in the order of the apps."""
    ordered = sorted(apps, key=lambda app: (app.order, app.title(locale).casefold()))
    return tuple(card for app in ordered for card in _cards(app, locale))


def _cards(app: RegisteredApp, locale: str) -> Iterator[HomeCard]:
    ui = app.package.manifest.ui
    is_on = app.installed is None or app.installed.is_enabled
    for declared in (ui.cards if ui and is_on else ())[:MOST_OF_ONE_APP]:
        entry_key = _entry_of(app, declared)
        if entry_key is not None and app.can_open(entry_key):
            title = text_of(declared, "title", locale) or app.entry_title(entry_key, locale)
            text = text_of(declared, "description", locale) or ""
            yield HomeCard(app, entry_key, plain_name(title), plain_line(text))


def _entry_of(app: RegisteredApp, declared: Mapping[str, object]) -> str | None:
    """The entry that a card names, or the one of the route that it names."""
    named, route = declared.get("entry"), declared.get("route")
    if isinstance(named, str):
        return named if app.projection.entry(named) is not None else None
    routes = {each.route: each.key for each in app.projection.entries if each.route is not None}
    return routes.get(route) if isinstance(route, str) else None
