"""Does a page still answer, and does its process hold too much memory? The engine never says either."""

import time

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWebEngineCore import QWebEnginePage, QWebEngineScript

from lime_desktop.host.view.process_memory import limit_memory, page_ceiling, resident_bytes

_ASK_EVERY_MS = 2_000
TIMEOUT_S = 8.0
_LOOK_EVERY_MS = 500
_HARD_BYTES = 2 * 1024**3
"""The kernel's own limit lies so much higher: it is for what grows faster than we look, and it counts what a process asked
for, of which an engine leaves half a gigabyte untouched. At it, a page hears that there is no more."""


class PageHeartbeat(QObject):
    """Asks a page now and then, and says when no answer comes and when one comes after all."""

    lost = Signal()
    found = Signal()

    def __init__(self, page: QWebEnginePage, parent: QObject, timeout_s: float = TIMEOUT_S) -> None:
        super().__init__(parent)
        self._page = page
        self._timeout_s = timeout_s
        self._asked_at: float | None = None
        self._round = 0
        self._is_lost = False
        self._timer = QTimer(self, interval=min(_ASK_EVERY_MS, int(timeout_s * 500)))
        self._timer.timeout.connect(self._feel)

    def start(self) -> None:
        """Begin to ask; whatever was open before is forgotten."""
        self.stop()
        self._timer.start()

    def stop(self) -> None:
        """Ask no more: the page is hidden, gone, or not loaded yet."""
        self._timer.stop()
        self._round += 1
        self._asked_at = None
        self._is_lost = False

    def _feel(self) -> None:
        if self._asked_at is None:
            self._ask()
        elif not self._is_lost and time.monotonic() - self._asked_at > self._timeout_s:
            self._is_lost = True
            self.lost.emit()

    def _ask(self) -> None:
        self._asked_at, asked = time.monotonic(), self._round

        def hear(_: object) -> None:
            self._on_answer(asked)

        self._page.runJavaScript("0", QWebEngineScript.ScriptWorldId.ApplicationWorld.value, hear)

    def _on_answer(self, asked: int) -> None:
        if asked != self._round:
            return
        self._asked_at = None
        if self._is_lost:
            self._is_lost = False
            self.found.emit()


class MemoryWatch(QObject):
    """Looks at a page's process now and then, and says when it holds more than it may."""

    exceeded = Signal()

    def __init__(
        self, page: QWebEnginePage, parent: QObject, ceiling_bytes: int | None = None
    ) -> None:
        super().__init__(parent)
        self.ceiling_bytes = ceiling_bytes or page_ceiling()
        self._page = page
        self._limited = 0
        self._timer = QTimer(self, interval=_LOOK_EVERY_MS)
        self._timer.timeout.connect(self._look)
        self._timer.start()

    def stop(self) -> None:
        """Look no more: the page is gone."""
        self._timer.stop()

    def _look(self) -> None:
        process = self._page.renderProcessPid()
        if process <= 0:
            return
        if process != self._limited:
            limit_memory(process, self.ceiling_bytes + _HARD_BYTES)
            self._limited = process
        held = resident_bytes(process)
        if held is not None and held > self.ceiling_bytes:
            self.exceeded.emit()
