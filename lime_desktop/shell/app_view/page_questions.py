"""What the host asks an app's page: where its controls are, and whether something unsaved would be lost.

The answers are the page's word, and may change at once: good for not standing in the way, and for one question to the
person. The scripts run beside the app: they share the page's document, and no variable.
"""

from collections.abc import Callable, Sequence
from typing import cast

from PySide6.QtCore import QObject, QPointF, QRect, QRectF, QTimer
from PySide6.QtWebEngineCore import QWebEnginePage, QWebEngineScript
from PySide6.QtWebEngineWidgets import QWebEngineView
from shiboken6 import isValid

_MOST = 500
_FIND_CONTROLS = f"""(() => {{
  const page = document.querySelector("iframe")?.contentDocument;
  if (!page?.documentElement) return "";
  const kinds = "a[href], button, input, select, textarea, summary, [role=button], [contenteditable=true], [tabindex='0']";
  const whole = (length) => Math.round(Math.min(Math.max(length, -1e6), 1e6));
  const {{ clientWidth, clientHeight }} = page.documentElement;
  const boxes = Array.from(page.querySelectorAll(kinds), (each) => each.getBoundingClientRect());
  return boxes
    .filter(({{ left, top, right, bottom }}) => right > left && bottom > top)
    .filter(({{ left, top, right, bottom }}) => right > 0 && bottom > 0 && left < clientWidth && top < clientHeight)
    .slice(0, {_MOST})
    .map(({{ left, top, width, height }}) => [left, top, width, height].map(whole).join(" "))
    .join("\\n");
}})()"""
_PATIENCE_MS = 1_000
_WORLD = QWebEngineScript.ScriptWorldId.ApplicationWorld.value
# Not the engine's own way of asking: that also tells the page that it goes, and it may stay.
_ASK_UNSAVED = """
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


def ask_controls(view: QWebEngineView, answered: Callable[[Sequence[QRect]], object]) -> None:
    """Say where on the screen a person can press or type, once the page has answered; a page that hangs never does."""

    def hear(boxes: object) -> None:
        if isValid(view):
            answered(_on_screen(view, str(boxes or "")))

    view.page().runJavaScript(_FIND_CONTROLS, _WORLD, cast("Callable[[object], None]", hear))


def _on_screen(view: QWebEngineView, boxes: str) -> Sequence[QRect]:
    zoom, origin = view.zoomFactor(), QPointF(view.mapToGlobal(view.rect().topLeft()))
    seen = QRect(origin.toPoint(), view.size())
    found: list[QRect] = []
    for line in boxes.splitlines():
        left, top, width, height = (float(each) * zoom for each in line.split(" "))
        box = QRectF(left, top, width, height).translated(origin).toAlignedRect()
        found.append(box.intersected(seen))
    return found


class UnsavedQuestion(QObject):
    """Asks once whether something would be lost, as browsers do before a page goes.

    Only a page that somebody used is asked, and it has a moment to answer: one that hangs or fails has said nothing. No
    page keeps anything from closing, the person may answer the host's question either way.
    """

    def __init__(self, page: QWebEnginePage, answered: Answered, parent: QObject) -> None:
        super().__init__(parent)
        self._answered: Answered | None = answered
        self._timer = QTimer(self, interval=_PATIENCE_MS, singleShot=True)
        self._timer.timeout.connect(lambda: self._settle(is_unsaved=False))
        self._timer.start()
        page.runJavaScript(_ASK_UNSAVED, _WORLD, self._on_answer)

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
