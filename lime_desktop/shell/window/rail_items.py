"""What the rail shows: the window's own places, and the apps in the person's order. Knows no page but the one in front."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal, TypeAlias

from PySide6.QtWidgets import QMenu

from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.shell.widgets.surroundings import Surroundings
from lime_desktop.shell.window.rail import Rail
from lime_desktop.shell.window.rail_button import RailItem
from lime_desktop.shell.window.rail_menu import RailLinks, fill_app_menu
from lime_desktop.shell.window.workspace import Workspace

_MOST_APPS = 20
"""Apps that the rail shows; more could not be told apart by their icons."""

InFront: TypeAlias = Literal["home", "settings", "entries", "another"]
"""The page in front, as far as the rail tells one from another."""


@dataclass(frozen=True, slots=True)
class RailFacts:
    """What of the window shows on the rail."""

    in_front: InFront
    notices: int
    """How many notices were put away and can be looked at again."""


@dataclass(frozen=True, slots=True)
class RailPlaces:
    """Where the window's own items lead."""

    home: Callable[[], None]
    approvals: Callable[[], None]
    notices: Callable[[], None]
    search: Callable[[], None]
    run: Callable[[], None]
    settings: Callable[[], None]


class RailItems:
    """Fills the rail, and again only where something on it looks different."""

    def __init__(
        self,
        around: Surroundings,
        rail: Rail,
        workspace: Workspace,
        places: RailPlaces,
        links: RailLinks,
        look: Callable[[], RailFacts],
    ) -> None:
        self._around = around
        self._rail = rail
        self._workspace = workspace
        self._places = places
        self._links = links
        self._look = look
        self._shown: tuple[object, ...] = ()
        rail.reordered.connect(self._keep_order)

    def refill(self) -> None:
        """Show what there is now."""
        facts, apps = self._look(), self._apps()
        questions = len(self._around.approvals.queue.open)
        locale, faces = self._around.texts.locale, [self._face(app) for app in apps]
        shown = (facts, locale, questions, faces)
        if shown == self._shown:
            return  # most of what changes about apps does not show here, and every icon would be drawn anew
        self._shown = shown
        go = self._places
        top = [self._place("home", "apps", go.home, is_current=facts.in_front == "home")]
        foot = [
            self._place("approvals", "shield", go.approvals, badge=questions),
            self._place("notices", "bell", go.notices, badge=facts.notices),
            self._place("search", "search", go.search),
            self._place("run", "activity", go.run),
            self._place(
                "settings", "settings", go.settings, is_current=facts.in_front == "settings"
            ),
        ]
        wanted = [each for each in foot if each.badge is None or each.badge]
        self._rail.refill([*top, *map(self._app_item, apps)], wanted)

    def fill_menu(self, app_id: str, menu: QMenu) -> None:
        """Put what can be done with an app into a menu."""
        app = self._around.shelf.app(app_id)
        if app is None:
            return
        opened = (each for each in self._workspace.surfaces if each.app_id == app_id)
        can_reload = any(each.page is not None for each in opened)
        fill_app_menu(self._around.texts, self._links, app, menu, can_reload=can_reload)

    def _face(self, app: RegisteredApp) -> tuple[object, ...]:
        return (app.app_id, app.package, self._is_open(app), self._around.theme)

    def _is_open(self, app: RegisteredApp) -> bool:
        """Whether the entry that is turned to is one of this app's."""
        surface = self._workspace.current
        return surface is not None and surface.app_id == app.app_id

    def _apps(self) -> list[RegisteredApp]:
        """Every app, first those that the person put in an order; of very many as many as can be told apart.

        Those that are open are always there, and Home has them all.
        """
        shelf, locale = self._around.shelf, self._around.texts.locale
        places = {key: at for at, key in enumerate(self._around.settings.rail_order)}
        is_many = len(shelf.apps) + len(shelf.unread) > _MOST_APPS
        by_name = sorted(shelf.apps, key=lambda app: app.title(locale).casefold())
        found = by_name if is_many else [*shelf.apps]
        found.sort(key=lambda app: places.get(app.app_id, len(places)))
        shown = {app.app_id: app for app in found[:_MOST_APPS]}
        opened = {surface.app_id for surface in self._workspace.surfaces}
        return [*shown.values(), *(app for app in found if app.app_id in opened - shown.keys())]

    def _keep_order(self, order: tuple[str, ...]) -> None:
        """Apps that are not on the rail now keep their place behind those that are."""
        others = (key for key in self._around.settings.rail_order if key not in order)
        self._around.change(rail_order=(*order, *others))
        self.refill()

    def _place(
        self,
        key: str,
        sign: str,
        go: Callable[[], None],
        *,
        is_current: bool = False,
        badge: int | None = None,
    ) -> RailItem:
        """One of the window's own places; with a badge it is there only while that counts something."""
        texts = self._around.texts
        name = texts(f"rail.{key}") if badge is None else texts(f"rail.{key}", count=badge)
        return RailItem(name, go, sign=sign, is_current=is_current, badge=badge)

    def _app_item(self, app: RegisteredApp) -> RailItem:
        return RailItem(
            app.title(self._around.texts.locale),
            partial(self._links.open_app, app.app_id),
            self._around.icon_of(app),
            is_current=self._look().in_front == "entries" and self._is_open(app),
            key=app.app_id,
            fill_menu=partial(self.fill_menu, app.app_id),
        )
