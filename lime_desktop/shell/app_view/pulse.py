"""Does a page still answer? The engine never says that one hangs, so it is asked now and then."""

import time

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWebEngineCore import QWebEnginePage, QWebEngineScript

ASK_EVERY_MS = 2_000
PATIENCE_S = 8.0


class Pulse(QObject):
    """Asks a page for the sum of nothing, and says when no answer comes and when one comes after all."""

    lost = Signal()
    found = Signal()

    def __init__(
        self, page: QWebEnginePage, parent: QObject, patience_s: float = PATIENCE_S
    ) -> None:
        super().__init__(parent)
        self._page = page
        self._patience_s = patience_s
        self._asked_at: float | None = None
        self._round = 0
        self._is_lost = False
        self._timer = QTimer(self, interval=min(ASK_EVERY_MS, int(patience_s * 500)))
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
        elif not self._is_lost and time.monotonic() - self._asked_at > self._patience_s:
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
