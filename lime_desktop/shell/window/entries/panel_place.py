"""Panels beside the entry that they belong to, in its own tab: how they stand there, and how wide.

A panel stands at the side of its entry while there is room for both, and below it where there is not. The person sizes
it by the line between, and closes it by its own button or key. Knows surfaces; knows nothing of what they show.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSplitter, QVBoxLayout, QWidget

from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.layouts.edges import edge_to_edge
from lime_desktop.shell.surfaces.identity_bar import IdentityBar
from lime_desktop.shell.surfaces.surface import Surface
from lime_desktop.shell.widgets.parts import icon_button, label, name_control

Side = Literal["left", "right", "bottom"]

USUAL_WIDTH = 340
_LEAST_WIDTH = 240
_LEAST_HEIGHT = 160
_LEAST_PAGE = 380
"""What an entry keeps beside its panel; with less, the panel goes below it."""
_SHARE_BELOW = 0.45


@dataclass(frozen=True, slots=True)
class PanelWish:
    """How a panel would like to stand: as its app declares it, or as the person left it."""

    side: Side = "right"
    width: int = USUAL_WIDTH


class PanelFrame(QFrame):
    """One panel under the host's own line, which names it and closes it; no page reaches that line."""

    def __init__(self, look: Look, surface: Surface, close: Callable[[Surface], object]) -> None:
        super().__init__()
        self.setObjectName("panel")
        self._look = look
        self._title = label("", "section")
        self._title.setTextFormat(Qt.TextFormat.PlainText)
        self._bar: IdentityBar | None = None
        self._closing = icon_button("", lambda: close(self.surface))
        look.icons.put_on(self._closing, "close", "text-muted", 14)
        self._line = QHBoxLayout()
        self._line.setContentsMargins(12, 0, 4, 0)
        self._line.addWidget(self._title, 1)
        self._line.addWidget(self._closing)
        self._layout = edge_to_edge(QVBoxLayout(self), 0)
        self._layout.addLayout(self._line)
        self.surface = surface
        self._put(surface)

    def name(self, title: str) -> None:
        """Say whose panel it is, in the language of now."""
        self._title.setText(title)
        self.setAccessibleName(title)
        name_control(self._closing, self._look.texts("tabs.close.named", name=title))

    @property
    def title(self) -> QLabel:
        """The words that name it."""
        return self._title

    def swap(self, surface: Surface) -> None:
        """Show another surface in the place of the one before, which the caller lets go of."""
        self._drop_bar()
        self._layout.removeWidget(self.surface)
        self.surface.hide()
        self.surface = surface
        self._put(surface)

    def _put(self, surface: Surface) -> None:
        self._layout.addWidget(surface, 1)
        surface.show()
        self._bar = surface.findChild(IdentityBar)
        if self._bar is not None:
            # Before the button that closes: what the shell offers for the panel stands in one line with it.
            self._line.insertWidget(1, self._bar)

    def _drop_bar(self) -> None:
        if self._bar is not None:
            self._line.removeWidget(self._bar)
            self._bar.hide()
            self._bar.deleteLater()


class PanelPlace(QSplitter):
    """An entry's own content and its panels, in the entry's tab."""

    resized = Signal()
    """The person moved the line between the entry and its panels."""

    def __init__(self, owner: Surface, wish: PanelWish) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._owner = owner
        self._side: Side = wish.side
        self._width = max(_LEAST_WIDTH, wish.width)
        self._main = QWidget()
        self._main.setMinimumWidth(_LEAST_WIDTH)
        self._column = QSplitter(Qt.Orientation.Vertical)
        for each in (self, self._column):
            each.setChildrenCollapsible(False)
        # Qt takes the widgets along with their layout.
        layout = owner.layout()
        if layout is not None:
            self._main.setLayout(layout)
        edge_to_edge(QVBoxLayout(owner), 0).addWidget(self)
        self.addWidget(self._main)
        self.insertWidget(0 if self._side == "left" else 1, self._column)
        self.setStretchFactor(self.indexOf(self._main), 1)
        self._frames: list[PanelFrame] = []
        self.splitterMoved.connect(self._note_width)
        self._arrange()

    @property
    def owner(self) -> Surface:
        """The entry that they belong to."""
        return self._owner

    @property
    def side(self) -> Side:
        """Where they stand while there is room."""
        return self._side

    @property
    def frames(self) -> tuple[PanelFrame, ...]:
        """The panels, in the order in which they were opened."""
        return tuple(self._frames)

    @property
    def width_wanted(self) -> int:
        """How wide the panels are beside the entry, or will be once there is room."""
        return self._width

    @property
    def is_below(self) -> bool:
        """Whether the panels stand below the entry."""
        return self.orientation() is Qt.Orientation.Vertical

    def add(self, frame: PanelFrame) -> None:
        """Put one more below those that are there."""
        frame.setMinimumSize(_LEAST_WIDTH, _LEAST_HEIGHT)
        self._frames.append(frame)
        self._column.addWidget(frame)
        frame.show()
        self._size()

    def remove(self, frame: PanelFrame) -> None:
        """Take one away, with what it showed: a page must not be left without a window for a moment."""
        self._frames.remove(frame)
        frame.hide()
        frame.deleteLater()

    def widen(self, by: int) -> None:
        """Give the panels more room or less, as far as the entry keeps enough: for whoever has no pointer."""
        if self.is_below:
            first, own = self.sizes()
            self.setSizes([first - by, own + by])
            return
        most = max(_LEAST_WIDTH, self.width() - _LEAST_PAGE)
        self._width = min(most, max(_LEAST_WIDTH, self._width + by))
        self._size()
        self.resized.emit()

    def release(self) -> None:
        """Give the entry its tab back: the last panel is gone."""
        around = self._owner.layout()
        if around is not None:
            around.removeWidget(self)
            # A layout leaves its widget only for another one.
            QWidget().setLayout(around)
        own = self._main.layout()
        if own is not None:
            self._owner.setLayout(own)
        self.hide()
        self.deleteLater()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt calls this
        """Stand beside or below, as there is room."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        has_room = self.width() >= _LEAST_PAGE + _LEAST_WIDTH
        across = Qt.Orientation.Horizontal
        wanted = across if has_room and self._side != "bottom" else Qt.Orientation.Vertical
        if wanted is not self.orientation():
            self.setOrientation(wanted)
            first = self._column if self._side == "left" and wanted is across else self._main
            self.insertWidget(0, first)
        elif wanted is not across:
            return  # as the person left it
        self._size()

    def _size(self) -> None:
        if self.is_below:
            own = round(self.height() * _SHARE_BELOW)
            self.setSizes([self.height() - own, own])
            return
        own = min(self._width, max(_LEAST_WIDTH, self.width() - _LEAST_PAGE))
        rest = max(1, self.width() - own)
        self.setSizes([own, rest] if self._side == "left" else [rest, own])

    def _note_width(self) -> None:
        if not self.is_below:
            self._width = self._column.width()
            self.resized.emit()
