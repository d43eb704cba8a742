"""A table of a content: columns as wide as their words, short ones in one line, and to be scrolled where there is no room."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QScrollArea, QWidget

from lime_desktop.host.approvals.shown_values import ShownTable
from lime_desktop.shell.layouts.edges import edge_to_edge
from lime_desktop.shell.widgets.parts import label

_LINE = 26
"""Characters that stand in one line; what is longer wraps by its words."""
_WRAPPED_WIDTH = 200
_TALLEST = 180


class ShownRows(QScrollArea):
    """The rows under their head."""

    def __init__(self, table: ShownTable) -> None:
        super().__init__()
        self.setAccessibleName(table.name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        inside = QWidget()
        self._grid = edge_to_edge(QGridLayout(inside))
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(4)
        for at, name in enumerate(table.head):
            self._grid.addWidget(_cell(name, "small"), 0, at)
        for down, cells in enumerate(table.rows, 1):
            for at, cell in enumerate(cells):
                self._grid.addWidget(_cell(cell), down, at, Qt.AlignmentFlag.AlignTop)
        self._grid.setColumnStretch(len(table.head), 1)
        # Where both scroll bars meet, Qt would draw a corner of its own.
        self.setCornerWidget(QWidget())
        self.setWidget(inside)
        inside.installEventFilter(self)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt calls this
        """Follow what grows inside: words know how tall they are once they have their letters."""
        if watched is self.widget() and event.type() is QEvent.Type.LayoutRequest:
            self._fit()
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        across = self._grid.totalMinimumSize().width()
        bar = self.horizontalScrollBar().sizeHint().height()
        wanted = self._grid.totalHeightForWidth(max(across, self.viewport().width())) + bar
        height = min(max(wanted, self._grid.totalMinimumSize().height() + bar), _TALLEST)
        if height != self.height():
            self.setFixedHeight(height)


def _cell(text: str, role: str = "") -> QLabel:
    made = label(text, role)
    if len(text) <= _LINE:
        made.setWordWrap(False)
    else:
        made.setFixedWidth(_WRAPPED_WIDTH)
    return made
