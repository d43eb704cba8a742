"""The values of a question as they came, for who opens what is folded away. Knows no question."""

import json

from pydantic import JsonValue
from PySide6.QtWidgets import QPlainTextEdit

from lime_desktop.host.wording.texts import Texts

_MOST_LINES = 12


def exact_values(head: str, value: JsonValue, texts: Texts) -> QPlainTextEdit:
    """A box to read and copy from, with a line of the host above the values."""
    text = json.dumps(value, indent=2, ensure_ascii=False)
    box = QPlainTextEdit(f"{head}\n{text}")
    box.setReadOnly(True)
    box.setProperty("role", "mono")
    box.setTabChangesFocus(True)
    box.setAccessibleName(texts("asking.exact"))
    lines = min(text.count("\n") + 3, _MOST_LINES)
    box.setFixedHeight(lines * box.fontMetrics().lineSpacing() + 16)
    return box
