"""What is still coming while the window is already there, said in a lower corner. Gone when everything is.

It floats, and clicks pass through it: coming and going, it moves nothing and covers no button.
"""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QProgressBar, QWidget

from lime_desktop.host.app_server_client.supervisor import Down, ServerState, Starting
from lime_desktop.shell.appearance.live_texts import LiveTexts
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
        """Stand in the lower left corner of this part of the window from now on."""
        self._ground = ground
        self.setParent(ground)
        ground.installEventFilter(self)
        self._show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt calls this
        """Keep to the corner."""
        if watched is self._ground and event.type() is QEvent.Type.Resize:
            self._place()
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
        self._place()

    def _place(self) -> None:
        if self._ground is None or not self._coming:
            return
        size = self.sizeHint().boundedTo(self._ground.size())
        self.setGeometry(
            _MARGIN, self._ground.height() - size.height() - _MARGIN, size.width(), size.height()
        )
        self.raise_()
