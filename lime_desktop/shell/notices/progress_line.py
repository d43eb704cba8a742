"""What is still coming while the window is already there, said in a corner. Gone when everything is.

It floats, and clicks pass through it: coming and going, it moves nothing. It stands where it covers nothing that is read
or pressed; where its words would in every corner, it goes without them.
"""

from collections.abc import Iterator

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QWidget

from lime_desktop.host.app_server_client.supervisor import Down, ServerState, Starting
from lime_desktop.shell.appearance.look import LiveTexts
from lime_desktop.shell.notices.floating import (
    ANY,
    KEYBOARD,
    AskControls,
    FloatingStack,
    PageControls,
    controls_in,
    freest_corner,
    rectangle_at,
    seen_part,
    under_tabs,
)
from lime_desktop.shell.widgets.parts import label

_MARGIN = 16


class ProgressLine(QFrame):
    """Names whatever has begun and is not done: `progress.<part>` is its text."""

    def __init__(self, texts: LiveTexts) -> None:
        super().__init__()
        self.setObjectName("progress")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._texts = texts
        self._ground: QWidget | None = None
        self._corner = Qt.Corner.BottomLeftCorner
        self._page_controls = PageControls(self, self._stand)
        self._coming: dict[str, None] = {}
        self._words = label("", "small")
        self._words.setWordWrap(False)
        bar = QProgressBar()
        bar.setRange(0, 0)
        bar.setFixedWidth(96)
        bar.setTextVisible(False)
        bar.setAccessibleName(texts("progress.name"))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 4, 16, 4)
        layout.setSpacing(12)
        layout.addWidget(bar)
        layout.addWidget(self._words, 1)
        texts.changed.connect(self._show)
        self._show()

    def float_over(self, ground: QWidget) -> None:
        """Stand in a corner of this part of the window from now on."""
        self._ground = ground
        self.setParent(ground)
        ground.installEventFilter(self)
        self._show()

    def look_into_pages_by(self, ask: AskControls) -> None:
        """Leave free as well what a page says to be its controls."""
        self._page_controls.ask_by(ask)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt calls this
        """Keep to the corner."""
        if watched is self._ground and event.type() is QEvent.Type.Resize:
            self.place()
        return super().eventFilter(watched, event)

    @property
    def coming(self) -> tuple[str, ...]:
        """What is not there yet."""
        return tuple(self._coming)

    def begin(self, part: str) -> None:
        """Something is on its way."""
        self._coming[part] = None
        self._show()

    def done(self, part: str) -> None:
        """It is there, or it will not come: what failed is told by a notice."""
        self._coming.pop(part, None)
        self._show()

    def follow_server(self, state: ServerState) -> None:
        """The App Server is on its way, or it is not."""
        if isinstance(state, Starting) or (isinstance(state, Down) and state.may_pass):
            self.begin("server")
        else:
            self.done("server")

    def _show(self) -> None:
        texts = self._texts
        self._words.setText(" · ".join(texts(f"progress.{part}") for part in self._coming))
        self.setVisible(bool(self._coming))
        self.setAccessibleName(self._words.text())
        self.place()

    def place(self) -> None:
        """Stand where nothing is covered, as far as there is such a corner."""
        self._stand()
        if self._ground is not None and self._coming:
            self._page_controls.ask()

    def _stand(self) -> None:
        ground = self._ground
        if ground is None or not self._coming:
            return
        room = ground.rect().adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
        room.setTop(max(room.top(), under_tabs(ground)))
        obstacles = [*self._obstacles(ground)]
        for has_words in (True, False):
            self._words.setVisible(has_words)
            size = self.sizeHint().boundedTo(room.size())
            self._corner = freest_corner(room, size, obstacles, self._corner)
            place = rectangle_at(room, size, self._corner)
            self.setGeometry(place)
            if not any(place.intersects(each) for each, _ in obstacles):
                break
        self.raise_()

    def _obstacles(self, ground: QWidget) -> Iterator[tuple[QRect, int]]:
        for stack in ground.findChildren(FloatingStack):
            if stack.isVisible():
                yield stack.geometry(), KEYBOARD
        yield from controls_in(ground, self)
        for each in ground.findChildren(QLabel):
            if each.isVisible() and not self.isAncestorOf(each):
                yield _read_part(each, ground), ANY
        yield from self._page_controls.obstacles(ground)


def _read_part(words: QLabel, ground: QWidget) -> QRect:
    """Where the letters of a label are; beside them it is as empty as the page."""
    seen = seen_part(words, ground)
    if not words.text():
        return seen if not words.pixmap().isNull() else QRect()
    wraps = Qt.TextFlag.TextWordWrap if words.wordWrap() else Qt.TextFlag.TextSingleLine
    flags = words.alignment().value | wraps.value
    drawn = words.fontMetrics().boundingRect(words.contentsRect(), flags, words.text())
    return seen.intersected(drawn.translated(words.mapTo(ground, QPoint())))
