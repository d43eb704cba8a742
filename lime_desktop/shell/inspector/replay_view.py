"""A recording played in a real view, with nobody behind it: what answers is the recording."""

from pathlib import Path

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from lime_desktop.developer.recording.lines import BeginLine, Recording
from lime_desktop.developer.recording.page_script import MARK, PageScriptOptions, page_script
from lime_desktop.developer.recording.replay import Difference, Replay
from lime_desktop.host.apps.bundle import bundle_of
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.bridge.limits import relay_rate_limit_of
from lime_desktop.host.web_content.ui_bundle import host_files
from lime_desktop.protocol.ids import AppId
from lime_desktop.shell.app_view.profile import AppProfiles
from lime_desktop.shell.app_view.view import AppView, ViewOf
from lime_desktop.shell.layouts.edges import edge_to_edge

_WIDTH, _HEIGHT = 900, 640
TIMEOUT_S = 30.0
"""How long a page may be silent where the recording has it say something; only a difference ever takes so long."""


class ReplayView(QWidget):
    """One replay, from loading the page to its first difference or the recording's end."""

    finished = Signal(object)
    """The first difference, or None."""
    moved = Signal(int)
    """So many events are done."""

    def __init__(
        self,
        recording: Recording,
        app: RegisteredApp,
        resources: Path,
        profiles: AppProfiles,
        timeout_s: float = TIMEOUT_S,
    ) -> None:
        super().__init__()
        head = recording.head
        relay = (resources / "view/relay.js").read_text(encoding="utf-8")
        gate = relay_rate_limit_of(AppId(app.app_id))
        of = ViewOf(app.app_id, app.title(head.locale), head.route, relay, gate)
        self.view = AppView(of, profiles, bundle_of(app, host_files(resources)))
        self.replay = Replay(recording, self.view, self._end, self._move)
        self._timer = QTimer(self, singleShot=True, interval=int(timeout_s * 1_000))
        self._timer.timeout.connect(self.replay.give_up)
        self.view.instrument(_script(recording, resources), MARK, self._on_mark)
        self.view.received.connect(self.replay.hear)
        first = _first(recording)
        self.view.setFixedSize(first.width or _WIDTH, first.height or _HEIGHT)
        layout = edge_to_edge(QVBoxLayout(self))
        layout.addWidget(self.view)

    def start(self, until: int | None = None) -> None:
        """Load the page and play, to an event or to the end."""
        self.view.load()
        self.go_to(until)

    def go_to(self, until: int | None) -> None:
        """Play on."""
        self._timer.start()
        self.replay.go_to(until)

    def shut(self) -> None:
        """Let go of the page."""
        self._timer.stop()
        self.view.shut()

    def _on_mark(self, text: str) -> None:
        self._timer.start()
        self.replay.hear_mark(text)

    def _move(self, at: int) -> None:
        self._timer.start()
        if at == self.replay.until:
            self._timer.stop()
        self.moved.emit(at)

    def _end(self, difference: Difference | None) -> None:
        self._timer.stop()
        self.finished.emit(difference)


def _first(recording: Recording) -> BeginLine:
    found = (line for line in recording.lines if isinstance(line, BeginLine))
    return next(found, BeginLine(at=0.0))


def _script(recording: Recording, resources: Path) -> str:
    first = _first(recording)
    options = PageScriptOptions(
        mode="replay",
        seed=recording.head.seed,
        started_at_ms=first.at,
        local_storage=first.local_storage,
    )
    return page_script(resources, options)
