"""What is shown only when somebody opens it: a line to press, and what it opens."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QToolButton, QVBoxLayout, QWidget

from lime_desktop.protocol.plain_text import plain_line
from lime_desktop.shell.appearance.icons import Icons
from lime_desktop.shell.layouts.edges import edge_to_edge
from lime_desktop.shell.layouts.flow import flow
from lime_desktop.shell.widgets.parts import button, no_mnemonic, row


class Fold(QWidget):
    """A link that opens one part. What is inside is made when it is opened for the first time."""

    def __init__(
        self, title: str, make: Callable[[], QWidget], icons: Icons, *, is_open: bool = False
    ) -> None:
        super().__init__()
        self._make = make
        self._icons = icons
        self._inside: QWidget | None = None
        self._head = button(title, self._follow, "link")
        self._head.setCheckable(True)
        self._head.setChecked(is_open)
        self._layout = edge_to_edge(QVBoxLayout(self), 8)
        self._layout.addWidget(row(self._head))
        self._follow()

    @property
    def is_open(self) -> bool:
        """Whether what is inside is shown."""
        return self._head.isChecked()

    def _follow(self) -> None:
        if self.is_open and self._inside is None:
            self._inside = self._make()
            self._layout.addWidget(self._inside)
        if self._inside is not None:
            self._inside.setVisible(self.is_open)
        sign = "chevron-down" if self.is_open else "chevron-right"
        self._icons.put_on(self._head, sign, "accent", side=14)


class Folds(QWidget):
    """Links side by side, and below them the parts that are open."""

    def __init__(self, icons: Icons, folded: Sequence[tuple[str, QWidget]]) -> None:
        super().__init__()
        self._icons = icons
        self._folded = [(button(title, lambda: None, "link"), part) for title, part in folded]
        layout = edge_to_edge(QVBoxLayout(self), 8)
        layout.addWidget(flow(*(opener for opener, _ in self._folded)))
        for opener, part in self._folded:
            opener.setCheckable(True)
            opener.toggled.connect(self._follow)
            part.hide()
            layout.addWidget(part)
        self._follow()

    def _follow(self) -> None:
        for opener, part in self._folded:
            is_open = opener.isChecked()
            sign = "chevron-down" if is_open else "chevron-right"
            self._icons.put_on(opener, sign, "accent", side=14)
            part.setVisible(is_open)


class DetailFold(QFrame):
    """A quiet line in a conversation or a run. What is inside is made when it is opened for the first time."""

    opening = Signal()
    """It is about to show what is inside."""

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
        self._layout = edge_to_edge(QVBoxLayout(self), 4)
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
        if is_open:
            self.opening.emit()
        if is_open and self._inside is None:
            self._inside = self._make()
            self._layout.addWidget(self._inside)
        if self._inside is not None:
            self._inside.setVisible(is_open)
        self._head.setChecked(is_open)
        down, right = Qt.ArrowType.DownArrow, Qt.ArrowType.RightArrow
        self._head.setArrowType(down if is_open else right)
