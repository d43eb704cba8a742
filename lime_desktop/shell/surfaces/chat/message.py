"""A whole message: prose and code one below the other, each growing in place while it is written."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from lime_desktop.host.wording.message_segments import Segment, split_segments
from lime_desktop.host.wording.texts import Texts
from lime_desktop.shell.layouts.edges import edge_to_edge
from lime_desktop.shell.markdown.message_text import MessageText
from lime_desktop.shell.surfaces.chat.code_box import CodeBox


class Message(QWidget):
    """What an agent wrote."""

    link_wanted = Signal(str)

    def __init__(self, texts: Texts, name: str) -> None:
        super().__init__()
        self._texts = texts
        self._name = name
        self._words = ""
        self._segments: list[Segment] = []
        self._parts: list[MessageText | CodeBox] = []
        self._layout = edge_to_edge(QVBoxLayout(self), 8)

    @property
    def parts(self) -> tuple[MessageText | CodeBox, ...]:
        """The pieces, in order."""
        return tuple(self._parts)

    def words(self) -> str:
        """The message as it was written."""
        return self._words

    def show_words(self, words: str, *, is_whole: bool = True) -> None:
        """Show a message, or how it goes on."""
        last = self._segments[-1].start if self._segments else 0
        goes_on = words.startswith(self._words[:last])
        kept = self._segments[:-1] if goes_on else []
        self._words = words
        self._segments = [*kept, *split_segments(words, last if goes_on else 0)]
        self._drop(len(self._segments))
        for at in range(len(kept), len(self._segments)):
            is_last = at == len(self._segments) - 1
            self._show(at, self._segments[at], is_whole=is_whole or not is_last)
        if is_whole and self._segments:
            # Its last piece may have grown no more since it was shown as going on.
            self._show(len(self._segments) - 1, self._segments[-1], is_whole=True)

    def _show(self, at: int, segment: Segment, *, is_whole: bool) -> None:
        part = self._part(at, segment)
        if isinstance(part, CodeBox):
            part.show_code(segment.text)
        else:
            part.show_words(segment.text, is_whole=is_whole)

    def _part(self, at: int, segment: Segment) -> MessageText | CodeBox:
        if at < len(self._parts) and isinstance(self._parts[at], CodeBox) == segment.is_code:
            return self._parts[at]
        self._drop(at)
        made = self._make(segment)
        self._parts.append(made)
        self._layout.addWidget(made)
        return made

    def _make(self, segment: Segment) -> MessageText | CodeBox:
        if segment.is_code:
            return CodeBox(self._texts, segment.language)
        made = MessageText(self._name)
        made.link_wanted.connect(self.link_wanted)
        return made

    def _drop(self, length: int) -> None:
        for part in self._parts[length:]:
            self._layout.removeWidget(part)
            part.deleteLater()
        del self._parts[length:]
