"""What the program was asked to show, a link, a package or files: kept until there is everything that it needs."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from lime_desktop.host.startup.deep_links import SettingsLink, parse_link
from lime_desktop.protocol.errors import AppError
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.window.main_window import MainWindow

_NOTICE = "held"


class AskedTargets:
    """Shows each in turn; one that needs the installed apps waits while a command holds them, and the person is told."""

    def __init__(
        self, window: MainWindow, look: Look, scheme: str, show: Callable[[str], None]
    ) -> None:
        self._window = window
        self._look = look
        self._scheme = scheme
        self._show = show
        self._waiting: list[str] = []
        self._is_ready = False
        self._is_held = False
        look.texts.changed.connect(self._tell)

    def ask_first(self, target: str) -> None:
        """What the program itself was started with comes before what later starts handed over."""
        self._waiting.insert(0, target)

    def ask(self, target: str) -> None:
        """Come forward, and show it now or once that is possible."""
        if self._is_ready and not (self._is_held and _needs_apps(target, self._scheme)):
            self._show(target)
            return
        self._window.come_forward()
        self._waiting.append(target)
        self._tell()

    def be_ready(self) -> None:
        """There is everything, as far as nobody holds it: show what was asked for meanwhile."""
        self._is_ready = True
        waiting, self._waiting = self._waiting, []
        for target in waiting:
            self.ask(target)

    def hold(self) -> None:
        """A command holds the installed apps."""
        self._is_held = True

    def let_go(self) -> None:
        """Nobody holds them any more, or nobody waits for that: `be_ready` shows what waited."""
        self._is_held = False
        self._tell()

    def _tell(self) -> None:
        notices = self._window.notices
        is_waiting = self._is_ready and self._is_held and bool(self._waiting)
        words = self._look.texts("target.held")
        notices.stand(_NOTICE, notices.note(words, "info") if is_waiting else None)


def _needs_apps(target: str, scheme: str) -> bool:
    """Whether it cannot be shown without the installed apps: a folder is opened where it lies, settings are always there."""
    # Files to open are named in one text, which may be longer than any path.
    with suppress(OSError):
        if not target or Path(target).is_dir():
            return False
    with suppress(AppError):
        return not isinstance(parse_link(target, scheme), SettingsLink)
    return True
