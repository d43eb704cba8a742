"""The conversation so far. Each part keeps its widget: a streamed answer grows in place."""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from lime_desktop.host.failure_words import failure_words
from lime_desktop.host.model_words import answered_words
from lime_desktop.runtime_views.views import DiagnosticView, MessagePart, SessionViews
from lime_desktop.shell.parts import Tone, banner, button, label, pill, row
from lime_desktop.shell.surfaces.chat.message_text import MessageText
from lime_desktop.shell.surroundings import Surroundings

_COLUMN_WIDTH = 760
_NEAR_END = 80
"""So close to the end the person is reading along, and the page follows."""
_SHOWN = 400
"""Older parts are in the run drawer; a page of thousands would only be slow."""

_TOOL_TONES: dict[str, Tone] = {"available": "ok", "failed": "danger", "streaming": "info"}


_SETUP_CODES = {"APP_E130", "APP_E131"}
"""Failures that are mended in the settings: no provider is ready, no engine is there."""


class Transcript(QScrollArea):
    """Messages one below the other, the newest at the end."""

    settings_wanted = Signal(str)
    """A part of the settings where a failure can be mended."""

    def __init__(self, around: Surroundings) -> None:
        super().__init__()
        self.setObjectName("page")
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setAccessibleName(around.texts("chat.transcript"))
        self._around = around
        self._parts: dict[str, QWidget] = {}
        self._messages: dict[str, MessageText] = {}
        self._signatures: dict[str, QLabel] = {}
        holder = QWidget()
        across = QHBoxLayout(holder)
        across.setContentsMargins(24, 24, 24, 24)
        column = QWidget()
        column.setMaximumWidth(_COLUMN_WIDTH)
        self._column = QVBoxLayout(column)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(16)
        self._column.addStretch(1)
        across.addStretch(1)
        across.addWidget(column, 1_000)
        across.addStretch(1)
        self.setWidget(holder)

    def clear(self) -> None:
        """Forget what was shown."""
        for widget in self._parts.values():
            self._column.removeWidget(widget)
            widget.deleteLater()
        self._parts.clear()
        self._messages.clear()
        self._signatures.clear()

    def show_views(self, views: SessionViews) -> None:
        """Bring the page to what is known now."""
        bar = self.verticalScrollBar()
        follows = bar.maximum() - bar.value() < _NEAR_END
        failures = {each.diagnostic_id: each for each in views.diagnostics}
        for part in views.messages[-_SHOWN:]:
            self._show_part(part, failures)
        self._sign(views)
        if follows:
            # After the layout has run: only then is the new end known.
            QTimer.singleShot(0, self, lambda: bar.setValue(bar.maximum()))

    def _sign(self, views: SessionViews) -> None:
        """Say under the last words of each turn whose they are, once they are all there."""
        last = {each.turn_id: each.part_id for each in views.messages if each.type == "text"}
        for part in views.messages[-_SHOWN:]:
            signature, model = (
                self._signatures.get(part.part_id),
                views.answering.get(part.message_id or ""),
            )
            if signature is None or model is None:
                continue
            words = answered_words(self._around.texts, model.provider_id, model.model_id)
            signature.setText(words)
            signature.setVisible(part.state == "final" and last[part.turn_id] == part.part_id)

    def said(self) -> Sequence[str]:
        """The messages as they stand, for those who ask without eyes."""
        return [each.words() for each in self._messages.values()]

    def _show_part(self, part: MessagePart, failures: dict[str, DiagnosticView]) -> None:
        if part.type in {"text", "reasoning", "plan"}:
            self._show_words(part)
        elif part.part_id not in self._parts or part.type == "tool-preview":
            widget = self._pointer(part, failures)
            if widget is not None:
                self._put(part.part_id, widget)

    def _show_words(self, part: MessagePart) -> None:
        message = self._messages.get(part.part_id)
        if message is None:
            key = "chat.you" if part.role == "user" else f"chat.{part.type}"
            message = MessageText(self._around.texts(key))
            self._messages[part.part_id] = message
            self._put(part.part_id, self._framed(part, message))
        is_growing = part.state == "streaming"
        message.show_words(f"{part.text or ''} ▍" if is_growing else part.text or "")

    def _framed(self, part: MessagePart, message: MessageText) -> QWidget:
        texts = self._around.texts
        if part.role == "user":
            bubble = QFrame()
            bubble.setProperty("role", "said")
            inside = QVBoxLayout(bubble)
            inside.setContentsMargins(16, 12, 16, 12)
            inside.addWidget(message)
            return _indented(bubble)
        made = QWidget()
        inside = QVBoxLayout(made)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(4)
        if part.type != "text":
            inside.addWidget(label(texts(f"chat.{part.type}"), "overline"))
        inside.addWidget(message)
        if part.type == "text":
            self._signatures[part.part_id] = signature = label("", "small")
            signature.hide()
            inside.addWidget(signature)
        return made

    def _pointer(self, part: MessagePart, failures: dict[str, DiagnosticView]) -> QWidget | None:
        """What is only pointed at: a tool's work, an artifact, evidence, a failure."""
        around, texts = self._around, self._around.texts
        match part.type:
            case "tool-preview":
                state = pill(texts(f"tool.{part.state}"), _TOOL_TONES.get(part.state, "plain"))
                words = label(part.text or texts("chat.tool"), "muted")
                return row(around.signs.picture("tool"), words, state, stretch_at=1)
            case "artifact-card":
                words = label(texts("chat.artifact"), "muted")
                return row(around.signs.picture("document"), words, stretch_at=1)
            case "diagnostic-ref":
                found = failures.get(part.diagnostic_id or "")
                words = failure_words(found.category, found.message, texts) if found else ""
                ways = self._ways_out(found) if found else ()
                return banner(f"{texts('chat.failed')} {words}".strip(), "danger", *ways)
            case _:
                return None

    def _ways_out(self, found: DiagnosticView) -> Iterator[QWidget]:
        if found.code in _SETUP_CODES:
            words = self._around.texts("problem.settings")
            yield button(words, lambda: self.settings_wanted.emit("providers"))

    def _put(self, part_id: str, widget: QWidget) -> None:
        old = self._parts.get(part_id)
        self._parts[part_id] = widget
        if old is None:
            self._column.insertWidget(self._column.count() - 1, widget)
            return
        self._column.replaceWidget(old, widget)
        old.deleteLater()


def _indented(bubble: QFrame) -> QWidget:
    made = QWidget()
    layout = QHBoxLayout(made)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.addStretch(1)
    layout.addWidget(bubble, 4)
    return made
