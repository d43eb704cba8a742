"""What a product decides about its window: where a person begins, what the rail leads to, where a new app is shown.

The window asks its plan and knows no kind of product. Another kind is another plan, and one more line in `make_plan`.
"""

from typing import Protocol

from PySide6.QtWidgets import QWidget

from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.product import Product, ShippedApp
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.appearance.settings_store import SettingsStore
from lime_desktop.shell.pages.product_page import ProductLinks, ProductPage
from lime_desktop.shell.window.page_stack import PageStack
from lime_desktop.shell.window.pages import WindowPages
from lime_desktop.shell.window.rail.items import OneAppItems
from lime_desktop.shell.window.services import WindowServices


class WindowPlan(Protocol):
    """One implementation for each kind of product."""

    home: QWidget
    """The page that a person is at before anything is open."""
    welcome: QWidget
    """The page that greets a person at the first start."""
    is_rail_across: bool
    """Whether the rail stands above the pages, not beside them."""
    rail_items: OneAppItems | None
    """What stands on the rail instead of Home and every app."""

    def first_page(self) -> QWidget:
        """Where the window stands when nothing is asked for."""
        ...

    def home_page(self) -> QWidget:
        """Where it leads to go home: to the first page, unless this product has what is open there."""
        ...

    def has_command(self, key: str) -> bool:
        """Whether a command of the window makes sense here."""
        ...

    def show_installed(self, app_id: str) -> None:
        """Show the app that was just installed."""
        ...

    def show_damage(self, reason: str) -> None:
        """Say that what came with the product is not what was shipped."""
        ...


class AllAppsPlan:
    """Lime itself: a rail of every app, and Home, with a welcome before it until the person has seen one."""

    is_rail_across = False
    rail_items: OneAppItems | None = None

    def __init__(self, made: WindowPages, pages: PageStack, settings: SettingsStore) -> None:
        self.home: QWidget = made.home
        self.welcome: QWidget = made.welcome
        self._app_page = made.app
        self._pages = pages
        self._settings = settings

    def first_page(self) -> QWidget:
        """Home; the welcome for whoever has not been welcomed."""
        return self.home if self._settings.current.is_welcomed else self.welcome

    def home_page(self) -> QWidget:
        """The first page, whatever is open: its tabs stand above it."""
        return self.first_page()

    def has_command(self, key: str) -> bool:  # noqa: ARG002 - the plan's signature
        """Every command."""
        return True

    def show_installed(self, app_id: str) -> None:
        """Show the app in full: what it may do and how it is opened."""
        self._app_page.show_app(app_id)
        self._pages.turn_to(self._app_page)

    def show_damage(self, reason: str) -> None:
        """Nothing is shipped with Lime that could be damaged."""


class OneAppPlan:
    """A product that is for one app: a bar with that app, and a page that offers to install or open it."""

    is_rail_across = True

    def __init__(
        self,
        page: ProductPage,
        items: OneAppItems,
        pages: PageStack,
        registry: AppRegistry,
        links: ProductLinks,
    ) -> None:
        self.home: QWidget = page
        self.welcome: QWidget = page
        self.rail_items: OneAppItems | None = items
        self._page = page
        self._pages = pages
        self._registry = registry
        self._open_app = links.open_app
        self._just_installed = ""
        """The app to be opened as soon as it is read."""
        registry.watch(self._open_installed)

    def first_page(self) -> QWidget:
        """The product's own page."""
        return self._page

    def home_page(self) -> QWidget:
        """The app itself while it is open."""
        work = self._pages.workspace
        return work if work.surfaces else self._page

    def has_command(self, key: str) -> bool:
        """All but the welcome to Lime, which this product does not show."""
        return key != "welcome"

    def show_installed(self, app_id: str) -> None:
        """Open what was installed as soon as it is read."""
        self._pages.go_to(self._page)
        self._just_installed = app_id
        self._open_installed()

    def show_damage(self, reason: str) -> None:
        """Say on the product's page that what came with it is not what was shipped."""
        self._page.show_damage(reason)

    def _open_installed(self) -> None:
        if self._just_installed and self._registry.app(self._just_installed) is not None:
            app_id, self._just_installed = self._just_installed, ""
            self._open_app(app_id)


def make_plan(
    services: WindowServices,
    made: WindowPages,
    pages: PageStack,
    links: ProductLinks,
) -> WindowPlan:
    """The plan for the product that was started."""
    product, registry = services.folders.product, services.registry
    if product.app is None:
        return AllAppsPlan(made, pages, services.settings)
    page = ProductPage(services.look, product, services.brand, registry, links)
    items = _one_app_items(services.look, product, product.app, links)
    return OneAppPlan(page, items, pages, registry, links)


def _one_app_items(
    look: Look, product: Product, app: ShippedApp, links: ProductLinks
) -> OneAppItems:
    return OneAppItems(product.name, look.appearance.logo, lambda: links.show_details(app.id))
