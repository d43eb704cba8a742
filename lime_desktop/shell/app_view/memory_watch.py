"""Does a page's process hold too much memory? The engine never says so: a page may take all that the machine has."""

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWebEngineCore import QWebEnginePage

from lime_desktop.host.view.process_memory import limit_memory, page_ceiling, resident_bytes

LOOK_EVERY_MS = 500
_HARD_BYTES = 2 * 1024**3
"""The kernel's own limit lies so much higher: it is for what grows faster than we look, and it counts what a process asked
for, of which an engine leaves half a gigabyte untouched. At it, a page hears that there is no more."""


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
        self._timer = QTimer(self, interval=LOOK_EVERY_MS)
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
