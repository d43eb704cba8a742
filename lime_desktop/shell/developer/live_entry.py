"""One open entry of the app that is worked on: shows what was saved, and what is wrong over it."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QToolButton

from lime_desktop.app_package.files.tree import PackageTree
from lime_desktop.app_package.problems import Problem
from lime_desktop.developer.changes import Change, Renewal
from lime_desktop.developer.options import DeveloperOptions
from lime_desktop.developer.page_problems import PageProblems
from lime_desktop.developer.served_pages import DevServerPages
from lime_desktop.host.apps.bundle import bundle_of, bundle_root
from lime_desktop.host.web_content.origin import host_of
from lime_desktop.host.web_content.ui_bundle import HOST_PREFIX, host_files
from lime_desktop.host.wording.texts import Texts
from lime_desktop.shell.developer.live_page import LivePage
from lime_desktop.shell.developer.problems_overlay import ProblemsOverlay
from lime_desktop.shell.widgets.parts import ShortLabel, pill, plain_tip
from lime_desktop.shell.window.app_tab.app_tab import AppTab

_ASK_AGAIN_MS = 1_000
"""How often a dev server that does not answer is asked again."""


class DeveloperStrip(QFrame):
    """The line below the app: that this is no ordinary view, what was last shown anew, and buttons of developer tools."""

    def __init__(self, texts: Texts, options: DeveloperOptions) -> None:
        super().__init__()
        self._texts = texts
        self.setObjectName("progress")
        self.setAccessibleName(texts("dev.strip"))
        server = options.dev_server
        source = server.origin if server else str(options.package)
        self._news = ShortLabel("", "small", keeps=10)
        self._layout = QHBoxLayout(self)
        self._layout.setContentsMargins(16, 4, 8, 4)
        self._layout.setSpacing(8)
        self._layout.addWidget(pill(texts("dev.mode"), "info"))
        if options.record_file is not None:
            # Whoever looks over the developer's shoulder is in the recording too.
            recording = pill(f"● {texts('dev.recording')}", "danger")
            recording.setToolTip(plain_tip(str(options.record_file)))
            self._layout.addWidget(recording)
        self._layout.addWidget(ShortLabel(source, "small", keeps=16))
        self._layout.addWidget(self._news)
        self._layout.addStretch(1)

    def offer(self, button: QToolButton) -> None:
        """Put a button at the right."""
        self._layout.addWidget(button)

    def say(self, words: str) -> None:
        """Show what happened last."""
        self._news.say(words)


class LiveEntry(QObject):
    """Joins a tab before its page is loaded, and goes with it."""

    problems_changed = Signal()
    painted = Signal(int, str)
    """What was wanted is on screen: its number, and how it was met."""

    def __init__(
        self,
        tab: AppTab,
        texts: Texts,
        resources: Path,
        options: DeveloperOptions,
        pages: DevServerPages | None = None,
    ) -> None:
        super().__init__(tab)
        self._tab = tab
        self._bundle = bundle_root(tab.app().package.manifest)
        self._problems = (
            PageProblems("", f"ws://{host_of(tab.app_id)}/")
            if options.dev_server
            else PageProblems(self._bundle)
        )
        self._page = LivePage(tab.view, resources)
        self._page.painted.connect(self._on_painted)
        self._awaited = 0
        """A wish that a page which is only now being loaded will meet."""
        self._page.left.connect(self._begin_anew)
        self._dev_server = options.dev_server
        self._host_files = host_files(resources)
        if options.tests is not None:
            self._host_files = {
                **self._host_files,
                **options.tests.served(resources),
            }
        if pages is not None:
            tab.view.answer_by(pages.answer)
        self._serve(tab.app().package.tree)
        self._asking_again = QTimer(self, interval=_ASK_AGAIN_MS, singleShot=True)
        self._asking_again.timeout.connect(tab.reload)
        self.strip = DeveloperStrip(texts, options)
        """The line below the page."""
        tab.put_below(self.strip)
        self._overlay = ProblemsOverlay(texts, tab.view, options.package)
        self._listen()

    @property
    def tab(self) -> AppTab:
        """The entry's place in the window."""
        return self._tab

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What went wrong in the page since it was loaded."""
        return self._problems.found

    def show_problems(self, problems: Sequence[Problem]) -> None:
        """Show over the app what is wrong with it."""
        self._overlay.show_problems(problems)

    def show_change(self, change: Change, tree: PackageTree, number: int) -> None:
        """Show what was saved, with as little as will do."""
        self._serve(tree)
        if not self._page.is_there:
            self._awaited = number
            self._tab.reload()
        elif change.renewal is Renewal.STYLES:
            origin_paths = [name.removeprefix(self._bundle) for name in change.files]
            self._page.swap_styles(origin_paths, number)
        else:
            self._page.reload(number)

    def renew(self) -> None:
        """Go by the package as it was read again."""
        package = self._tab.app().package
        self._bundle = bundle_root(package.manifest)
        self._tab.renew()
        self._serve(package.tree)

    def _on_painted(self, number: int, how: str) -> None:
        self.painted.emit(number or self._awaited, how)
        self._awaited = 0

    def _serve(self, tree: PackageTree) -> None:
        bundle = bundle_of(self._tab.app(), self._host_files)
        if self._dev_server is not None:
            own = f"ws://{host_of(self._tab.app_id)}"
            sockets = self._dev_server.socket_origins
            bundle = replace(bundle, sockets=sockets, tried_sockets=(own,))
        self._tab.view.serve(replace(bundle, files=tree))

    def miss_server(self) -> None:
        """The dev server does not answer: say so, and ask it again in a moment."""
        if self._dev_server is not None:
            self._problems.add_silent(self._dev_server.origin)
            self._asking_again.start()
            self.problems_changed.emit()

    def on_failure(self, path: str, words: str) -> None:
        """The dev server answered with an error."""
        self._problems.add_failed(path, words)
        self.problems_changed.emit()

    def _begin_anew(self) -> None:
        self._tab.expect_page()
        self._problems.clear()
        self.problems_changed.emit()

    def _listen(self) -> None:
        view = self._tab.view
        view.console.connect(self._take_line)
        view.missed.connect(self._take_missing)
        view.refused.connect(self._take_refused)

    def _take_line(self, level: int, message: str, line: int, source: str) -> None:
        self._problems.add_line(level, message, line, source)
        self.problems_changed.emit()

    def _take_missing(self, path: str) -> None:
        if self._dev_server is not None and not path.startswith(HOST_PREFIX):
            # The server itself said why.
            return
        self._problems.add_missing(path)
        self.problems_changed.emit()

    def _take_refused(self, guard: str, address: str) -> None:
        self._problems.add_refused(guard, address)
        self.problems_changed.emit()
