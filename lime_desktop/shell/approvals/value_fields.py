"""One value of a content as it is typed: its kind by what the app says of it, else by what it holds. Knows no question."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, cast

from pydantic import JsonValue
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QPlainTextEdit

from lime_desktop.host.approvals.typed_values import Unclear, is_day, read_date, read_number
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.plain_text import plain_line
from lime_desktop.protocol.runtime.threads import FieldTitle
from lime_desktop.shell.widgets.parts import combo_box
from lime_desktop.shell.widgets.typed_json import read_typed_json

_MOST_LINES = 12
_LONGEST_LINE = 48
_MOST_CHANGED = 60_000
"""Characters of one field that can be changed here; a longer one can be read, approved and rejected."""

Kind = Literal["number", "integer", "date", "text", "words", "boolean", "choice", "json"]
Box = QLineEdit | QPlainTextEdit | QCheckBox | QComboBox


class NotReadable(Exception):
    """What was typed is not what the field holds; its text says which, and what is wanted."""


@dataclass(frozen=True, slots=True)
class ValueField:
    """One value, the box it is typed in, and how that is read again."""

    title: str
    value: JsonValue
    kind: Kind
    box: Box
    told: FieldTitle | None = None

    @property
    def is_wide(self) -> bool:
        """Whether it needs the whole width."""
        return isinstance(self.box, QPlainTextEdit)

    @property
    def is_changed(self) -> bool:
        """Whether something else was typed."""
        return typed_in(self.box) != shown_in(self.box, self.value)

    def put(self, value: JsonValue) -> None:
        """Fill in what was typed before."""
        _put(self.box, value)

    def read(self, texts: Texts) -> JsonValue:
        """What it holds now. What nobody touched keeps its exact value.

        Raises:
            NotReadable: it is no value of this kind.
        """
        if not self.is_changed:
            return self.value
        try:
            return self._read()
        except Unclear:
            wrong = "reviewing.unclear"
        except ValueError:
            wrong = _WRONG.get(self.kind, "reviewing.unreadable")
        raise NotReadable(texts(wrong, field=self.title))

    def _read(self) -> JsonValue:
        typed = typed_in(self.box)
        if not isinstance(typed, str):
            return typed
        if not typed.strip() and self._may_be_empty:
            return None
        return _READ[self.kind](typed)

    @property
    def _may_be_empty(self) -> bool:
        is_told = self.told is not None and self.told.can_be_empty is True
        return self.value is None or (is_told and self.kind != "text")


def make_field(
    value: JsonValue,
    title: str,
    told: FieldTitle | None,
    texts: Texts,
    changed: Callable[[], object],
    *,
    is_alone: bool = False,
) -> ValueField:
    """The field of one value; a text that is alone is one to be written in, however short."""
    kind = "words" if is_alone and isinstance(value, str) else _kind(value, told)
    field = ValueField(title, value, kind, _box(kind, value, told, texts), told)
    field.box.setAccessibleName(title)
    _follow(field.box, changed)
    return field


def written(value: JsonValue) -> str:
    """A value as a text that can be changed; nothing for what holds nothing."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)


def typed_in(box: Box) -> JsonValue:
    """What stands in a box."""
    match box:
        case QLineEdit():
            return box.text()
        case QPlainTextEdit():
            return box.toPlainText()
        case QCheckBox():
            return box.isChecked()
        case QComboBox():
            return cast("JsonValue", box.currentData())


def shown_in(box: Box, value: JsonValue) -> JsonValue:
    """What stands in a box while nobody has touched it."""
    return written(value) if isinstance(box, QLineEdit | QPlainTextEdit) else value


def set_read_only(box: Box) -> None:
    """Let it be read, and not changed."""
    if isinstance(box, QLineEdit | QPlainTextEdit):
        box.setReadOnly(True)
    else:
        box.setEnabled(False)


def _kind(value: JsonValue, told: FieldTitle | None) -> Kind:
    match value:
        case bool():
            return "boolean"
        case list() | dict():
            return "json"
        case int() | float():
            return "integer" if told is not None and told.kind == "integer" else "number"
        case _:
            return _kind_of_text(value or "") if told is None else _told_kind(value, told)


def _told_kind(value: str | None, told: FieldTitle) -> Kind:
    """The kind of a text, or of what holds nothing yet, that the app says something of."""
    if told.choices and (value is None or value in told.choices):
        return "choice"
    match told.kind:
        case "number" | "integer" | "date":
            return told.kind
        case "boolean" if value is None:
            return "boolean"
        case _:
            return _kind_of_text(value or "")


def _kind_of_text(text: str) -> Kind:
    if is_day(text):
        return "date"
    return "text" if len(text) <= _LONGEST_LINE and "\n" not in text else "words"


def _box(kind: Kind, value: JsonValue, told: FieldTitle | None, texts: Texts) -> Box:
    match kind:
        case "boolean" if value is not None:
            box = QCheckBox()
            box.setChecked(value is True)
            return box
        case "boolean":
            return _choice(value, [(texts("asking.yes"), True), (texts("asking.no"), False)])
        case "choice":
            choices = told.choices if told is not None and told.choices else ()
            return _choice(value, [(plain_line(each), each) for each in choices])
        case "words" | "json":
            return _words(written(value), is_json=kind == "json")
        case _:
            box = QLineEdit(written(value))
            box.setCursorPosition(0)
            if kind == "date":
                box.setPlaceholderText("2026-05-31")
            return box


def _choice(value: JsonValue, choices: list[tuple[str, JsonValue]]) -> QComboBox:
    box = combo_box()
    if value is None:
        box.addItem("", None)
    for words, each in choices:
        box.addItem(words, each)
    _put(box, value)
    return box


def _words(text: str, *, is_json: bool) -> QPlainTextEdit:
    box = QPlainTextEdit(text)
    box.setTabChangesFocus(True)
    box.setReadOnly(len(text) > _MOST_CHANGED)
    if is_json:
        box.setProperty("role", "mono")
    lines = min(max(text.count("\n") + 1 + len(text) // 45, 2), _MOST_LINES)
    box.setFixedHeight(lines * box.fontMetrics().lineSpacing() + 18)
    return box


def _put(box: Box, value: JsonValue) -> None:
    match box:
        case QLineEdit():
            box.setText(written(value))
        case QPlainTextEdit():
            box.setPlainText(written(value))
        case QCheckBox():
            box.setChecked(value is True)
        case QComboBox():
            box.setCurrentIndex(max(box.findData(value), 0))


def _follow(box: Box, changed: Callable[[], object]) -> None:
    def tell(*_: object) -> None:
        changed()

    match box:
        case QLineEdit() | QPlainTextEdit():
            box.textChanged.connect(tell)
        case QCheckBox():
            box.toggled.connect(tell)
        case QComboBox():
            box.currentIndexChanged.connect(tell)


def _whole(text: str) -> int:
    number = read_number(text)
    if number != int(number):
        raise ValueError("a part of it is left")
    return int(number)


_READ: dict[Kind, Callable[[str], JsonValue]] = {
    "number": read_number,
    "integer": _whole,
    # A text stays one, also where there is no day any more.
    "date": lambda text: read_date(text) if text.strip() else "",
    "text": str,
    "words": str,
    "json": read_typed_json,
}
_WRONG: dict[Kind, str] = {
    "number": "reviewing.number",
    "integer": "reviewing.whole",
    "date": "reviewing.date",
}
