"""One line under a conversation: what the agent is doing now, and for how long. Hidden while it does nothing."""

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFrame, QHBoxLayout

from lime_desktop.host.runs.story_wording import doing_words, now_text
from lime_desktop.host.wording.texts import Texts
from lime_desktop.runtime_views.story.activity import Activity
from lime_desktop.shell.layouts.edges import edge_to_edge
from lime_desktop.shell.widgets.parts import label

_TICK_MS = 500
_DOTS = ("●○○", "○●○", "○○●")


class ActivityLine(QFrame):
    """Says it again twice a second: only the time it takes changes."""

    def __init__(self, texts: Texts) -> None:
        super().__init__()
        self._texts = texts
        self._doing: Activity | None = None
        self._tick = 0
        self._dots = label("", "small")
        self._dots.setWordWrap(False)
        self._words = label("", "muted")
        layout = edge_to_edge(QHBoxLayout(self), 8)
        layout.addWidget(self._dots)
        layout.addWidget(self._words, 1)
        self._timer = QTimer(self)
        self._timer.setInterval(_TICK_MS)
        self._timer.timeout.connect(self._say)
        self.hide()

    def show_doing(self, doing: Activity | None) -> None:
        """Say what is being done, or nothing."""
        self._doing = doing
        if doing is None:
            self._timer.stop()
            self.hide()
            return
        if not self._timer.isActive():
            self._timer.start()
        self._say()
        self.show()

    def words(self) -> str:
        """What is said."""
        return self._words.text() if self._doing is not None else ""

    def _say(self) -> None:
        if self._doing is None:
            return
        texts: Texts = self._texts
        self._tick = (self._tick + 1) % len(_DOTS)
        self._dots.setText(_DOTS[self._tick])
        words = doing_words(self._doing, texts, now_text())
        if words != self._words.text():
            self._words.setText(words)
            self.setAccessibleName(words)
