"""A recording, event by event: read, and played to the app as it is now, one step at a time."""

import json
import tempfile
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal
from PySide6.QtWidgets import (
    QListWidget,
    QPlainTextEdit,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from lime_desktop.developer.recording.lines import (
    Recording,
    RecordingUnreadable,
    read_recording,
    subject_of,
)
from lime_desktop.developer.recording.replay import Difference
from lime_desktop.host.apps.registry import AppRegistry, RegisteredApp
from lime_desktop.host.proxy.access import ProxyAccess
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.plain_text import plain_line
from lime_desktop.shell.app_view.profile import AppProfiles
from lime_desktop.shell.dialogs.file_dialogs import choose_file
from lime_desktop.shell.inspector.replay_view import ReplayView
from lime_desktop.shell.widgets.parts import button, label, row


class RecordingPage(QWidget):
    """Opens recordings and steps through them."""

    finished = Signal(object)
    """A replay ended: its first difference, or None."""
    ended = Signal()
    """A replay's page is gone."""

    def __init__(self, texts: Texts, resources: Path, registry: AppRegistry) -> None:
        super().__init__()
        self._texts = texts
        self._resources = resources
        self._registry = registry
        self._recording: Recording | None = None
        self._stand: _ReplayStand | None = None
        self._list = QListWidget()
        self._details = QPlainTextEdit()
        self._status = label(self._texts("inspector.recording.none"), "muted")
        self._step = button(self._texts("inspector.recording.step"), self.step)
        self._play = button(self._texts("inspector.recording.play"), self.play)
        self._build()

    def open(self, path: str) -> None:
        """Read a file, and show what is in it."""
        self.end()
        try:
            recording = read_recording(Path(path))
        except (OSError, UnicodeDecodeError, RecordingUnreadable) as error:
            self._status.setText(self._texts("inspector.recording.unreadable", problem=error))
            return
        self._recording = recording
        self._list.clear()
        for line in recording.events:
            kind = self._texts(f"inspector.recording.{line.kind}")
            self._list.addItem(f"{kind}  {plain_line(subject_of(line))}")
        self._show_progress(0)
        self._enable(is_on=self._app() is not None)

    def step(self) -> None:
        """Play one event more."""
        self._go_to(self.done + 1)

    def play(self) -> None:
        """Play to the end, or to the first difference."""
        self._go_to(None)

    def end(self) -> None:
        """Let go of the replay."""
        if self._stand is not None:
            self._stand.gone.connect(self.ended)
            self._stand.shut()
            self._stand = None

    @property
    def done(self) -> int:
        """How many events were played."""
        return self._stand.shown.replay.at if self._stand else 0

    def _app(self) -> RegisteredApp | None:
        return self._registry.app(self._recording.head.app_id) if self._recording else None

    def _go_to(self, event: int | None) -> None:
        app = self._app()
        if self._recording is None or app is None:
            return
        if self._stand is not None:
            self._stand.shown.go_to(event)
            return
        self._stand = _ReplayStand(self._texts, self._resources, self._recording, app)
        self._stand.shown.moved.connect(self._show_progress)
        self._stand.shown.finished.connect(self._show_end)
        self._stand.shown.start(event)

    def _show_progress(self, done: int) -> None:
        count = self._list.count()
        self._status.setText(self._texts("inspector.recording.at", done=done, count=count))
        self._list.setCurrentRow(min(done, count - 1))

    def _show_end(self, difference: Difference | None) -> None:
        texts = self._texts
        self._enable(is_on=False)
        if difference is None:
            self._status.setText(texts("inspector.recording.same", count=self._list.count()))
        else:
            self._list.setCurrentRow(difference.event - 1)
            self._status.setText(_words(texts("inspector.recording.differs"), difference))
        self.finished.emit(difference)

    def _choose(self, at: int) -> None:
        if self._recording is not None and 0 <= at < len(self._recording.events):
            shown = self._recording.events[at].model_dump(mode="json", by_alias=True)
            self._details.setPlainText(json.dumps(shown, ensure_ascii=False, indent=2))

    def _ask_which(self) -> None:
        choose_file(self.window(), self._texts("inspector.recording.open"), self.open)

    def _enable(self, *, is_on: bool) -> None:
        self._step.setEnabled(is_on)
        self._play.setEnabled(is_on)

    def _build(self) -> None:
        texts = self._texts
        self._enable(is_on=False)
        self._list.setAccessibleName(texts("inspector.recording.events"))
        self._list.currentRowChanged.connect(self._choose)
        self._details.setProperty("role", "mono")
        self._details.setReadOnly(True)
        self._details.setTabChangesFocus(True)
        self._details.setAccessibleName(texts("inspector.recording.event"))
        halves = QSplitter(Qt.Orientation.Horizontal)
        halves.setChildrenCollapsible(False)
        halves.addWidget(self._list)
        halves.addWidget(self._details)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 8, 12, 12)
        layout.setSpacing(8)
        opening = button(texts("inspector.recording.open"), self._ask_which)
        layout.addWidget(row(opening, self._step, self._play, self._status, stretch_at=3))
        layout.addWidget(halves, 1)


class _ReplayStand(QObject):
    """A window with the replay in it, and a profile of its own that goes with it."""

    gone = Signal()

    def __init__(
        self, texts: Texts, resources: Path, recording: Recording, app: RegisteredApp
    ) -> None:
        super().__init__(QCoreApplication.instance())
        self._folder = tempfile.TemporaryDirectory(
            prefix="lime-replay-", ignore_cleanup_errors=True
        )
        self._profiles = AppProfiles(Path(self._folder.name), ProxyAccess(), self)
        self.shown = ReplayView(recording, app, resources, self._profiles)
        title = texts("inspector.recording.window", app=app.title(texts.locale))
        self.shown.setWindowTitle(title)
        self.shown.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, on=False)
        self.shown.show()

    def shut(self) -> None:
        """Close the window; the folder goes when nobody uses it any more."""
        self.shown.view.page().destroyed.connect(self._clear)
        self.shown.shut()
        self.shown.close()
        self.shown.deleteLater()

    def _clear(self) -> None:
        self._folder.cleanup()
        self.gone.emit()
        self.deleteLater()


def _words(head: str, difference: Difference) -> str:
    place = difference.place
    if place is None:
        return f"{head} {difference.event}: {difference.waited_for}"
    return f"{head} {difference.event}, {place.path}: {place.expected!r} → {place.actual!r}"
