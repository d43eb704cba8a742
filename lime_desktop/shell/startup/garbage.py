"""Collects cyclic garbage on the GUI thread only.

Python collects wherever the counter runs over: in a worker thread too. A QObject destroyed there takes its
timers and signal connections down under the GUI thread's feet, which now and then ends the process.
"""

import gc

from PySide6.QtCore import QObject, QTimer

_EVERY_MS = 1_000
_GENERATIONS = 3


class GuiThreadCollector(QObject):
    """From its creation to `stop`, garbage is collected between two events of this thread's loop."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        gc.disable()
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._collect_what_is_due)
        self._timer.start(_EVERY_MS)

    def stop(self) -> None:
        """Leave collecting to Python again, with nothing of Qt's left over for it."""
        self._timer.stop()
        gc.collect()
        gc.enable()

    def _collect_what_is_due(self) -> None:
        due = _due_generation(gc.get_count(), gc.get_threshold())
        if due is not None:
            gc.collect(due)


def _due_generation(counts: tuple[int, ...], thresholds: tuple[int, ...]) -> int | None:
    """The oldest generation that Python itself would collect now."""
    older_first = range(_GENERATIONS - 1, -1, -1)
    return next((each for each in older_first if counts[each] > thresholds[each]), None)
