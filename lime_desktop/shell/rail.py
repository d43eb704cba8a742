"""The strip at the left: home, one button per app, and at the foot what concerns the whole window."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QIcon, QKeyEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QToolButton, QVBoxLayout, QWidget

from lime_desktop.shell.parts import name_control
from lime_desktop.shell.signs import Signs

_WIDTH = 72
_SIDE = 48


@dataclass(frozen=True, slots=True)
class RailItem:
    """One place to go. Shows an app's own icon, or one of the shell's by name."""

    name: str
    """What a person reads in the tip, and hears from a screen reader."""
    go: Callable[[], None]
    icon: QIcon | None = None
    sign: str = ""
    is_current: bool = False


class Rail(QFrame):
    """Buttons one below the other; the arrow keys walk them. Many apps scroll, the foot stays."""

    def __init__(self, signs: Signs, name: str) -> None:
        super().__init__()
        self.setObjectName("rail")
        self.setAccessibleName(name)
        self.setFixedWidth(_WIDTH)
        self._signs = signs
        self._buttons: list[QToolButton] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 12, 0, 12)
        self._column.setSpacing(4)

    def refill(self, top: list[RailItem], foot: list[RailItem]) -> None:
        """Show these places instead of what was there; the focus stays at its place."""
        focused = self._focused()
        while (item := self._column.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self._buttons = [self._button(each) for each in (*top, *foot)]
        self._column.addWidget(_scrolled(self._buttons[: len(top)]), 1)
        for each in self._buttons[len(top) :]:
            self._column.addWidget(each, 0, Qt.AlignmentFlag.AlignHCenter)
        if focused is not None:
            self._buttons[min(focused, len(self._buttons) - 1)].setFocus()

    @property
    def has_keyboard(self) -> bool:
        """Whether one of its buttons has it."""
        return self._focused() is not None

    def take_keyboard(self) -> None:
        """Bring the keyboard to the place that is shown, or to the first."""
        chosen = next((each for each in self._buttons if each.isChecked()), self._buttons[0])
        chosen.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt calls this
        """Walk with the arrow keys; Enter goes where the keyboard is, as everywhere else."""
        if Qt.Key(event.key()) in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self._press_focused()
            return
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        step, at = steps.get(Qt.Key(event.key())), self._focused()
        if step is None or at is None:
            super().keyPressEvent(event)
            return
        self._buttons[(at + step) % len(self._buttons)].setFocus(Qt.FocusReason.TabFocusReason)

    def _press_focused(self) -> None:
        at = self._focused()
        if at is not None:
            self._buttons[at].click()

    def _focused(self) -> int | None:
        return next((at for at, each in enumerate(self._buttons) if each.hasFocus()), None)

    def _button(self, item: RailItem) -> QToolButton:
        made = QToolButton()
        made.setProperty("role", "rail")
        name_control(made, item.name)
        made.setCheckable(True)
        made.setChecked(item.is_current)
        made.setFixedSize(_SIDE, _SIDE)
        made.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        made.setCursor(Qt.CursorShape.PointingHandCursor)
        if item.icon is not None:
            made.setIcon(item.icon)
            made.setIconSize(QSize(32, 32))
        else:
            self._signs.put_on(made, item.sign, side=24)

        def press(_checked: bool) -> None:  # noqa: FBT001 - Qt sends it
            made.setChecked(item.is_current)
            item.go()

        made.clicked.connect(press)
        return made


def _scrolled(buttons: list[QToolButton]) -> QScrollArea:
    holder = QWidget()
    column = QVBoxLayout(holder)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(4)
    for each in buttons:
        column.addWidget(each, 0, Qt.AlignmentFlag.AlignHCenter)
    column.addStretch(1)
    area = QScrollArea()
    area.setFrameShape(QScrollArea.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(holder)
    return area
