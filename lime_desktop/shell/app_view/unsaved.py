"""Asks a page whether something unsaved would be lost, as browsers do before a page goes.

It is the page's word, so it is bounded: only a page that somebody used is asked, it is asked once, it has a moment to
answer, and what its answer leads to is one question of the host's, which the person may answer either way. No page
keeps anything from closing.
"""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWebEngineCore import QWebEnginePage, QWebEngineScript
from shiboken6 import isValid

_PATIENCE_MS = 1_000
_WORLD = QWebEngineScript.ScriptWorldId.ApplicationWorld.value
# Not the engine's own way of asking: that also tells the page that it goes, and it may stay.
_ASK = """
(() => {
  const app = document.querySelector("iframe")?.contentWindow;
  if (!app?.navigator.userActivation?.hasBeenActive) return false;
  const leaving = app.document.createEvent("BeforeUnloadEvent");
  leaving.initEvent("beforeunload", false, true);
  app.dispatchEvent(leaving);
  return leaving.defaultPrevented || leaving.returnValue !== "";
})()
"""

Answered = Callable[[bool], object]
"""Told whether something would be lost."""


class UnsavedQuestion(QObject):
    """One asking. A page that hangs, or fails, has said nothing."""

    def __init__(self, page: QWebEnginePage, answered: Answered, parent: QObject) -> None:
        super().__init__(parent)
        self._answered: Answered | None = answered
        self._timer = QTimer(self, interval=_PATIENCE_MS, singleShot=True)
        self._timer.timeout.connect(lambda: self._settle(is_unsaved=False))
        self._timer.start()
        page.runJavaScript(_ASK, _WORLD, self._on_answer)

    def _on_answer(self, answer: object) -> None:
        if isValid(self):
            # In a moment, if there still is one: a page that is destroyed answers everything it was asked.
            QTimer.singleShot(0, self, lambda: self._settle(is_unsaved=answer is True))

    def _settle(self, *, is_unsaved: bool) -> None:
        answered, self._answered = self._answered, None
        if answered is not None:
            self._timer.stop()
            self.deleteLater()
            answered(is_unsaved)
