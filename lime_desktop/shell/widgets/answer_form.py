"""A form for what an agent or a workflow wants to know: one field for each property of its schema. Knows no queue."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QLineEdit, QPlainTextEdit, QWidget

from lime_desktop.app_package.fillable import can_be_filled_in
from lime_desktop.host.appearance.package_face import in_language
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.plain_text import plain_line, plain_name
from lime_desktop.shell.widgets.parts import column, label, no_mnemonic
from lime_desktop.shell.widgets.typed_json import read_typed_json

_NUMBERS: Mapping[str, Callable[[str], int | float]] = {"integer": int, "number": float}


class NotFilled(Exception):
    """A field lacks an answer or has one of another kind; its text says which."""


@dataclass(frozen=True, slots=True)
class _Field:
    name: str
    title: str
    widget: QWidget
    read: Callable[[], object]
    """The answer, None where there is none; ValueError where it is of another kind."""
    is_needed: bool


class AnswerForm:
    """The fields of one schema. What no field can show is asked as JSON."""

    def __init__(self, schema: JsonObject, texts: Texts, whole: str = "approval.form.json") -> None:
        self._texts = texts
        self._whole_words = texts(whole)
        self._fields = _fields(schema, texts.locale)
        self._whole = None if self._fields else _text_box()
        self._marks = {field.name: _mark(field) for field in self._fields}

    def widget(self) -> QWidget:
        """The form to be shown."""
        if self._whole is not None:
            self._whole.setAccessibleName(self._whole_words)
            return column(label(self._whole_words, "muted"), self._whole)
        parts: list[QWidget] = []
        for field in self._fields:
            if not isinstance(field.widget, QCheckBox):
                mark = " *" if field.is_needed else ""
                parts.append(label(f"{field.title}{mark}", "muted"))
            parts += [field.widget, self._marks[field.name]]
        return column(*parts, spacing=4)

    def mark(self, wrong: Mapping[str, str]) -> bool:
        """Say beside each field what is wrong with it, and lead to the first; tells whether there was a field for any."""
        found = [field for field in self._fields if field.name in wrong]
        for name, shown in self._marks.items():
            shown.setText(wrong.get(name, ""))
            shown.setVisible(name in wrong)
        if found:
            found[0].widget.setFocus(Qt.FocusReason.OtherFocusReason)
        return bool(found)

    def values(self) -> JsonObject:
        """What was filled in.

        Raises:
            NotFilled: something is missing or of another kind.
        """
        if self._whole is not None:
            return self._read_whole(self._whole.toPlainText())
        found: dict[str, Any] = {}
        for field in self._fields:
            answer = self._read(field)
            if answer is not None:
                found[field.name] = answer
        return found

    def put(self, values: JsonObject) -> None:
        """Fill in what was answered before, as far as there are fields for it."""
        if self._whole is not None:
            self._whole.setPlainText(json.dumps(values, indent=2, ensure_ascii=False))
        for field in self._fields:
            value = values.get(field.name)
            if isinstance(field.widget, QLineEdit):
                field.widget.setText("" if value is None else str(value))
            elif isinstance(field.widget, QCheckBox):
                field.widget.setChecked(value is True)
            elif isinstance(field.widget, QComboBox):
                field.widget.setCurrentIndex(max(field.widget.findData(value), 0))

    def _read(self, field: _Field) -> object:
        try:
            answer = field.read()
        except ValueError:
            raise NotFilled(self._texts("approval.form.kind", field=field.title)) from None
        if answer is None and field.is_needed:
            raise NotFilled(self._texts("approval.form.missing", field=field.title))
        return answer

    def _read_whole(self, text: str) -> JsonObject:
        try:
            value = read_typed_json(text)
        except ValueError:
            value = None
        if not isinstance(value, dict):
            raise NotFilled(self._texts("approval.form.object"))
        return cast("JsonObject", value)


def _fields(schema: JsonObject, locale: str) -> tuple[_Field, ...]:
    properties = schema.get("properties")
    if not isinstance(properties, dict) or not can_be_filled_in(schema):
        return ()
    required = schema.get("required")
    needed = set(cast("list[object]", required)) if isinstance(required, list) else set[object]()
    made = [
        _field(str(name), cast("dict[str, Any]", each), locale, is_needed=name in needed)
        for name, each in properties.items()
        if isinstance(each, dict)
    ]
    fields = tuple(field for field in made if field is not None)
    return fields if len(fields) == len(properties) else ()


def _field(name: str, schema: Mapping[str, Any], locale: str, *, is_needed: bool) -> _Field | None:
    """A field for plain values; anything deeper has none."""
    title = plain_name(_title(schema, locale) or name)
    kind, choices = schema.get("type"), schema.get("enum")
    if isinstance(choices, list):
        box = QComboBox()
        options = cast("list[object]", choices)
        for choice in options:
            box.addItem(plain_line(str(choice)), choice)
        return _named(_Field(name, title, box, box.currentData, is_needed))
    if kind == "boolean":
        check = QCheckBox(no_mnemonic(title))
        return _named(_Field(name, title, check, check.isChecked, is_needed))
    if kind == "string" or kind in _NUMBERS:
        entry = QLineEdit()
        read_number = _NUMBERS.get(str(kind))

        def read() -> object:
            text = entry.text()
            if not text:
                return None
            return read_number(text) if read_number else text

        return _named(_Field(name, title, entry, read, is_needed))
    return None


def _mark(field: _Field) -> QLabel:
    """What is wrong with a field, under it; whoever hears the form hears whose it is."""
    shown = label("", "danger")
    shown.setAccessibleName(field.title)
    shown.hide()
    return shown


def _title(schema: Mapping[str, Any], locale: str) -> str:
    """What the author calls a field, in the person's language where they say it."""
    written = schema.get("titleI18n")
    by_language = cast("dict[str, object]", written if isinstance(written, dict) else {})
    titles = {tag: title for tag, title in by_language.items() if isinstance(title, str)}
    return str(
        in_language(titles, locale) or schema.get("title") or schema.get("description") or ""
    )


def _named(field: _Field) -> _Field:
    field.widget.setAccessibleName(field.title)
    return field


def _text_box() -> QPlainTextEdit:
    box = QPlainTextEdit("{}")
    box.setMaximumHeight(120)
    return box
