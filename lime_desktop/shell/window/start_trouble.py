"""What cannot start, the App Server or the installed apps: who is told, and where it is shown."""

from collections.abc import Callable
from functools import partial

from lime_desktop.host.app_server_client.supervisor import Down, Running, ServerState
from lime_desktop.shell.notices.notices import Notices
from lime_desktop.shell.notices.progress_line import ProgressLine
from lime_desktop.shell.pages.trouble_page import Trouble, TroublePage
from lime_desktop.shell.window.page_stack import PageStack
from lime_desktop.shell.window.plan import WindowPlan


class StartTrouble:
    """Says how the App Server is, and shows on a page of its own what keeps everything from starting."""

    def __init__(
        self,
        page: TroublePage,
        pages: PageStack,
        plan: WindowPlan,
        notices: Notices,
        progress: ProgressLine,
        retry_server: Callable[[], None],
    ) -> None:
        self._page = page
        self._pages = pages
        self._plan = plan
        self._notices = notices
        self._progress = progress
        self._retry_server = retry_server
        page.changed.connect(self._follow)

    def show_server(self, state: ServerState) -> None:
        """Say how the App Server is; silence means that it runs."""
        if isinstance(state, Down) and state.failure is not None and not state.may_pass:
            self._page.put("server", Trouble(state.failure, state.last_lines, state.attempts))
        elif isinstance(state, Running):
            self._page.settle("server")
            for surface in self._pages.workspace.surfaces:
                surface.recover()
        if self._page.title is None:
            self._notices.show_server(state, self._retry_server)
        if self._page.holds("server"):
            self._progress.done("server")  # "starting" under "cannot start" would be two truths
        else:
            self._progress.follow_server(state)

    def say(self) -> None:
        """Tell whoever is elsewhere that something is wrong, with a way to the page that says what."""
        title = None if self._pages.shows(self._page) else self._page.title
        self._notices.show_trouble(title, partial(self._pages.go_to, self._page))

    def _follow(self) -> None:
        """Who is at home is shown what is wrong; who is at work is told that something is."""
        if self._page.title is None:
            if self._pages.shows(self._page):
                work = self._pages.workspace
                self._pages.turn_to(work if work.surfaces else self._plan.first_page())
        elif self._pages.currentWidget() in {self._plan.home, self._plan.welcome}:
            self._pages.turn_to(self._page)
        self.say()
