"""The line at the foot: what is still coming while the window is already there. Gone when everything is."""

from PySide6.QtWidgets import QFrame, QHBoxLayout, QProgressBar

from lime_desktop.host.app_server_client.supervisor import ServerState, Starting
from lime_desktop.shell.parts import label
from lime_desktop.shell.surroundings import Surroundings


class ProgressLine(QFrame):
    """Names whatever has begun and is not done: `progress.<part>` is its text."""

    def __init__(self, around: Surroundings) -> None:
        super().__init__()
        self.setObjectName("progress")
        self._around = around
        self._coming: dict[str, None] = {}
        self._words = label("", "small")
        bar = QProgressBar()
        bar.setRange(0, 0)
        bar.setFixedWidth(96)
        bar.setTextVisible(False)
        bar.setAccessibleName(around.texts("progress.name"))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 4, 16, 4)
        layout.setSpacing(12)
        layout.addWidget(bar)
        layout.addWidget(self._words, 1)
        around.language_changed.connect(self._show)
        self._show()

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
        if isinstance(state, Starting):
            self.begin("server")
        else:
            self.done("server")

    def _show(self) -> None:
        texts = self._around.texts
        self._words.setText(" · ".join(texts(f"progress.{part}") for part in self._coming))
        self.setVisible(bool(self._coming))
