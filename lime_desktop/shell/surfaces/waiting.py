"""An entry that is open and cannot be shown yet: a skeleton, then calm words with a way out. Decides nothing itself."""

from PySide6.QtCore import QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QStackedLayout, QVBoxLayout, QWidget

from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.layouts.edges import edge_to_edge
from lime_desktop.shell.layouts.flow import flow
from lime_desktop.shell.surfaces.identity_bar import IdentityBar
from lime_desktop.shell.surfaces.surface import Surface
from lime_desktop.shell.widgets.parts import button, label

_RADIUS = 6.0
_LINE = 12.0
_GAP = 14.0
LATE_MS = 20_000
"""How long a skeleton is shown before words say what is waited for. It goes on waiting after that."""


class Skeleton(QWidget):
    """Grey bars where an app's page will stand; a screen reader is told that something is loading."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.setAccessibleName(look.texts("skeleton.name"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        look.appearance.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt calls this
        """Draw the bars."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._look.appearance.theme.tokens["--lime-surface-sunken"]))
        for bar in _page_bars(float(self.width()), float(self.height())):
            painter.drawRoundedRect(bar, _RADIUS, _RADIUS)
        painter.end()


def _page_bars(width: float, height: float) -> list[QRectF]:
    margin = min(48.0, width / 12)
    room = max(0.0, width - 2 * margin)
    title = QRectF(margin, margin, min(280.0, room), 24)
    lines: list[QRectF] = []
    top, shares = title.bottom() + 28, (1.0, 0.92, 0.97, 0.55)
    while top + _LINE < min(height, 420.0) - margin:
        share = shares[len(lines) % len(shares)]
        lines.append(QRectF(margin, top, min(720.0, room) * share, _LINE))
        top += _LINE + _GAP
    return [title, *lines]


class WaitingSurface(Surface):
    """Stands in the tabs for an entry until there is everything that its view needs."""

    late = Signal()
    """It has waited for longer than anybody would without a word."""
    open_wanted = Signal()
    """The person wants it opened as things stand."""

    def __init__(
        self, look: Look, app: RegisteredApp, entry_key: str, late_ms: int = LATE_MS
    ) -> None:
        super().__init__(app.app_id, entry_key)
        self._look = look
        self._app = app
        self._words = ""
        self._can_open = False
        self.route: str | None = None
        """Where it was asked to go meanwhile."""
        self._session_id: str | None = None
        self._run_id: str | None = None
        self._stack = QStackedLayout()
        layout = edge_to_edge(QVBoxLayout(self), 0)
        layout.addWidget(IdentityBar(look, app, entry_key))
        layout.addLayout(self._stack, 1)
        self._skeleton = Skeleton(look)
        # Once the stack belongs to somebody: it shows its first widget at once, which would be a window of its own.
        self._stack.addWidget(self._skeleton)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        look.texts.changed.connect(self._retranslate)
        QTimer.singleShot(late_ms, self, self.late.emit)

    @property
    def words(self) -> str:
        """What it says, by its key; nothing while the skeleton is shown."""
        return self._words

    def open_route(self, route: str) -> None:
        """Go there once there is something that can."""
        self.route = route

    @property
    def run_id(self) -> str | None:
        """The run that its page will show, likewise kept."""
        return self._run_id

    def open_run(self, run_id: str) -> None:
        """Show it once there is something that can."""
        self._run_id = run_id

    @property
    def session_id(self) -> str | None:
        """The conversation that its view will show: kept for the next start as well, should nobody turn to it."""
        return self._session_id

    def resume(self, session_id: str) -> None:
        """Show it once there is something that can."""
        self._session_id = session_id

    def show_skeleton(self) -> None:
        """Say nothing: it will be there in a moment."""
        self._put("")

    def show_late(self, *, can_open: bool) -> None:
        """Say that agents and storage are not there yet, and that it opens by itself; or sooner, if it can."""
        has_changed, self._can_open = can_open != self._can_open, can_open
        self._put("late", is_other=has_changed)

    def show_setup(self) -> None:
        """Say that the app needs something first, and lead to where that is settled."""
        self._put("setup")

    def _put(self, words: str, *, is_other: bool = False) -> None:
        if words != self._words or is_other:
            self._words = words
            self._retranslate()

    def _retranslate(self) -> None:
        before = self._stack.currentWidget()
        shown = self._notice() if self._words else self._skeleton
        if self._stack.indexOf(shown) < 0:
            self._stack.addWidget(shown)
        self._stack.setCurrentWidget(shown)
        if before is not None and before not in (self._skeleton, shown):
            self._stack.removeWidget(before)
            before.hide()
            before.deleteLater()

    def _notice(self) -> QFrame:
        texts, key = self._look.texts, f"waiting.{self._words}"
        app = self._app.title(texts.locale)
        notice = QFrame()
        notice.setObjectName("page")
        layout = QVBoxLayout(notice)
        layout.setContentsMargins(48, 48, 48, 48)
        layout.addWidget(label(texts(f"{key}.title", app=app), "title"))
        layout.addWidget(label(texts(f"{key}.text", app=app)))
        layout.addWidget(flow(*self._buttons()))
        layout.addStretch(1)
        return notice

    def _buttons(self) -> list[QWidget]:
        texts = self._look.texts
        if self._words == "setup":
            return [button(texts("waiting.setup.view"), self.details_wanted.emit, "primary")]
        retry = button(texts("trouble.retry"), self.retry_wanted.emit, "primary")
        anyway = button(texts("waiting.late.open"), self.open_wanted.emit)
        return [retry, anyway] if self._can_open else [retry]
