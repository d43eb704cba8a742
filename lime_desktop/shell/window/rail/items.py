"""What the rail shows: the window's own places, and the apps in the person's order. Knows no page but the one in front."""

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import partial
from typing import Literal, TypeAlias

from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QMenu

from lime_desktop.host.apps.registry import AppRegistry, RegisteredApp
from lime_desktop.host.wording.texts import Texts
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.appearance.settings_store import SettingsStore
from lime_desktop.shell.window.entries.workspace import Workspace
from lime_desktop.shell.window.rail.button import RailItem
from lime_desktop.shell.window.rail.rail import Rail

_MOST_APPS = 20
"""Apps that the rail shows; more could not be told apart by their icons."""
InFront: TypeAlias = Literal["home", "settings", "entries", "another"]
"""The page in front, as far as the rail tells one from another."""


@dataclass(frozen=True, slots=True)
class RailLinks:
    """Where the menu leads; each is told the app's id."""

    open_app: Callable[[str], None]
    open_beside: Callable[[str], None]
    show_details: Callable[[str], None]
    show_permissions: Callable[[str], None]
    reload: Callable[[str], None]
    move_by: Callable[[str, int], None]
    uninstall: Callable[[str], None]
    take_off_list: Callable[[str], None]


def fill_app_menu(
    texts: Texts, links: RailLinks, app: RegisteredApp, menu: QMenu, *, can_reload: bool
) -> None:
    """Put the commands for one app into its menu; what it cannot do now is there and grey."""
    app_id = app.app_id
    opening = menu.addAction(texts("menu.open"), partial(links.open_app, app_id))
    beside = menu.addAction(texts("menu.beside"), partial(links.open_beside, app_id))
    for each in (opening, beside):
        each.setEnabled(app.can_start and bool(app.entries))
    reloading = menu.addAction(texts("tab.reload"), partial(links.reload, app_id))
    reloading.setEnabled(can_reload)
    menu.addSeparator()
    menu.addAction(texts("menu.details"), partial(links.show_details, app_id))
    menu.addAction(texts("menu.permissions"), partial(links.show_permissions, app_id))
    menu.addSeparator()
    menu.addAction(texts("menu.up"), partial(links.move_by, app_id, -1))
    menu.addAction(texts("menu.down"), partial(links.move_by, app_id, 1))
    menu.addSeparator()
    if app.installed is None:
        menu.addAction(texts("menu.take-off"), partial(links.take_off_list, app_id))
    else:
        menu.addAction(texts("menu.uninstall"), partial(links.uninstall, app_id))


class RailApps:
    """The apps in the person's order."""

    def __init__(self, registry: AppRegistry, settings: SettingsStore, texts: Texts) -> None:
        self._registry = registry
        self._settings = settings
        self._texts = texts

    def app(self, app_id: str) -> RegisteredApp | None:
        """The app of this name."""
        return self._registry.app(app_id)

    def in_order(self, opened: AbstractSet[str]) -> list[RegisteredApp]:
        """Every app, first those that the person put in an order; of very many as many as can be told apart.

        Those that are open are always there, and Home has them all.
        """
        registry, locale = self._registry, self._texts.locale
        places = {key: at for at, key in enumerate(self._settings.current.rail_order)}
        is_many = len(registry.apps) + len(registry.unread) > _MOST_APPS
        by_name = sorted(registry.apps, key=lambda app: app.title(locale).casefold())
        found = by_name if is_many else [*registry.apps]
        found.sort(key=lambda app: places.get(app.app_id, len(places)))
        shown = {app.app_id: app for app in found[:_MOST_APPS]}
        return [*shown.values(), *(app for app in found if app.app_id in opened - shown.keys())]

    def reorder(self, order: tuple[str, ...]) -> None:
        """Keep an order; apps that are not on the rail now keep their place behind those that are."""
        others = (key for key in self._settings.current.rail_order if key not in order)
        self._settings.change(rail_order=(*order, *others))


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
    one_app: "OneAppItems | None" = None
    """What stands there instead of Home and the apps, in a product that is for one."""


@dataclass(frozen=True, slots=True)
class OneAppItems:
    """The app that a product is for, on a rail that has no other."""

    name: str
    icon: Callable[[], QIcon]
    details: Callable[[], None]
    """What it may do and whether it is ready."""


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
        self._rail.refill(self._top(facts, apps), wanted)

    def _top(self, facts: RailFacts, apps: list[RegisteredApp]) -> list[RailItem]:
        go, own = self._window, self._window.one_app
        if own is None:
            home = self._place("home", "apps", go.home, is_current=facts.in_front == "home")
            return [home, *map(self._app_item, apps)]
        is_shown = facts.in_front in {"home", "entries"}
        return [
            RailItem(own.name, go.home, own.icon(), is_current=is_shown),
            self._place("details", "info", own.details),
        ]

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
