"""Printing a page: for the person, and for the app where the person has just pressed something there."""

from collections.abc import Callable

from lime_desktop.host.wording.texts import Texts
from lime_desktop.shell.app_view.printing import print_page
from lime_desktop.shell.app_view.view import AppView
from lime_desktop.shell.surfaces.surface import Surface
from lime_desktop.shell.widgets.work import Work
from lime_desktop.shell.window.app_tab.port import TabPort


class PagePrinting:
    """Asks where to, and says what came of it."""

    def __init__(
        self,
        tab: Surface,
        view: AppView,
        texts: Texts,
        port: TabPort,
        app_title: Callable[[], str],
    ) -> None:
        self._tab = tab
        self._view = view
        self._texts = texts
        self._port = port
        self._app_title = app_title
        self._work = Work(tab, tab.problem.emit)

    def start(self) -> None:
        """Print it, unless the person is being asked something else."""
        if not self._port.is_asking:
            self._work.start(self._print())

    def start_for_app(self) -> None:
        """An app wants its page printed: that is the person's wish only where they have just pressed something there."""
        if self._view.input.is_fresh:
            self.start()
        else:
            self._view.refused.emit("printing before a person pressed something", "")

    async def _print(self) -> None:
        page, title = self._view.page(), self._app_title()
        if done := await print_page(self._tab, self._texts, title, page):
            self._tab.toast.emit(done, "info")
