"""What a person can do to one page: back and forward, find, zoom, print, and the menu at the pointer."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QPoint, Qt

from lime_desktop.shell.app_view.find_bar import FindBar
from lime_desktop.shell.app_view.page_menu import MenuLinks, make_menu
from lime_desktop.shell.app_view.page_questions import Answered, UnsavedQuestion, ask_controls
from lime_desktop.shell.app_view.view import AppView
from lime_desktop.shell.app_view.zoom import OWN_SIZE, ZoomCard, keep_zoom, step_from, zoom_of
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.appearance.settings_store import SettingsStore
from lime_desktop.shell.widgets.menus import open_at


class PageTools(QObject):
    """The tools of one view. Knows nothing of the app's bridge."""

    def __init__(
        self,
        view: AppView,
        look: Look,
        settings: SettingsStore,
        app_id: str,
        reload: Callable[[], None],
        print_page: Callable[[], None],
    ) -> None:
        super().__init__(view)
        self._view = view
        self._look = look
        self._settings = settings
        self._app_id = app_id
        self._reload = reload
        self._print = print_page
        self.look_up: Callable[[str], object] = lambda _: None
        self.open_link: Callable[[str], object] = lambda _: None
        self.inspect: Callable[[], object] = lambda: None
        self._finding = FindBar(view, view.page(), look)
        self._finding.left.connect(self._give_back)
        self._zoom = ZoomCard(view, look, partial(ask_controls, view.web_view))
        self._zoom.wanted.connect(self.zoom_by)
        view.page().loadFinished.connect(self._begin_page)
        view.input.zoomed.connect(self.zoom_by)
        view.input.stepped.connect(self.go)
        web = view.web_view
        web.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        web.customContextMenuRequested.connect(self._show_menu)

    def go(self, by: int) -> None:
        """Go back or forward in the app's own history."""
        history = self._view.page().history()
        if self.can_go(by):
            history.back() if by < 0 else history.forward()

    def can_go(self, by: int) -> bool:
        """Whether there is something to go to."""
        history = self._view.page().history()
        return history.canGoBack() if by < 0 else history.canGoForward()

    def reload(self) -> None:
        """Load the app anew."""
        self._reload()

    def find(self) -> None:
        """Look for words in the page."""
        self._zoom.hide()
        self._finding.begin()

    def find_again(self, by: int) -> None:
        """Go to the next or the previous place."""
        self._finding.step(by)

    def zoom_by(self, steps: int) -> None:
        """Show the page larger or smaller; with nothing, at its own size."""
        percent = step_from(zoom_of(self._settings, self._app_id), steps)
        # Other tabs of the app share the size, in the engine as here.
        self._view.page().setZoomFactor(percent / 100)
        keep_zoom(self._settings, self._app_id, percent)
        self._zoom.show_percent(percent)

    def print_page(self) -> None:
        """Let the person print the page, or keep it as a PDF."""
        self._print()

    def ask_unsaved(self, answered: Answered) -> None:
        """Find out whether something would be lost with this page; at once where nobody has used it."""
        if self._view.input.was_used:
            UnsavedQuestion(self._view.page(), answered, self)
        else:
            answered(False)  # noqa: FBT003 - it says what it is

    def _begin_page(self, is_whole: bool) -> None:  # noqa: FBT001 - Qt's signature
        if is_whole:
            # What was shown before the app was loaded anew is not a place of it.
            self._view.page().history().clear()
            percent = zoom_of(self._settings, self._app_id)
            self._view.page().setZoomFactor(percent / 100)
            if percent != OWN_SIZE:
                self._zoom.show_percent(percent)
            self._finding.leave()

    def _give_back(self) -> None:
        self._view.web_view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_menu(self, place: QPoint) -> None:
        asked = self._view.web_view.lastContextMenuRequest()
        has_tools = self._settings.current.has_developer_tools
        links = MenuLinks(
            self, self.can_go, self.look_up, self.open_link, self.inspect if has_tools else None
        )
        menu = make_menu(self._view, self._look.texts, self._view.page(), asked, links)
        open_at(menu, self._view.web_view.mapToGlobal(place))
