"""What the rail shows: the window's own places, and the apps in the person's order. Knows no page but the one in front."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal, TypeAlias

from PySide6.QtWidgets import QMenu

from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.window.rail import Rail
from lime_desktop.shell.window.rail_apps import RailApps
from lime_desktop.shell.window.rail_button import RailItem
from lime_desktop.shell.window.rail_menu import RailLinks, fill_app_menu
from lime_desktop.shell.window.workspace import Workspace

InFront: TypeAlias = Literal["home", "settings", "entries", "another"]
"""The page in front, as far as the rail tells one from another."""


@dataclass(frozen=True, slots=True)
class RailFacts:
    """What of the window shows on the rail."""

    in_front: InFront
    notices: int
    """How many notices were put away and can be looked at again."""
    questions: int
    """How many questions wait for the person's word."""


@dataclass(frozen=True, slots=True)
class RailWindow:
    """The window as the rail knows it: where the window's own items lead, and what of it shows."""

    home: Callable[[], None]
    approvals: Callable[[], None]
    notices: Callable[[], None]
    search: Callable[[], None]
    run: Callable[[], None]
    settings: Callable[[], None]
    facts: Callable[[], RailFacts]


class RailItems:
    """Fills the rail, and again only where something on it looks different."""

    def __init__(
        self,
        look: Look,
        order: RailApps,
        rail: Rail,
        workspace: Workspace,
        window: RailWindow,
        links: RailLinks,
    ) -> None:
        self._look = look
        self._order = order
        self._rail = rail
        self._workspace = workspace
        self._window = window
        self._links = links
        self._shown: tuple[object, ...] = ()
        rail.reordered.connect(self._keep_order)

    def refill(self) -> None:
        """Show what there is now."""
        facts, apps = self._window.facts(), self._apps()
        locale, faces = self._look.texts.locale, [self._face(app) for app in apps]
        shown = (facts, locale, faces)
        if shown == self._shown:
            return  # most of what changes about apps does not show here, and every icon would be drawn anew
        self._shown = shown
        go = self._window
        top = [self._place("home", "apps", go.home, is_current=facts.in_front == "home")]
        foot = [
            self._place("approvals", "shield", go.approvals, badge=facts.questions),
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
        app = self._order.app(app_id)
        if app is None:
            return
        opened = (each for each in self._workspace.surfaces if each.app_id == app_id)
        can_reload = any(each.page is not None for each in opened)
        fill_app_menu(self._look.texts, self._links, app, menu, can_reload=can_reload)

    def _face(self, app: RegisteredApp) -> tuple[object, ...]:
        return (app.app_id, app.package, self._is_open(app), self._look.appearance.theme)

    def _is_open(self, app: RegisteredApp) -> bool:
        """Whether the entry that is turned to is one of this app's."""
        surface = self._workspace.current
        return surface is not None and surface.app_id == app.app_id

    def _apps(self) -> list[RegisteredApp]:
        return self._order.in_order({surface.app_id for surface in self._workspace.surfaces})

    def _keep_order(self, order: tuple[str, ...]) -> None:
        self._order.reorder(order)
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
        texts = self._look.texts
        name = texts(f"rail.{key}") if badge is None else texts(f"rail.{key}", count=badge)
        return RailItem(name, go, sign=sign, is_current=is_current, badge=badge)

    def _app_item(self, app: RegisteredApp) -> RailItem:
        return RailItem(
            app.title(self._look.texts.locale),
            partial(self._links.open_app, app.app_id),
            self._look.appearance.icon_of(app),
            is_current=self._window.facts().in_front == "entries" and self._is_open(app),
            key=app.app_id,
            fill_menu=partial(self.fill_menu, app.app_id),
        )
