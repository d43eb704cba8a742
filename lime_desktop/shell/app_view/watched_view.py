"""An app's view and the host's words in its place: it crashed, it hangs, it never said that it is ready, it must not open.

A page that takes too much memory, or asks its origin for files without end, is stopped; only the person starts it again.
A page whose process ends is loaded again by itself a few times; after that only by hand. A page that hangs is left
alone until the person says otherwise: the window around it goes on.
"""

import os
import signal
import time
from collections import deque
from collections.abc import Callable, Iterable
from functools import partial
from typing import Literal

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWebEngineCore import QWebEnginePage
from PySide6.QtWidgets import QFrame, QStackedLayout, QVBoxLayout, QWidget

from lime_desktop.host.view.diagnosis import ViewTrouble, diagnose
from lime_desktop.host.wording.texts import Texts
from lime_desktop.shell.app_view.page_health import TIMEOUT_S, MemoryWatch, PageHeartbeat
from lime_desktop.shell.app_view.view import AppView
from lime_desktop.shell.layouts.edges import edge_to_edge
from lime_desktop.shell.widgets.amounts import size_in_words
from lime_desktop.shell.widgets.focus import focus_first, has_keyboard
from lime_desktop.shell.widgets.parts import banner, button, label

READY_MS = 10_000
"""How long a page may take before the host says that it has not started."""
RESTARTS = 3
"""How often a page is loaded again by itself…"""
WITHIN_S = 300.0
"""… within this time."""
FREEZE_MS = 300_000
"""How long a page is hidden before it stands still, where the engine sees nothing against it."""


_StopReason = Literal["stopped", "memory", "flood"]
"""Why the host ended a page's process: the person wanted it, or the page took too much."""


