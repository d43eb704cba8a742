"""A button as tall as its words: what a line of a list is pressed as. Decides nothing of what it leads to."""

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy

from lime_desktop.shell.widgets.parts import label


class TallButton(QPushButton):
    """A button around whatever stands in it, of which none takes a press for itself."""

    def __init__(self, inside: QHBoxLayout) -> None:
        super().__init__()
        self.setProperty("role", "step")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._inside = inside
        self.setLayout(inside)
        policy = self.sizePolicy()
        policy.setHeightForWidth(True)
        # A button shrinks no further than its words want on one line; these wrap.
        policy.setHorizontalPolicy(QSizePolicy.Policy.Preferred)
        self.setSizePolicy(policy)

    def hasHeightForWidth(self) -> bool:  # noqa: N802 - Qt calls this
        """Words wrap."""
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802 - Qt calls this
        """As tall as its words."""
        return self._inside.heightForWidth(width)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt calls this
        """As its words want."""
        return self._inside.sizeHint()

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt calls this
        """As its words need."""
        return self._inside.minimumSize()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt calls this
        """Enter, beside what every button knows."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.click()
        else:
            super().keyPressEvent(event)


class WordsButton(TallButton):
    """A sentence to press."""

    def __init__(self, words: str, pressed: Callable[[], object]) -> None:
        text = label(words)
        text.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        text.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        inside = QHBoxLayout()
        inside.setContentsMargins(6, 4, 6, 4)
        inside.addWidget(text, 1)
        super().__init__(inside)
        self.setAccessibleName(text.text())

        def press(_checked: bool = False) -> None:  # noqa: FBT001, FBT002 - Qt sends it
            pressed()

        self.clicked.connect(press)
