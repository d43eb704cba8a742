"""How large an app's pages are shown: by steps, remembered per app, and said whenever it changes."""

from collections.abc import Callable, Iterator

from PySide6.QtCore import QRect, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget
from shiboken6 import isValid

from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.appearance.settings_store import SettingsStore
from lime_desktop.shell.notices.floating import (
    KEYBOARD,
    AskControls,
    FloatingCard,
    PageControls,
    at_pointer,
    freest_corner,
)
from lime_desktop.shell.widgets.focus import has_keyboard
from lime_desktop.shell.widgets.parts import button, icon_button, name_control

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


def zoom_of(settings: SettingsStore, app_id: str) -> int:
    """How large the person has an app, in percent."""
    return max(_STEPS[0], min(_STEPS[-1], settings.current.page_zoom.get(app_id, OWN_SIZE)))


def keep_zoom(settings: SettingsStore, app_id: str, percent: int) -> None:
    """Remember it; an app at its own size needs no line."""
    kept = {key: each for key, each in settings.current.page_zoom.items() if key != app_id}
    if percent != OWN_SIZE:
        kept = {**dict(list(kept.items())[-_MOST_APPS + 1 :]), app_id: percent}
    settings.defer(page_zoom=kept)


class ZoomCard(FloatingCard):
    """Says the size for a moment where it covers least of the page, with the ways to change it."""

    wanted = Signal(int)
    """So many steps; none for the page's own size."""

    def __init__(self, page: QWidget, look: Look, ask_controls: AskControls) -> None:
        super().__init__(page)
        self._look = look
        self._page_controls = PageControls(self, self._make_way, ask_controls)
        self._held = Qt.Corner.TopRightCorner
        self._shown = OWN_SIZE
        self._percent = QLabel()
        self._percent.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._percent.setMinimumWidth(self.fontMetrics().horizontalAdvance("000 %") + 12)
        self._smaller = self._step("minus", -1)
        self._larger = self._step("plus", 1)
        self._reset = button("", self._want(0), "link")
        for part in (self._smaller, self._percent, self._larger, self._reset):
            self.row.addWidget(part)
        for pressed in self.findChildren(QAbstractButton):
            # A click leaves the keyboard in the page: with it, the card would stay for as long as nobody clicks there.
            pressed.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._seen = QTimer(self, interval=_SEEN_MS, singleShot=True)
        self._seen.timeout.connect(self._leave)

    def show_percent(self, percent: int) -> None:
        """Say how large the page is now."""
        texts = self._look.texts
        self._shown = percent
        self._percent.setText(texts("zoom.percent", percent=percent))
        self._reset.setText(texts("zoom.reset"))
        self._reset.setEnabled(percent != OWN_SIZE)
        name_control(self._smaller, texts("command.zoom.out"))
        name_control(self._larger, texts("command.zoom.in"))
        self.setAccessibleName(texts("zoom.percent", percent=percent))
        self.come_up()
        self._page_controls.ask()
        self._seen.start()

    def _step(self, sign: str, steps: int) -> QWidget:
        made = icon_button("", self._want(steps))
        self._look.icons.put_on(made, sign)
        return made

    def _want(self, steps: int) -> Callable[[], None]:
        return lambda: self.wanted.emit(steps)

    def _make_way(self) -> None:
        # A page that is closed answers once more, while its view is half gone.
        if isValid(self._page):
            self.stand()

    def _corner(self, room: QRect, size: QSize) -> Qt.Corner:
        """The corner that covers least; the same as before while somebody is at the card."""
        if not self._is_in_use():
            self._held = freest_corner(room, size, self._obstacles(), self._held)
        return self._held

    def _obstacles(self) -> Iterator[tuple[QRect, int]]:
        page = self._page
        yield at_pointer(page)
        for other in page.findChildren(FloatingCard):
            if other is not self and other.isVisible():
                yield other.geometry(), KEYBOARD
        yield from self._page_controls.obstacles(page)

    def _is_in_use(self) -> bool:
        return self.underMouse() or has_keyboard(self)

    def _leave(self) -> None:
        # At the page's own size nothing is left to be done here, wherever the pointer rests.
        if self._shown != OWN_SIZE and self._is_in_use():
            self._seen.start()
        else:
            self.hide()
