"""Where in an app's page a person can press or type: the page's own boxes, as the engine laid them out.

Good for not standing in the way, and for nothing else: what is there is the page's business, and it may change at once.
"""

from collections.abc import Callable, Sequence
from typing import cast

from PySide6.QtCore import QPointF, QRect, QRectF
from PySide6.QtWebEngineCore import QWebEngineScript
from PySide6.QtWebEngineWidgets import QWebEngineView
from shiboken6 import isValid

_MOST = 500
_SCRIPT = f"""(() => {{
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
"""Runs beside the app: it shares the page's boxes, and no variable."""


def ask_controls(view: QWebEngineView, answered: Callable[[Sequence[QRect]], object]) -> None:
    """Say where on the screen they are, once the page has answered; a page that hangs never does."""

    def hear(boxes: object) -> None:
        if isValid(view):
            answered(_on_screen(view, str(boxes or "")))

    world = QWebEngineScript.ScriptWorldId.ApplicationWorld.value
    view.page().runJavaScript(_SCRIPT, world, cast("Callable[[object], None]", hear))


def _on_screen(view: QWebEngineView, boxes: str) -> Sequence[QRect]:
    zoom, origin = view.zoomFactor(), QPointF(view.mapToGlobal(view.rect().topLeft()))
    seen = QRect(origin.toPoint(), view.size())
    found: list[QRect] = []
    for line in boxes.splitlines():
        left, top, width, height = (float(each) * zoom for each in line.split(" "))
        box = QRectF(left, top, width, height).translated(origin).toAlignedRect()
        found.append(box.intersected(seen))
    return found
