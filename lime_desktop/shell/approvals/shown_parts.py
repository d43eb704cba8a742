"""The content of a question on screen, as it will be: read, scrolled and copied, never loaded or followed."""

import json
from collections.abc import Iterable
from typing import assert_never

from pydantic import JsonValue
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QPlainTextEdit, QWidget

from lime_desktop.host.approvals.shown_difference import LineKind
from lime_desktop.host.approvals.shown_values import (
    Shown,
    ShownAddress,
    ShownDifference,
    ShownFacts,
    ShownPicture,
    ShownTable,
    ShownWords,
)
from lime_desktop.host.wording.texts import Texts
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.approvals.bounded_area import BoundedArea
from lime_desktop.shell.approvals.shown_rows import ShownRows
from lime_desktop.shell.dialogs.questions import shown_address
from lime_desktop.shell.layouts.edges import edge_to_edge
from lime_desktop.shell.markdown.message_text import MessageText
from lime_desktop.shell.widgets.parts import column, icon_label, label

_PICTURE_SIDE = 192
_SIGNS = {"added": "+", "removed": "\N{MINUS SIGN}", "same": " "}
_MOST_LINES = 12


class ShownContent(BoundedArea):
    """The parts of a content in a frame of their own: what stands in it are somebody else's words."""

    def __init__(self, parts: Iterable[Shown], look: Look) -> None:
        inside = column(*(_widget(each, look) for each in parts))
        inside.setContentsMargins(12, 10, 12, 10)
        super().__init__(inside)
        self.setProperty("role", "well")
        self.setAccessibleName(look.texts("reviewing.content"))


def _widget(part: Shown, look: Look) -> QWidget:
    match part:
        case ShownWords():
            return _titled(part.name, _message(part.name, part.text))
        case ShownTable():
            more = look.texts("asking.more", count=part.left_out) if part.left_out else ""
            below = [label(more, "small")] if more else []
            return _titled(part.name, ShownRows(part), *below)
        case ShownDifference():
            return _titled(part.name, _difference(part))
        case ShownAddress():
            return _titled(part.name, shown_address(part.url))
        case ShownPicture():
            size = max(len(part.data) // 1024, 1)
            words = look.texts("asking.picture", size=size)
            theme = look.appearance.theme.tokens
            icon = look.appearance.pictures.icon(
                part.data, words, theme["--lime-accent"], theme["--lime-accent-text"]
            )
            return _titled(part.name, icon_label(icon, _PICTURE_SIDE), label(words, "small"))
        case ShownFacts():
            return _facts(part)
        case _:
            assert_never(part)


def _titled(name: str, *parts: QWidget) -> QWidget:
    return column(label(name, "small"), *parts, spacing=2) if name else column(*parts, spacing=2)


def _message(name: str, text: str) -> MessageText:
    made = MessageText(name)
    made.show_words(text)
    return made


def _difference(part: ShownDifference) -> QWidget:
    """A line each, told apart by a sign as well as by its colour."""
    return column(*(_line(kind, text) for kind, text in part.lines), spacing=0)


def _line(kind: LineKind, text: str) -> QWidget:
    if kind == "place":
        # In the letters of the window: it is not a line of the text.
        made = label(text, "small")
        made.setContentsMargins(6, 6, 6, 2)
        return made
    made = label(f"{_SIGNS[kind]} {text}".rstrip() or " ", "diff")
    made.setProperty("tone", {"added": "ok", "removed": "danger"}.get(kind, ""))
    return made


def _facts(part: ShownFacts) -> QWidget:
    made = QWidget()
    grid = edge_to_edge(QGridLayout(made))
    grid.setHorizontalSpacing(12)
    grid.setVerticalSpacing(4)
    grid.setColumnStretch(1, 1)
    for at, (name, value) in enumerate(part.rows):
        if name:
            grid.addWidget(label(name, "muted"), at, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(label(value), at, 1)
        else:
            grid.addWidget(label(value), at, 0, 1, 2)
    return made


def exact_values(head: str, value: JsonValue, texts: Texts) -> QPlainTextEdit:
    """The values of a question as they came, to read and copy, with a line of the host above."""
    text = json.dumps(value, indent=2, ensure_ascii=False)
    box = QPlainTextEdit(f"{head}\n{text}")
    box.setReadOnly(True)
    box.setProperty("role", "mono")
    box.setTabChangesFocus(True)
    box.setAccessibleName(texts("asking.exact"))
    lines = min(text.count("\n") + 3, _MOST_LINES)
    box.setFixedHeight(lines * box.fontMetrics().lineSpacing() + 16)
    return box
