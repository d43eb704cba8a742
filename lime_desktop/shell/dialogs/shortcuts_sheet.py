"""Every key of the window in one list, by what it is for. The rows are the commands themselves: none can be missing."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import get_args

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QScrollArea, QWidget

from lime_desktop.host.wording.texts import Texts
from lime_desktop.shell.dialogs.sheet import Sheet
from lime_desktop.shell.widgets.parts import button, label, line, row
from lime_desktop.shell.widgets.shortcuts import Group, Shortcut

_SIZE = QSize(620, 560)


class ShortcutsSheet(Sheet):
    """Read, scrolled with the arrows, closed with Escape."""

    def __init__(self, texts: Texts, shortcuts: Sequence[Shortcut], window: QWidget) -> None:
        super().__init__(window, texts("shortcuts.title"), _SIZE)
        self.column.setContentsMargins(20, 16, 20, 12)
        self.column.setSpacing(8)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setAccessibleName(texts("shortcuts.title"))
        area.setWidget(_table(texts, shortcuts))
        self._area = area
        closing = button(texts("shortcuts.close"), self.close_sheet)
        self.column.addWidget(label(texts("shortcuts.title"), "heading"))
        self.column.addWidget(line())
        self.column.addWidget(area, 1)
        self.column.addWidget(row(QWidget(), closing, stretch_at=0))

    def come_up(self) -> None:
        """Open, ready to be scrolled."""
        self.open(self._area)


def _table(texts: Texts, shortcuts: Sequence[Shortcut]) -> QWidget:
    made = QWidget()
    grid = QGridLayout(made)
    grid.setContentsMargins(0, 0, 8, 0)
    grid.setVerticalSpacing(6)
    grid.setColumnStretch(0, 1)
    at = 0
    for group in get_args(Group):
        heading = label(texts(f"shortcuts.{group}"), "overline")
        heading.setContentsMargins(0, 12 if at else 0, 0, 0)
        grid.addWidget(heading, at, 0, 1, 2)
        at += 1
        for words, keys in _rows(texts, [each for each in shortcuts if each.group == group]):
            grid.addWidget(label(words), at, 0)
            grid.addWidget(_keys_label(keys), at, 1)
            at += 1
    grid.setRowStretch(at, 1)
    return made


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
