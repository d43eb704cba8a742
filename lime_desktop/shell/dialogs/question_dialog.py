"""A question in a window of the host's own: plain words, whatever they come from, and a no that is always the default."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QPushButton, QVBoxLayout, QWidget

from lime_desktop.protocol.plain_text import plain_line
from lime_desktop.shell.dialogs.input_guard import InputGuard
from lime_desktop.shell.widgets.parts import button, label, row

_WIDTH = 460


class QuestionDialog(QDialog):
    """Says what is asked; accepted by its yes, and left by everything else."""

    def __init__(self, parent: QWidget, title: str, text: str, *parts: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(plain_line(title))
        self.setAccessibleName(plain_line(text))
        self.setMinimumWidth(_WIDTH)
        self._answers: list[QPushButton] = []
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(20, 20, 20, 16)
        self._layout.setSpacing(12)
        self._layout.addWidget(label(text))
        for part in parts:
            self._layout.addWidget(part)

    @property
    def answers(self) -> tuple[QPushButton, ...]:
        """The buttons that say yes, in their order."""
        return tuple(self._answers)

    def offer(self, no: str, *answers: QPushButton) -> None:
        """Show the buttons: those that say yes, and the way out, which Enter takes unless a yes has the keyboard."""
        self._answers = list(answers)
        leaving = button(no, self.reject)
        for each in answers:
            each.clicked.connect(self.accept)
        # Room before them, so that they stand where answers stand everywhere.
        room = QWidget()
        self._layout.addWidget(row(room, leaving, *answers, stretch_at=0))
        leaving.setDefault(True)
        leaving.setFocus(Qt.FocusReason.OtherFocusReason)

    def guard(self) -> None:
        """Take no input that was on its way elsewhere: an app caused this."""
        InputGuard(self, self._arm)

    def _arm(self, is_open: bool) -> None:  # noqa: FBT001 - the guard's word
        for each in self._answers:
            each.setEnabled(is_open)
