"""Leads to one question by its name: that one comes to the front, and where it is open no more it is said. Never another."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from lime_desktop.host.approvals.approvals import Approvals

_AWAITED_MS = 1_500
"""What a run asks is on its page a moment before the window has read it."""


class QuestionSearch(QObject):
    """Looks for the question that was wanted last."""

    def __init__(
        self,
        parent: QObject,
        approvals: Approvals,
        found: Callable[[str], object],
        missed: Callable[[], object],
    ) -> None:
        super().__init__(parent)
        self._approvals = approvals
        self._found = found
        self._missed = missed
        self._name = ""
        self._late = QTimer(self, interval=_AWAITED_MS, singleShot=True)
        self._late.timeout.connect(self._give_up)
        self._leave = approvals.queue.watch(self._look)
        parent.destroyed.connect(self._leave)

    def seek(self, name: str) -> None:
        """Lead to the question of this name, or that a session or a run of this name asks."""
        self._name = name
        self._late.start()
        self._look()

    def _look(self) -> None:
        question_id = self._approvals.open_about(self._name) if self._name else None
        if question_id is not None:
            self._end()
            self._found(question_id)

    def _give_up(self) -> None:
        self._end()
        self._missed()

    def _end(self) -> None:
        self._name = ""
        self._late.stop()
