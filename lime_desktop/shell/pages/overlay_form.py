"""Where a person sets one setting of an app: which, to what, and how far it holds."""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtWidgets import QComboBox, QFrame, QLineEdit, QVBoxLayout

from lime_desktop.host.apps.app_settings import PersonsLayer
from lime_desktop.host.apps.setting_rows import SettingRow
from lime_desktop.host.wording.texts import Texts
from lime_desktop.overlay.keys import Form, family_of
from lime_desktop.shell.settings.overlay_words import read_value, row_name, value_words
from lime_desktop.shell.settings.section import choice, refill, setting
from lime_desktop.shell.widgets.parts import button, column, label, row

Save = Callable[[SettingRow, PersonsLayer, Any], None]


class OverlayForm(QFrame):
    """A card with three lines; the one for the value changes with the setting."""

    def __init__(self, texts: Texts, rows: Sequence[SettingRow], save: Save) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self._texts = texts
        self._rows = tuple(rows)
        self._save = save
        self._layer: PersonsLayer = "user"
        self._wrong = label("", "danger")
        self._wrong.hide()
        names = [(index, row_name(each, texts)) for index, each in enumerate(self._rows)]
        self._what = choice(names, 0, lambda _index: self._show_value())
        self._value: QLineEdit | QComboBox = QLineEdit()
        self._held = column()
        lines = QVBoxLayout(self)
        lines.setContentsMargins(20, 16, 20, 16)
        lines.setSpacing(8)
        for part in (
            label(texts("overlay.change"), "heading"),
            setting(texts("overlay.change.what"), "", self._what),
            self._held,
            self._wrong,
            row(button(texts("overlay.change.save"), self._press, "primary")),
        ):
            lines.addWidget(part)
        self._show_value()

    def choose(self, key: str) -> None:
        """Turn to one setting, with what applies filled in."""
        found = [index for index, each in enumerate(self._rows) if each.key == key]
        if found:
            self._what.setCurrentIndex(found[0])
            self._show_value()
            self._value.setFocus()

    @property
    def _row(self) -> SettingRow:
        return self._rows[self._what.currentIndex()]

    def _show_value(self) -> None:
        texts, each = self._texts, self._row
        self._layer = each.layers[0]
        self._wrong.hide()
        self._value = self._control(each)
        layers = [(layer, texts(f"overlay.layer.{layer}")) for layer in each.layers]
        refill(
            self._held,
            setting(texts("overlay.change.value"), texts(f"overlay.form.{each.form}"), self._value),
            setting(
                texts("overlay.change.where"), "", choice(layers, self._layer, self._take_layer)
            ),
        )

    def _control(self, each: SettingRow) -> QLineEdit | QComboBox:
        texts = self._texts
        if each.form == "switch":
            yes_no = [(True, texts("overlay.yes")), (False, texts("overlay.no"))]
            return choice(yes_no, each.value if each.source else True, lambda _value: None)
        if each.options:
            named = [(option, option) for option in each.options]
            return choice(named, each.value, lambda _value: None)
        field = QLineEdit("" if each.source is None else value_words(each.value, texts))
        field.setObjectName("value")
        field.returnPressed.connect(self._press)
        return field

    def _take_layer(self, layer: object) -> None:
        self._layer = "workspace" if layer == "workspace" else "user"

    def _press(self) -> None:
        each, texts = self._row, self._texts
        value = _typed(self._value, each.form)
        family = family_of(each.key)
        if value in ("", []) or (family is not None and not family.is_fit(value)):
            wanted = texts(f"overlay.form.{each.form}")
            self._wrong.setText(texts("overlay.wrong", wanted=wanted))
            self._wrong.show()
            return
        self._save(each, self._layer, value)


def _typed(control: QLineEdit | QComboBox, form: Form) -> Any:
    if isinstance(control, QComboBox):
        chosen: object = control.currentData()
        return chosen if form == "reference" else bool(chosen)
    return read_value(form, control.text())
