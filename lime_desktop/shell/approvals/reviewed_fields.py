"""The content of a review, to be read and changed: words as words, everything else as JSON. Knows no question."""

import json
from dataclasses import dataclass
from typing import cast

from pydantic import JsonValue
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

from lime_desktop.host.approvals.shown_values import FieldTitles
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.payload_rules import key_like_paths
from lime_desktop.shell.layouts.edges import edge_to_edge
from lime_desktop.shell.widgets.parts import label
from lime_desktop.shell.widgets.typed_json import read_typed_json

_MOST_FIELDS = 12
_MOST_LINES = 12
_MOST_CHANGED = 60_000
"""Characters of one field that can be changed here; a longer one can be read, approved and rejected."""


class NotReadable(Exception):
    """What was typed is not what the field holds; its text says which."""


@dataclass(frozen=True, slots=True)
class _Field:
    name: str | None
    """None where the content is one value without names."""
    value: JsonValue
    box: QPlainTextEdit

    @property
    def shown(self) -> str:
        return _as_text(self.value)

    def read(self) -> JsonValue:
        text = self.box.toPlainText()
        if text == self.shown:
            return self.value
        return text if isinstance(self.value, str) else read_typed_json(text)


class ReviewedFields(QWidget):
    """A box for each value of the content."""

    changed = Signal()

    def __init__(self, content: JsonValue, titles: FieldTitles) -> None:
        super().__init__()
        self._content = content
        self._titles = titles
        texts = self._texts = titles.texts
        self._fields = [self._field(name, value) for name, value in _parts(content)]
        layout = edge_to_edge(QVBoxLayout(self), 4)
        for field in self._fields:
            if field.name is not None:
                title = titles.of(field.name)
                layout.addWidget(label(texts("reviewing.field", name=title), "small"))
            layout.addWidget(field.box)
            if field.name is not None and self._asks_for_secret(field.name):
                layout.addWidget(label(texts("reviewing.secret"), "problem"))
        self.setFocusProxy(self._fields[0].box)

    @property
    def is_changed(self) -> bool:
        """Whether anything differs from what was put to the person."""
        return any(each.box.toPlainText() != each.shown for each in self._fields)

    def content(self) -> JsonValue:
        """What the person made of it.

        Raises:
            NotReadable: a value that is no text was changed into something else than JSON.
        """
        found = {each.name: self._read(each) for each in self._fields}
        return found[None] if None in found else cast("JsonObject", found)

    def put(self, content: JsonValue) -> None:
        """Fill in what was typed before, as far as there are fields for it."""
        typed = dict(_parts(content))
        for field in self._fields:
            if field.name in typed:
                field.box.setPlainText(_as_text(typed[field.name]))

    def _read(self, field: _Field) -> JsonValue:
        try:
            return field.read()
        except ValueError:
            name = self._titles.of(field.name or "")
            raise NotReadable(self._texts("reviewing.unreadable", field=name)) from None

    def _asks_for_secret(self, name: str) -> bool:
        """By its own name or by what the app calls it."""
        return _looks_secret(name) or _looks_secret(self._titles.of(name))

    def _field(self, name: str | None, value: JsonValue) -> _Field:
        text = _as_text(value)
        box = QPlainTextEdit(text)
        box.setTabChangesFocus(True)
        box.setAccessibleName(self._titles.of(name) if name else self._texts("reviewing.content"))
        # What asks for a secret under an app's name gets none: secrets are typed in the host's own dialog.
        is_closed = name is not None and self._asks_for_secret(name)
        box.setReadOnly(is_closed or len(text) > _MOST_CHANGED)
        if not isinstance(value, str):
            box.setProperty("role", "mono")
        box.textChanged.connect(self.changed)
        lines = min(max(text.count("\n") + 1 + len(text) // 45, 2), _MOST_LINES)
        box.setFixedHeight(lines * box.fontMetrics().lineSpacing() + 18)
        return _Field(name, value, box)


def _parts(content: JsonValue) -> list[tuple[str | None, JsonValue]]:
    if isinstance(content, dict) and 0 < len(content) <= _MOST_FIELDS:
        return list(content.items())
    return [(None, content)]


def _as_text(value: JsonValue) -> str:
    return value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)


def _looks_secret(name: str) -> bool:
    return any(True for _ in key_like_paths({name: ""}))