class WatchedView(QWidget):
    """Shows a view, or says why not."""

    reloading = Signal()
    """The page is about to be loaded anew: what it had asked is void."""
    restarted = Signal()
    """The page's process ended by itself, and the page is loaded again without being asked."""

    def __init__(
        self,
        view: AppView,
        texts: Texts,
        title: Callable[[], str],
        timeout_s: float = TIMEOUT_S,
        ready_ms: int = READY_MS,
        memory_bytes: int | None = None,
    ) -> None:
        super().__init__()
        self._view = view
        self._texts = texts
        self._title = title
        self._trouble = ViewTrouble()
        self._crashed_at: deque[float] = deque(maxlen=RESTARTS + 1)
        self._stopped_for: _StopReason | None = None
        self._is_refusing = False
        self._is_seen = True
        self._hang_notice: QFrame | None = None
        self._pulse = PageHeartbeat(view.page(), self, timeout_s)
        self._memory = MemoryWatch(view.page(), self, memory_bytes)
        self._ready_timer = QTimer(self, interval=ready_ms, singleShot=True)
        self._freeze_timer = QTimer(self, interval=FREEZE_MS, singleShot=True)
        self._stack = QStackedLayout()
        self._column = edge_to_edge(QVBoxLayout(self), 0)
        self._column.addLayout(self._stack, 1)
        # Once the stack belongs to somebody: it shows its first widget at once, which would be a window of its own.
        self._stack.addWidget(view)
        self._connect()

    @property
    def trouble(self) -> ViewTrouble:
        """What went wrong since the page was loaded."""
        return self._trouble

    def load(self) -> None:
        """Load the app anew."""
        self.expect_page()
        self._view.load()

    def expect_page(self) -> None:
        """The page makes room for another: what was known of it is void, and it has to say again that it is ready."""
        self.reloading.emit()
        self._forget_hang()
        self._pulse.stop()
        self._trouble.clear()
        self._stopped_for, self._is_refusing = None, False
        self._show(self._view)
        self._ready_timer.start()

    def load_by_hand(self) -> None:
        """Load the app anew because the person wants it: earlier crashes count no more."""
        self._crashed_at.clear()
        self.load()

    def notify_ready(self) -> None:
        """The app said that it started. It may do so late: then the host's words make room."""
        if not self._is_running:
            self._ready_timer.stop()
            self._show(self._view)
            self._feel_pulse()

    def set_seen(self, *, is_seen: bool) -> None:
        """Whether the person can see the page; one that stays hidden comes to stand still."""
        if is_seen == self._is_seen:
            return
        self._is_seen = is_seen
        if is_seen:
            self._freeze_timer.stop()
            self._view.page().setLifecycleState(QWebEnginePage.LifecycleState.Active)
            self._feel_pulse()
        else:
            # A hidden page is slowed down by the engine, and may answer late without hanging.
            self._pulse.stop()
            self._forget_hang()
            self._freeze_timer.start()

    def refuse(self, title: str, text: str, *buttons: QWidget) -> None:
        """Show the host's words instead of the app, until it is loaded."""
        self._is_refusing = True
        self._show(_notice(title, text, (), self._texts("tab.details"), buttons))

    def show_page(self) -> None:
        """Show the page again as it was, after the host's words had its place."""
        self._is_refusing = False
        self._show(self._view)

    def shut(self) -> None:
        """Stop watching, and let go of the page."""
        self._ready_timer.stop()
        self._freeze_timer.stop()
        self._pulse.stop()
        self._memory.stop()
        self._view.shut()

    @property
    def _is_running(self) -> bool:
        """Whether the app said that it started, and nothing came between."""
        return not self._ready_timer.isActive() and self._stack.currentWidget() is self._view

    def _feel_pulse(self) -> None:
        if self._is_running and self._is_seen:
            self._pulse.start()

    def _connect(self) -> None:
        self._view.console.connect(self._keep_line)
        self._view.missed.connect(self._keep_missing)
        self._view.renderer_ended.connect(self._recover)
        self._ready_timer.timeout.connect(self._on_silence)
        self._freeze_timer.timeout.connect(self._freeze)
        self._pulse.lost.connect(self._on_hang)
        self._pulse.found.connect(self._forget_hang)
        self._memory.exceeded.connect(partial(self._stop, "memory"))
        self._view.flooded_origin.connect(partial(self._stop, "flood"))

    def _keep_line(self, level: int, message: str, line: int, source: str) -> None:
        if level > 0:
            self._trouble.add_line(message, source, line)

    def _keep_missing(self, path: str) -> None:
        self._trouble.add_missing(path)

    def _recover(self, status: int, exit_code: int) -> None:
        self.reloading.emit()
        self._forget_hang()
        self._pulse.stop()
        self._ready_timer.stop()
        details = [f"status {status}, exit code {exit_code}"]
        if self._is_refusing:
            return
        if self._stopped_for is not None:
            size = size_in_words(self._memory.ceiling_bytes, self._texts)
            self._explain(f"tab.{self._stopped_for}", details, size=size)
            return
        now = time.monotonic()
        self._crashed_at.append(now)
        if len(self._crashed_at) <= RESTARTS or now - self._crashed_at[0] > WITHIN_S:
            self.restarted.emit()
            self.load()
        else:
            self._explain("tab.crashed", details, count=len(self._crashed_at))

    def _on_silence(self) -> None:
        found = diagnose(self._trouble)
        subject = found.subject.partition("\n")[0][:300]
        self._explain(f"tab.silent.{found.cause}", self._trouble.lines, subject=subject)

    def _on_hang(self) -> None:
        texts = self._texts
        stop = button(texts("tab.hangs.stop"), self.stop_page)
        self._hang_notice = banner(texts("tab.hangs.text", app=self._title()), "warning", stop)
        self._column.insertWidget(0, self._hang_notice)

    def _forget_hang(self) -> None:
        if self._hang_notice is not None:
            self._hang_notice.hide()
            self._hang_notice.deleteLater()
            self._hang_notice = None

    def stop_page(self) -> None:
        """End the page's process: one that hangs hears nothing else."""
        self._stop("stopped")

    def _stop(self, reason: _StopReason) -> None:
        if self._stopped_for is not None:
            return
        self._stopped_for = reason
        process = self._view.page().renderProcessPid()
        if process > 0:
            # Windows has no SIGKILL, and there the other one ends a process just as surely.
            os.kill(process, getattr(signal, "SIGKILL", signal.SIGTERM))

    def _freeze(self) -> None:
        page = self._view.page()
        if page.recommendedState() is not QWebEnginePage.LifecycleState.Active:
            page.setLifecycleState(QWebEnginePage.LifecycleState.Frozen)

    def _explain(self, key: str, details: Iterable[str], **facts: object) -> None:
        texts = self._texts
        again = button(texts("tab.reload"), self.load_by_hand, "primary")
        title = texts(f"{key}.title", app=self._title(), **facts)
        text = texts(f"{key}.text", app=self._title(), **facts)
        self._show(_notice(title, text, details, texts("tab.details"), (again,)))

    def _show(self, widget: QWidget) -> None:
        current, held = self._stack.currentWidget(), has_keyboard(self)
        if self._stack.indexOf(widget) < 0:
            self._stack.addWidget(widget)
        self._stack.setCurrentWidget(widget)
        if held and widget is self._view:
            self._view.web_view.setFocus(Qt.FocusReason.OtherFocusReason)
        elif held and widget is not current:
            focus_first(widget)
        if current is not None and current not in (self._view, widget):
            self._stack.removeWidget(current)
            current.deleteLater()


def _notice(
    title: str, text: str, details: Iterable[str], details_title: str, buttons: Iterable[QWidget]
) -> QFrame:
    notice = QFrame()
    notice.setObjectName("page")
    layout = QVBoxLayout(notice)
    layout.setContentsMargins(60, 60, 60, 60)
    layout.addWidget(label(title, "title"))
    layout.addWidget(label(text))
    for each in buttons:
        layout.addWidget(each)
    shown = "\n".join(details)
    if shown:
        layout.addWidget(label(details_title, "muted"))
        layout.addWidget(label(shown, "mono"))
    layout.addStretch(1)
    return notice
