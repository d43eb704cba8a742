"""Where a person writes to the agent: Enter sends, Shift+Enter begins a line, Up takes the last question back, Escape stops."""

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from lime_desktop.host.runs.chat_files import ChatFile
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.layouts.edges import edge_to_edge
from lime_desktop.shell.surfaces.chat.attachments import AttachmentChips, MessageField
from lime_desktop.shell.widgets.parts import button, icon_button, label

_LEAST_LINES = 2
_MOST_LINES = 8
_PADDING = 18


class Composer(QFrame):
    """A field and one button, which sends or stops as the agent is idle or busy."""

    sent = Signal(str)
    edited = Signal(str, str)
    """A turn by its id, and the words in its place."""
    stopped = Signal()
    last_wanted = Signal()
    """The person wants to change what they asked last."""
    brought = Signal(QMimeData)
    """Files or a picture were pasted or dropped, to go along."""
    choosing = Signal()
    """The person wants to choose files to go along."""
    withdrawn = Signal(object)
    """A `ChatFile` was taken away again before it was sent."""

    def __init__(self, look: Look, hint: str) -> None:
        super().__init__()
        self.setObjectName("composer")
        self._look = look
        self._is_busy = False
        self._edited_turn: str | None = None
        self._put_aside: tuple[str, tuple[ChatFile, ...]] = ("", ())
        self._sent_along: tuple[ChatFile, ...] = ()
        self._chips = AttachmentChips(look)
        self._chips.removed.connect(self._withdraw)
        self._field = MessageField()
        self._field.brought.connect(self.brought)
        self._field.setPlaceholderText(hint)
        self._field.setAccessibleName(hint)
        self._field.setAccessibleDescription(look.texts("chat.keys"))
        self._field.setTabChangesFocus(True)
        self._field.installEventFilter(self)
        self._field.document().documentLayout().documentSizeChanged.connect(self._fit)
        self.setFocusProxy(self._field)
        self._button = icon_button(look.texts("chat.send"), self._press)
        self._button.setFixedSize(40, 40)
        self._attach = icon_button(look.texts("chat.attach"), self.choosing.emit)
        self._attach.setFixedSize(40, 40)
        look.icons.put_on(self._attach, "attach", "text-muted", 20)
        self._editing = self._make_editing()
        self._build()
        self.set_busy(busy=False)
        self._fit()

    @property
    def field(self) -> QPlainTextEdit:
        """Where is written."""
        return self._field

    @property
    def files(self) -> tuple[ChatFile, ...]:
        """What goes along with the message that is being written."""
        return self._chips.files

    def take_sent(self) -> tuple[ChatFile, ...]:
        """What goes along with the message that was just sent, given out once."""
        taken, self._sent_along = self._sent_along, ()
        return taken

    def attach(self, file: ChatFile) -> None:
        """Let a file go along."""
        self._chips.add(file)

    def set_busy(self, *, busy: bool) -> None:
        """Offer to stop while the agent works, and to send otherwise."""
        self._is_busy = busy
        name = self._look.texts("chat.stop" if busy else "chat.send")
        self._button.setToolTip(name)
        self._button.setAccessibleName(name)
        self._look.icons.put_on(self._button, "stop" if busy else "send", "accent", 22)

    def edit(self, turn_id: str, words: str, files: tuple[ChatFile, ...] = ()) -> None:
        """Write an earlier question anew; what was being written is put aside for as long."""
        if self._edited_turn is None:
            self._put_aside = (self._field.toPlainText(), self.files)
        self._edited_turn = turn_id
        self._chips.show_files(files)
        self._editing.show()
        self._write(words)
        self._field.setFocus()

    def leave_editing(self) -> None:
        """Leave the earlier question as it was."""
        if self._edited_turn is not None:
            self._edited_turn = None
            self._editing.hide()
            self._take_up()

    def give_back(self, words: str, files: tuple[ChatFile, ...] = ()) -> None:
        """Put what could not be sent before whatever was written since."""
        self._write("\n".join(filter(None, (words, self._field.toPlainText()))))
        self._chips.show_files(tuple(dict.fromkeys((*files, *self.files))))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt calls this
        """Take the keys that mean something here out of the field."""
        is_press = isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress
        if is_press and isinstance(event, QKeyEvent) and self._takes(event):
            return True
        return super().eventFilter(watched, event)

    def _takes(self, event: QKeyEvent) -> bool:
        is_shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter if not is_shifted:
                self._send()
            case Qt.Key.Key_Escape if self._is_busy:
                self.stopped.emit()
            case Qt.Key.Key_Escape if self._edited_turn is not None:
                self.leave_editing()
            case Qt.Key.Key_Up if not self._is_busy and not self._field.toPlainText():
                self.last_wanted.emit()
            case _:
                return False
        return True

    def _press(self) -> None:
        if self._is_busy:
            self.stopped.emit()
        else:
            self._send()

    def _send(self) -> None:
        words = self._field.toPlainText().strip()
        if not words:
            return
        turn_id, self._edited_turn = self._edited_turn, None
        self._editing.hide()
        self._sent_along = self.files
        self._take_up()
        if turn_id is None:
            self.sent.emit(words)
        else:
            self.edited.emit(turn_id, words)

    def _take_up(self) -> None:
        """Go on with what was put aside, or with nothing."""
        (words, files), self._put_aside = self._put_aside, ("", ())
        self._write(words)
        self._chips.show_files(files)

    def _withdraw(self, file: ChatFile) -> None:
        if not self.files:
            self._field.setFocus()
        if self._edited_turn is None:
            # What an earlier turn was given stays open to it.
            self.withdrawn.emit(file)

    def _write(self, words: str) -> None:
        self._field.setPlainText(words)
        self._field.moveCursor(QTextCursor.MoveOperation.End)

    def _fit(self) -> None:
        """As tall as what is written, within bounds."""
        lines = self._field.document().documentLayout().documentSize().height()
        shown = min(max(int(lines), _LEAST_LINES), _MOST_LINES)
        wanted = shown * self._field.fontMetrics().lineSpacing() + _PADDING
        if wanted != self._field.height():
            self._field.setFixedHeight(wanted)

    def _make_editing(self) -> QWidget:
        texts = self._look.texts
        made = QFrame()
        layout = edge_to_edge(QHBoxLayout(made))
        layout.addWidget(label(texts("chat.editing"), "small"), 1)
        layout.addWidget(button(texts("chat.editing.leave"), self.leave_editing, "link"))
        made.hide()
        return made

    def _build(self) -> None:
        across = QHBoxLayout()
        across.setSpacing(8)
        across.addWidget(self._attach, 0, Qt.AlignmentFlag.AlignBottom)
        across.addWidget(self._field, 1)
        across.addWidget(self._button, 0, Qt.AlignmentFlag.AlignBottom)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 12, 24, 16)
        layout.setSpacing(6)
        layout.addWidget(self._editing)
        layout.addWidget(self._chips)
        layout.addLayout(across)
