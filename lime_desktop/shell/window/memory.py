"""Where the window stood and what was open in it, kept as it changes: whatever ends the program, the next start knows it.

Changes come in bursts (a window is dragged, a split moves every tab), so they are written together, a moment after the
first of them: what never comes to rest is written all the same. The disk is waited for on a thread of its own: one that
is slow, full or gone must not hold the window, nor its end.
"""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotInTime
from contextlib import suppress
from functools import partial
from pathlib import Path

from PySide6.QtCore import QByteArray, QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.host.user_profile.settings import OpenEntry, WindowState, read_kept, write_kept
from lime_desktop.shell.widgets.on_screen import put_on_screen

_MOST_ENTRIES = 50
_BURST_MS = 400
"""How long a change waits for those that come with it; also what a crash may cost."""
_END_S = 3.0
"""How long the program's end waits for the disk."""

ListEntries = Callable[[], tuple[OpenEntry, ...]]
OpenAgain = Callable[[OpenEntry], None]


class WindowMemory(QObject):
    """One small file beside the settings."""

    written = Signal(str)
    """The last change is on disk (nothing is said), or could not be written: then the system's reason."""

    def __init__(self, settings_file: Path, window: QWidget, list_entries: ListEntries) -> None:
        super().__init__(window)
        self._path = settings_file.with_name("window.json")
        self._window = window
        self._list_entries = list_entries
        self._kept: WindowState | None = None
        """What the file says, as far as we know."""
        self._unopened: tuple[OpenEntry, ...] = ()
        self._has_restored = False
        self._has_ended = False
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="window-memory")
        self._burst = QTimer(self, singleShot=True, interval=_BURST_MS)
        self._burst.timeout.connect(self._write)

    def restore_place(self) -> None:
        """Let the window stand where it last stood, as far as this screen has room."""
        geometry = read_kept(self._path, WindowState).geometry
        if geometry:
            self._window.restoreGeometry(QByteArray.fromBase64(geometry.encode()))
        put_on_screen(self._window)

    def entries(self) -> tuple[OpenEntry, ...]:
        """What was open, from left to right."""
        return read_kept(self._path, WindowState).entries

    def has_restored(self, unopened: tuple[OpenEntry, ...] = ()) -> None:
        """What was open is open again, but for what cannot be now and may be at the next start."""
        self._unopened = unopened
        self._has_restored = True

    def change(self) -> None:
        """Something moved, opened or closed."""
        if not self._has_ended and not self._burst.isActive():
            self._burst.start()

    def end(self) -> str:
        """Write what was not written yet, and no more after it: closing the tabs is not the person's doing.

        Returns why it could not be, or nothing.
        """
        if self._has_ended:
            return ""
        self._burst.stop()
        self._has_ended = True
        writing = self._writer.submit(write_kept, self._path, self._state())
        self._writer.shutdown(wait=False)
        try:
            writing.result(_END_S)
        except NotInTime:
            # First: it is an error of the system's as well, and says nothing there.
            return "the disk does not answer"
        except OSError as error:
            return _reason(error)
        return ""

    def _write(self) -> None:
        state = self._state()
        # Before what was open is open again, an empty window is no news.
        if state == self._kept or not self._has_restored:
            return
        writing = self._writer.submit(write_kept, self._path, state)
        writing.add_done_callback(partial(self._on_written, state))

    def _on_written(self, state: WindowState, writing: "Future[None]") -> None:
        """On the writer's thread: Qt carries the signal over."""
        error = writing.exception()
        if error is None:
            self._kept = state
        reason = "" if error is None else _reason(error)
        with suppress(RuntimeError):  # the window may be gone by now
            self.written.emit(reason)

    def _state(self) -> WindowState:
        geometry = bytes(self._window.saveGeometry().toBase64().data()).decode()
        open_now = self._list_entries()
        # A program that is left before it came to open them again forgets nothing.
        held = self._unopened if self._has_restored or open_now else self.entries()
        return WindowState(geometry=geometry, entries=(*open_now, *held)[:_MOST_ENTRIES])


def _reason(error: BaseException) -> str:
    return getattr(error, "strerror", None) or type(error).__name__


class Reopening:
    """Opens what was open at the last end: every tab in its place, whether it can be shown yet or not."""

    def __init__(
        self, registry: AppRegistry, memory: WindowMemory, open_again: OpenAgain, turn_to: OpenAgain
    ) -> None:
        self._registry = registry
        self._memory = memory
        self._open_again = open_again
        self._turn_to = turn_to
        self.is_under_way = False
        """Whether tabs come back just now: the person has turned to none of them."""

    def begin(self, *, is_whole: bool) -> None:
        """Open what was open. Where not all apps are known, what was open of others is for the next start."""
        self.is_under_way = True
        try:
            self._begin(is_whole=is_whole)
        finally:
            self.is_under_way = False

    def _begin(self, *, is_whole: bool) -> None:
        kept = self._memory.entries()
        known = [each for each in kept if self._is_known(each)]
        for entry in known:
            self._open_again(entry)
        unknown = tuple(each for each in kept if self._registry.app(each.app_id) is None)
        self._memory.has_restored(() if is_whole else unknown)
        current = next((each for each in known if each.is_current), None)
        if current is not None or known:
            self._turn_to(current or known[0])

    def _is_known(self, entry: OpenEntry) -> bool:
        app = self._registry.app(entry.app_id)
        return app is not None and app.projection.entry(entry.entry_key) is not None
