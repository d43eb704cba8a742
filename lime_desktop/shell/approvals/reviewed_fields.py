"""The content of a review, to be read and changed: a field for each value, by its kind. Knows no question."""

from typing import cast

from pydantic import JsonValue
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from lime_desktop.host.approvals.shown_values import FieldTitles
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.payload_rules import key_like_paths
from lime_desktop.shell.approvals.value_fields import (
    NotReadable,
    ValueField,
    make_field,
    set_read_only,
)
from lime_desktop.shell.layouts.edges import edge_to_edge
from lime_desktop.shell.widgets.parts import label

_MOST_FIELDS = 24
_WIDEST_TITLE = 130


class ReviewedFields(QWidget):
    """A box for each value of the content."""

    changed = Signal()

    def __init__(self, content: JsonValue, titles: FieldTitles) -> None:
        super().__init__()
        self._titles = titles
        self._fields = {name: self._field(name, value) for name, value in _parts(content)}
        self._grid = edge_to_edge(QGridLayout(self))
        self._grid.setHorizontalSpacing(10)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(1, 1)
        for name, field in self._fields.items():
            self._place(name, field)
        self.setFocusProxy(next(iter(self._fields.values())).box)

    @property
    def is_changed(self) -> bool:
        """Whether anything differs from what was put to the person."""
        return any(each.is_changed for each in self._fields.values())

    def content(self) -> JsonValue:
        """What the person made of it.

        Raises:
            NotReadable: a value is not of its field's kind; the keyboard stands there then.
        """
        found = {name: self._read(field) for name, field in self._fields.items()}
        return found[None] if None in found else cast("JsonObject", found)

    def put(self, content: JsonValue) -> None:
        """Fill in what was typed before, as far as there are fields for it."""
        typed = dict(_parts(content))
        for name, field in self._fields.items():
            if name in typed:
                field.put(typed[name])

    def _read(self, field: ValueField) -> JsonValue:
        try:
            return field.read(self._titles.texts)
        except NotReadable:
            field.box.setFocus(Qt.FocusReason.OtherFocusReason)
            raise

    def _place(self, name: str | None, field: ValueField) -> None:
        """A short value beside its title, a long one below it."""
        at = self._grid.rowCount()
        if name is not None:
            title = label(field.title, "small")
            title.setMaximumWidth(_WIDEST_TITLE if not field.is_wide else 16_777_215)
            self._grid.addWidget(title, at, 0, 1, 2 if field.is_wide else 1)
        if field.is_wide:
            self._grid.addWidget(field.box, at + 1, 0, 1, 2)
        else:
            self._grid.addWidget(field.box, at, 1)
        if name is not None and self._asks_for_secret(name):
            words = label(self._titles.texts("reviewing.secret"), "problem")
            self._grid.addWidget(words, at + 2, 0, 1, 2)

    def _asks_for_secret(self, name: str) -> bool:
        """By its own name or by what the app calls it."""
        return _looks_secret(name) or _looks_secret(self._titles.of(name))

    def _field(self, name: str | None, value: JsonValue) -> ValueField:
        told = None if name is None else self._titles.told_of(name)
        title = self._titles.texts("reviewing.content") if name is None else self._titles.of(name)
        texts, changed = self._titles.texts, self.changed.emit
        field = make_field(value, title, told, texts, changed, is_alone=name is None)
        # What asks for a secret under an app's name gets none: secrets are typed in the host's own dialog.
        is_secret = name is not None and self._asks_for_secret(name)
        if is_secret or (told is not None and told.is_read_only):
            set_read_only(field.box)
        return field


def _parts(content: JsonValue) -> list[tuple[str | None, JsonValue]]:
    if isinstance(content, dict) and 0 < len(content) <= _MOST_FIELDS:
        return list(content.items())
    return [(None, content)]


def _looks_secret(name: str) -> bool:
    return any(True for _ in key_like_paths({name: ""}))
