"""Something that is there when wanted: a line to press, and what it opens."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QToolButton, QVBoxLayout, QWidget

from lime_desktop.protocol.plain_text import plain_line
from lime_desktop.shell.widgets.parts import no_mnemonic


class Fold(QFrame):
    """Closed at first; what is inside is made when it is opened for the first time."""

    def __init__(self, title: str, make: Callable[[], QWidget]) -> None:
        super().__init__()
        self._make = make
        self._inside: QWidget | None = None
        self._head = QToolButton()
        self._head.setCheckable(True)
        self._head.setProperty("role", "fold")
        self._head.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._head.setArrowType(Qt.ArrowType.RightArrow)
        self._head.setCursor(Qt.CursorShape.PointingHandCursor)
        self._head.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._head.toggled.connect(self.set_open)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(4)
        self._layout.addWidget(self._head)
        self.set_title(title)

    @property
    def inside(self) -> QWidget | None:
        """What was opened, once it was."""
        return self._inside

    def set_title(self, title: str) -> None:
        """Another line to press."""
        self._head.setText(no_mnemonic(plain_line(title)))
        self._head.setAccessibleName(plain_line(title))

    def set_open(self, is_open: bool) -> None:  # noqa: FBT001 - Qt sends it
        """Open it, or close it again."""
        if is_open and self._inside is None:
            self._inside = self._make()
            self._layout.addWidget(self._inside)
        if self._inside is not None:
            self._inside.setVisible(is_open)
        self._head.setChecked(is_open)
        down, right = Qt.ArrowType.DownArrow, Qt.ArrowType.RightArrow
        self._head.setArrowType(down if is_open else right)
