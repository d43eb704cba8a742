"""One row in full: what was said, by which rule it passed or did not, and a way to say it again."""

import json
import secrets
from collections.abc import Callable

from pydantic import JsonValue
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QScrollArea, QVBoxLayout, QWidget

from lime_desktop.developer.inspection.exchanges import Exchange
from lime_desktop.host.wording.texts import Texts
from lime_desktop.shell.widgets.parts import button, label, row

_LEAST_HEIGHT = 72


class ExchangeDetails(QScrollArea):
    """Shows a row; its message can be edited and sent again."""

    def __init__(self, texts: Texts, send: Callable[[str], None]) -> None:
        super().__init__()
        self._texts = texts
        self._send = send
        self.shown: Exchange | None = None
        """The row that is shown."""
        self._facts: QLabel = label("", "small")
        self._message = _text_field(texts("inspector.message"))
        self._answer = _text_field(texts("inspector.answer"))
        self._answer.setReadOnly(True)
        self._again = button(texts("inspector.resend"), self.resend)
        self._build()
        self.show_exchange(None)

    def show_exchange(self, exchange: Exchange | None) -> None:
        """Show another row, or none."""
        is_other = self.shown is None or exchange is None or self.shown.number != exchange.number
        self.shown = exchange
        self._facts.setText(self._describe(exchange))
        can_resend = exchange is not None and exchange.direction == "from-app"
        self._again.setEnabled(can_resend)
        self._message.setReadOnly(not can_resend)
        if is_other:
            # An answer that comes while the message is being edited leaves the edit alone.
            self._message.setPlainText(_pretty(exchange.message if exchange else None))
        self._answer.setPlainText(_pretty(exchange.answer if exchange else None))

    @property
    def text(self) -> str:
        """The message as it stands, edited or not."""
        return self._message.toPlainText()

    def edit(self, text: str) -> None:
        """Write another message in its place."""
        self._message.setPlainText(text)

    def resend(self) -> None:
        """Send what stands there, under an id of its own."""
        self._send(_with_own_id(self.text))

    def _describe(self, exchange: Exchange | None) -> str:
        if exchange is None:
            return self._texts("inspector.nothing_chosen")
        lines = [exchange.name]
        if exchange.rule is not None:
            lines.append(f"{exchange.rule.text} ({exchange.rule.id}, {exchange.rule.source})")
        if exchange.trace_id:
            lines.append(self._texts("inspector.trace", trace=exchange.trace_id))
        if exchange.evidence_id:
            lines.append(self._texts("inspector.evidence", evidence=exchange.evidence_id))
        return "\n".join(lines)

    def _build(self) -> None:
        texts = self._texts
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        # It scrolls for those who read large; the keyboard goes to the fields inside.
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        inner = QWidget()
        self.setWidget(inner)
        layout = QVBoxLayout(inner)
        layout.setContentsMargins(8, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self._facts)
        head = label(texts("inspector.message"), "overline")
        layout.addWidget(row(head, self._again, stretch_at=0))
        layout.addWidget(self._message, 1)
        layout.addWidget(label(texts("inspector.answer"), "overline"))
        layout.addWidget(self._answer, 1)


def _text_field(name: str) -> QPlainTextEdit:
    made = QPlainTextEdit()
    made.setProperty("role", "mono")
    made.setAccessibleName(name)
    made.setTabChangesFocus(True)
    made.setMinimumHeight(_LEAST_HEIGHT)
    made.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
    return made


def _pretty(value: JsonValue) -> str:
    return "" if value is None else json.dumps(value, ensure_ascii=False, indent=2)


def _with_own_id(text: str) -> str:
    """The message under an id of its own: the page must not take the answer for that of its own request."""
    try:
        message: object = json.loads(text)
    except ValueError:
        return text
    if isinstance(message, dict) and "requestId" in message:
        return json.dumps({**message, "requestId": f"inspector-{secrets.token_hex(4)}"})
    return text
