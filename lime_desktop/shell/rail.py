"""The strip at the left: home, one button per app, settings."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QFrame, QToolButton, QVBoxLayout


@dataclass(frozen=True, slots=True)
class RailItem:
    """One place to go."""

    name: str
    """What a person reads in the tip, and hears from a screen reader."""
    go: Callable[[], None]
    icon: QIcon | None = None
    sign: str = ""
    """Stands in for an icon."""
    is_current: bool = False


class Rail(QFrame):
    """Buttons one below the other; the last ones stand at the foot."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("rail")
        self.setFixedWidth(72)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(10, 12, 10, 12)
        self._column.setSpacing(6)

    def refill(self, top: list[RailItem], foot: list[RailItem]) -> None:
        """Show these places instead of what was there."""
        while (item := self._column.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        for each in top:
            self._column.addWidget(_button(each))
        self._column.addStretch(1)
        for each in foot:
            self._column.addWidget(_button(each))


def _button(item: RailItem) -> QToolButton:
    made = QToolButton()
    made.setProperty("role", "rail")
    made.setToolTip(item.name)
    made.setAccessibleName(item.name)
    made.setCheckable(True)
    made.setChecked(item.is_current)
    made.setFixedSize(52, 52)
    made.setCursor(Qt.CursorShape.PointingHandCursor)
    if item.icon is not None:
        made.setIcon(item.icon)
        made.setIconSize(QSize(32, 32))
    else:
        made.setText(item.sign)

    def press(_checked: bool) -> None:  # noqa: FBT001 - Qt sends it
        made.setChecked(item.is_current)
        item.go()

    made.clicked.connect(press)
    return made
