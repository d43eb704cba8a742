"""The strip at the left: home, one button per app, and at the foot what concerns the whole window.

Where one app is opened alone there is no such strip, but a bar across the top with the same places and no apps.
"""

from functools import partial

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QScrollArea, QVBoxLayout, QWidget

from lime_desktop.shell.appearance.icons import Icons
from lime_desktop.shell.layouts.edges import edge_to_edge
from lime_desktop.shell.window.rail.button import RailButton, RailItem

_WIDTH = 72
_HEIGHT = 56
_DOWN = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
_ACROSS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}


class Rail(QFrame):
    """Buttons one below the other, or beside each other; the arrow keys walk them. Many apps scroll, the foot stays.

    What has a key can be moved: by the mouse, with Alt and the arrow keys, and from its menu.
    """

    reordered = Signal(tuple)
    """The person moved something: every key in its new order."""

    def __init__(self, icons: Icons, name: str, *, is_across: bool = False) -> None:
        super().__init__()
        self.setObjectName("rail")
        self.setAccessibleName(name)
        self._is_across = is_across
        if is_across:
            self.setFixedHeight(_HEIGHT)
        else:
            self.setFixedWidth(_WIDTH)
        self._icons = icons
        self._buttons: list[RailButton] = []
        self._movable = QVBoxLayout()
        along = QBoxLayout.Direction.LeftToRight if is_across else QBoxLayout.Direction.TopToBottom
        self._column = QBoxLayout(along, self)
        self._column.setContentsMargins(*((12, 0, 12, 0) if is_across else (0, 12, 0, 12)))
        self._column.setSpacing(4)

    def refill(self, top: list[RailItem], foot: list[RailItem]) -> None:
        """Show these places instead of what was there; the focus stays at its place."""
        focused = self._focused()
        held = None if focused is None else self._buttons[focused].item.key
        while (item := self._column.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self._buttons = [self._button(each) for each in (*top, *foot)]
        if self._is_across:
            self._column.addWidget(_beside(self._buttons[: len(top)]), 1)
        else:
            self._column.addWidget(self._scrolled(self._buttons[: len(top)]), 1)
        for each in self._buttons[len(top) :]:
            self._column.addWidget(each, 0, Qt.AlignmentFlag.AlignCenter)
        if focused is not None:
            same = (at for at, each in enumerate(self._buttons) if held and each.item.key == held)
            self._buttons[next(same, min(focused, len(self._buttons) - 1))].setFocus()

    @property
    def has_keyboard(self) -> bool:
        """Whether one of its buttons has it."""
        return self._focused() is not None

    @property
    def order(self) -> tuple[str, ...]:
        """The keys of what can be moved, from top to bottom."""
        return tuple(each.item.key for each in self._moved())

    def take_keyboard(self) -> None:
        """Bring the keyboard to the place that is shown, or to the first."""
        chosen = next((each for each in self._buttons if each.isChecked()), self._buttons[0])
        chosen.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def move_by(self, key: str, step: int) -> None:
        """Move something up or down among what can be moved; at the end it stays."""
        order = [*self.order]
        at = order.index(key)
        target = min(max(at + step, 0), len(order) - 1)
        order.insert(target, order.pop(at))
        if tuple(order) != self.order:
            self.reordered.emit(tuple(order))

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt calls this
        """Walk with the arrow keys, move with Alt held; Enter goes where the keyboard is, as everywhere else."""
        at = self._focused()
        step = (_ACROSS if self._is_across else _DOWN).get(Qt.Key(event.key()))
        if at is None or (step is None and not _is_enter(event)):
            super().keyPressEvent(event)
        elif step is None:
            self._buttons[at].click()
        elif Qt.KeyboardModifier.AltModifier in event.modifiers():
            if self._buttons[at].item.key:
                self.move_by(self._buttons[at].item.key, step)
        else:
            following = self._buttons[(at + step) % len(self._buttons)]
            following.setFocus(Qt.FocusReason.TabFocusReason)

    def _focused(self) -> int | None:
        return next((at for at, each in enumerate(self._buttons) if each.hasFocus()), None)

    def _button(self, item: RailItem) -> RailButton:
        made = RailButton(item, self._icons)
        made.walked.connect(self.keyPressEvent)
        made.dragged.connect(partial(self._drag, made))
        made.dropped.connect(lambda: self.reordered.emit(self.order))
        return made

    def _moved(self) -> list[RailButton]:
        """What can be moved, in the order in which it stands."""
        items = (self._movable.itemAt(at) for at in range(self._movable.count()))
        found = (each.widget() for each in items if each is not None)
        return [each for each in found if isinstance(each, RailButton)]

    def _drag(self, button: RailButton, place: QPoint) -> None:
        """Let the others make room where the pointer is."""
        others = [each for each in self._moved() if each is not button]
        y = self.mapFromGlobal(place).y()
        middles = [each.mapTo(self, each.rect().center()).y() for each in others]
        at = sum(middle < y for middle in middles)
        if self._moved().index(button) != at:
            self._movable.removeWidget(button)
            self._movable.insertWidget(at, button, 0, Qt.AlignmentFlag.AlignHCenter)

    def _scrolled(self, buttons: list[RailButton]) -> QScrollArea:
        holder = QWidget()
        column = edge_to_edge(QVBoxLayout(holder), 4)
        self._movable = QVBoxLayout()
        self._movable.setSpacing(4)
        for each in buttons:
            into = self._movable if each.item.key else column
            into.addWidget(each, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addLayout(self._movable)
        column.addStretch(1)
        area = QScrollArea()
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(holder)
        return area


def _beside(buttons: list[RailButton]) -> QWidget:
    holder = QWidget()
    row = edge_to_edge(QBoxLayout(QBoxLayout.Direction.LeftToRight, holder), 4)
    for each in buttons:
        row.addWidget(each, 0, Qt.AlignmentFlag.AlignCenter)
    row.addStretch(1)
    return holder


def _is_enter(event: QKeyEvent) -> bool:
    return Qt.Key(event.key()) in {Qt.Key.Key_Return, Qt.Key.Key_Enter}
