"""How large an app's pages are shown: by steps, remembered per app, and said whenever it changes."""

from collections.abc import Callable

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QLabel, QWidget

from lime_desktop.shell.app_view.floating import FloatingCard
from lime_desktop.shell.widgets.parts import button, icon_button, name_control
from lime_desktop.shell.widgets.surroundings import Surroundings

OWN_SIZE = 100
_STEPS = (50, 67, 75, 80, 90, OWN_SIZE, 110, 125, 150, 175, 200, 250, 300)
_SEEN_MS = 2_500
_MOST_APPS = 500


def step_from(percent: int, steps: int) -> int:
    """So many steps larger or smaller; with none, the page's own size."""
    if not steps:
        return OWN_SIZE
    nearest = min(range(len(_STEPS)), key=lambda at: abs(_STEPS[at] - percent))
    return _STEPS[max(0, min(len(_STEPS) - 1, nearest + steps))]


def zoom_of(around: Surroundings, app_id: str) -> int:
    """How large the person has an app, in percent."""
    return max(_STEPS[0], min(_STEPS[-1], around.settings.page_zoom.get(app_id, OWN_SIZE)))


def keep_zoom(around: Surroundings, app_id: str, percent: int) -> None:
    """Remember it; an app at its own size needs no line."""
    kept = {key: each for key, each in around.settings.page_zoom.items() if key != app_id}
    if percent != OWN_SIZE:
        kept = {**dict(list(kept.items())[-_MOST_APPS + 1 :]), app_id: percent}
    around.keep(page_zoom=kept)


class ZoomCard(FloatingCard):
    """Says the size for a moment, with the ways to change it."""

    wanted = Signal(int)
    """So many steps; none for the page's own size."""

    def __init__(self, page: QWidget, around: Surroundings) -> None:
        super().__init__(page)
        self._around = around
        self._percent = QLabel()
        self._percent.setMinimumWidth(self.fontMetrics().horizontalAdvance("000 %") + 12)
        self._smaller = self._step("minus", -1)
        self._larger = self._step("plus", 1)
        self._reset = button("", self._want(0), "link")
        for part in (self._smaller, self._percent, self._larger, self._reset):
            self.row.addWidget(part)
        self._seen = QTimer(self, interval=_SEEN_MS, singleShot=True)
        self._seen.timeout.connect(self._leave)

    def show_percent(self, percent: int) -> None:
        """Say how large the page is now."""
        texts = self._around.texts
        self._percent.setText(texts("zoom.percent", percent=percent))
        self._reset.setText(texts("zoom.reset"))
        self._reset.setEnabled(percent != OWN_SIZE)
        name_control(self._smaller, texts("command.zoom.out"))
        name_control(self._larger, texts("command.zoom.in"))
        self.setAccessibleName(texts("zoom.percent", percent=percent))
        self.come_up()
        self._seen.start()

    def _step(self, sign: str, steps: int) -> QWidget:
        made = icon_button("", self._want(steps))
        self._around.signs.put_on(made, sign)
        return made

    def _want(self, steps: int) -> Callable[[], None]:
        return lambda: self.wanted.emit(steps)

    def _leave(self) -> None:
        if self.underMouse() or self.isAncestorOf(self.window().focusWidget() or self.window()):
            self._seen.start()
        else:
            self.hide()
