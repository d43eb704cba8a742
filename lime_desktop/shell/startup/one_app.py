"""How a product of one app starts: its app is opened, or what came with it is put to the person for review.

Nothing is installed here. The package is known by its hash, and then goes the way of any other: read, verified, reviewed,
and installed when the person presses that, with what they allow and no more.
"""

import asyncio

from lime_desktop.host.app_center.catalog.search import is_newer
from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.product import BrandingBroken, ShippedApp
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.widgets.parts import button
from lime_desktop.shell.widgets.resource_folders import Folders
from lime_desktop.shell.widgets.work import Work
from lime_desktop.shell.window.main_window import MainWindow

_NEWER = "shipped-update"


class OneAppStart:
    """Opens the app of a product, or its review."""

    def __init__(
        self, window: MainWindow, look: Look, registry: AppRegistry, folders: Folders
    ) -> None:
        self._window = window
        self._look = look
        self._registry = registry
        self._folders = folders
        self._work = Work(window, window.notices.problem)
        window.shipped_wanted.connect(self.review)

    def begin(self) -> None:
        """Show what there is: the app, a newer version of it that came along, or its review."""
        own = self._shipped
        if self._registry.center is None:
            return  # why it could not be opened is told already
        app = self._registry.app(own.id)
        if app is None:
            self.review()
            return
        if not self._window.workspace.surfaces:
            self._window.open_app(own.id)
        if app.installed is not None and is_newer(own.version, app.installed.version):
            self._offer_newer()

    def review(self) -> None:
        """Put what came with the product to the person."""
        self._work.start(self._review())

    @property
    def _shipped(self) -> ShippedApp:
        own = self._folders.product.app
        assert own is not None  # noqa: S101 - made for a product of one app alone
        return own

    async def _review(self) -> None:
        try:
            package = await asyncio.to_thread(self._folders.shipped, self._shipped.package)
        except BrandingBroken as broken:
            self._window.show_damage(str(broken))
            return
        self._window.notices.stand(_NEWER, None)
        self._window.install_package(package)

    def _offer_newer(self) -> None:
        texts, notices = self._look.texts, self._window.notices
        words = texts("product.newer", product=self._folders.product.name)
        look = button(texts("product.newer.review"), self.review)
        notices.stand(_NEWER, notices.note(words, "info", look))
