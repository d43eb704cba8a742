"""How the review of a package, or an app in full, comes to the front, and where its end leads back to."""

from PySide6.QtWidgets import QWidget

from lime_desktop.host.app_center.review.install_review import InstallReview
from lime_desktop.shell.dialogs.input_guard import InputGuard
from lime_desktop.shell.surfaces.surface import Surface
from lime_desktop.shell.window.keyboard import WindowKeyboard
from lime_desktop.shell.window.page_stack import PageStack
from lime_desktop.shell.window.pages import WindowPages
from lime_desktop.shell.window.plan import WindowPlan


class FlowNavigation:
    """Keeps where the person came from."""

    def __init__(
        self,
        made: WindowPages,
        pages: PageStack,
        plan: WindowPlan,
        keyboard: WindowKeyboard,
    ) -> None:
        self._flow = made.flow
        self._app_page = made.app
        self._settings = made.settings
        self._pages = pages
        self._plan = plan
        self._keyboard = keyboard
        self._before: QWidget = plan.home
        self._entry: Surface | None = None
        self._flow.begun.connect(self._show)
        self._flow.left.connect(self._leave)

    def decide_for_app(self, review: InstallReview) -> None:
        """An app brings this up, where it knows the pointer to be: it takes no click that was meant for the page."""
        InputGuard(self._flow, is_for_once=True)
        self._flow.decide(review)

    def show_details_for_app(self, app_id: str) -> None:
        """Show an app in full at its own wish, guarded likewise."""
        InputGuard(self._app_page, is_for_once=True)
        self._app_page.show_app(app_id)
        self._pages.turn_to(self._app_page)

    def _show(self) -> None:
        shown = self._pages.currentWidget()
        if shown is not None and shown is not self._flow:
            self._before = shown
            self._entry = self._pages.workspace.current
        self._pages.go_to(self._flow)

    def _leave(self) -> None:
        """Go back to where the person came from, as far as that is still there."""
        there: list[QWidget] = [self._settings]
        # Where its app went, the tab beside it is somewhere else than where the person was.
        if self._entry in self._pages.workspace.surfaces:
            there.append(self._pages.workspace)
        if self._app_page.is_here:
            there.append(self._app_page)
        self._pages.turn_to(self._before if self._before in there else self._plan.first_page())
        self._keyboard.take()
