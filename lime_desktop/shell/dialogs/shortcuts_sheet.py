"""Every key of the window in one list, by what it is for. The rows are the commands themselves: none can be missing."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import get_args

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeySequence, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QScrollArea, QWidget

from lime_desktop.host.wording.texts import Texts
from lime_desktop.shell.dialogs.sheet import Sheet
from lime_desktop.shell.widgets.parts import button, label, line, row
from lime_desktop.shell.widgets.shortcuts import Group, Shortcut

_SIZE = QSize(620, 560)
_BETWEEN = 6
"""From the words of a row to those of the next."""


class ShortcutsSheet(Sheet):
    """Read, scrolled with the arrows, closed with Escape."""

    def __init__(self, texts: Texts, shortcuts: Sequence[Shortcut], window: QWidget) -> None:
        super().__init__(window, texts("shortcuts.title"), _SIZE)
        self.column.setContentsMargins(20, 16, 20, 12)
        self.column.setSpacing(8)
        area = self._area = _WholeRows(_Table(texts, shortcuts))
        area.setAccessibleName(texts("shortcuts.title"))
        closing = button(texts("shortcuts.close"), self.close_sheet)
        self.column.addWidget(label(texts("shortcuts.title"), "heading"))
        self.column.addWidget(line())
        self.column.addWidget(area, 1)
        self.column.addWidget(row(QWidget(), closing, stretch_at=0))

    def come_up(self) -> None:
        """Open with the keyboard in the list, ready to be scrolled."""
        self.open(self._area)


class _Table(QWidget):
    """Rows that are all of one height, those that head a group as well."""

    def __init__(self, texts: Texts, shortcuts: Sequence[Shortcut]) -> None:
        super().__init__()
        grid = self._grid = QGridLayout(self)
        grid.setContentsMargins(8, 0, 16, 0)
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(0, 1)
        self._lines: list[tuple[QLabel, QLabel]] = []
        self._count = 0
        for group in get_args(Group):
            heading = label(texts(f"shortcuts.{group}"), "overline")
            grid.addWidget(heading, self._count, 0, 1, 2, Qt.AlignmentFlag.AlignBottom)
            self._count += 1
            for words, keys in _rows(texts, [each for each in shortcuts if each.group == group]):
                self._add(label(words), _keys_label(keys))
        grid.setRowStretch(self._count, 1)

    def fit(self, width: int) -> int:
        """Make every row as high as the highest is at this width; how high that is."""
        keys = max(right.sizeHint().width() for _, right in self._lines)
        margins = self._grid.contentsMargins()
        taken = margins.left() + margins.right() + self._grid.horizontalSpacing() + keys
        high = max(left.heightForWidth(width - taken) for left, _ in self._lines) + _BETWEEN
        for at in range(self._count):
            self._grid.setRowMinimumHeight(at, high)
        # Said of the whole as well: the area around it may have measured the rows before, and would squeeze them.
        self.setMinimumHeight(high * self._count)
        return high

    def _add(self, words: QLabel, keys: QLabel) -> None:
        self._lines.append((words, keys))
        self._grid.addWidget(words, self._count, 0)
        self._grid.addWidget(keys, self._count, 1)
        self._count += 1


class _WholeRows(QScrollArea):
    """Scrolls by rows: one that is cut at the edge reads as if nothing came after it."""

    def __init__(self, table: _Table) -> None:
        super().__init__()
        self._table = table
        self.setProperty("role", "rows")
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(table)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt calls this
        """Leave the room of a part of a row empty."""
        super().resizeEvent(event)
        high = self._table.fit(self.viewport().width())
        self.verticalScrollBar().setSingleStep(high)
        self.setViewportMargins(0, 0, 0, self.contentsRect().height() % high)


def _rows(texts: Texts, shortcuts: Sequence[Shortcut]) -> Iterator[tuple[str, str]]:
    """A line for each command; those that differ by a number share one."""
    listed = [
        each for each in shortcuts if each.keys and (each.is_offered() or each.group != "page")
    ]
    for key, alike in groupby(listed, lambda each: each.key):
        first, *others = alike
        all_keys = [first.shown_keys, *(_native(keys) for keys in first.also)]
        shown = f"{first.shown_keys} … {others[-1].shown_keys}" if others else ", ".join(all_keys)
        yield texts(f"command.{key}"), shown


def _native(keys: str) -> str:
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)


def _keys_label(keys: str) -> QLabel:
    made = label(keys, "muted")
    made.setWordWrap(False)
    made.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    return made
