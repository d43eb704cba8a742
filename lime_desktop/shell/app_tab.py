"""One open entry of one app: its view, and above it the host's own line that no page can reach.

The line names the app and how it stands. When the page's process ends or the app never says that it is ready, the
host's words take the view's place; the app is loaded again by hand, or by itself a few times.
"""

import uuid
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from pydantic import SecretStr
from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from lime_desktop.host.app_origin import origin_of
from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.bridge.session import BridgeSession
from lime_desktop.host.host_files import host_files
from lime_desktop.host.shelf import ShelfApp
from lime_desktop.host.shell_port import FileQuestion, SecretQuestion, ShellPort, ToastLevel
from lime_desktop.host.view_bridge import ViewBridge, ViewParts
from lime_desktop.host.view_facts import (
    Ambience,
    bundle_of,
    policy_facts,
    snapshot_of,
)
from lime_desktop.policy.facts import PolicyFacts
from lime_desktop.protocol.bridge.snapshot import HostSnapshot
from lime_desktop.readiness.package_checks import claimed_trust
from lime_desktop.shell.app_view.profiles import AppProfiles
from lime_desktop.shell.app_view.view import AppView, ViewOf
from lime_desktop.shell.choosing import ask_secret, choose_files
from lime_desktop.shell.parts import button, label, pill
from lime_desktop.shell.surroundings import Surroundings

_READY_MS = 10_000
"""How long a page may take before the host says that it has not started."""
_RESTARTS = 3
"""How often in a row a page is loaded again by itself."""


class AppTab(QWidget):
    """An app at one of its entries."""

    toast = Signal(str, str)
    entry_wanted = Signal(str)
    link_wanted = Signal(str)

    def __init__(
        self,
        around: Surroundings,
        app: ShelfApp,
        entry_key: str,
        call_server: CallServer,
        profiles: AppProfiles,
    ) -> None:
        super().__init__()
        self._around = around
        self._app_id = app.app_id
        self._entry_key = entry_key
        self._crashes = 0
        self._console: list[str] = []
        self._view = AppView(
            _view_of(around, app, entry_key),
            profiles,
            bundle_of(app, host_files(around.folders.resources)),
        )
        self._bridge = self._open_bridge(call_server)
        self._session = self._bridge.session
        self._ready_timer = QTimer(self, interval=_READY_MS, singleShot=True)
        self._ready_timer.timeout.connect(self._tell_silence)
        self._connect_view()
        self._stack = QStackedLayout()
        self._stack.addWidget(self._view)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._bar(app))
        layout.addLayout(self._stack, 1)
        around.look_changed.connect(self._session.push_theme)
        around.language_changed.connect(self._session.push_snapshot)
        self.reload()

    @property
    def app_id(self) -> str:
        """The app that is shown."""
        return self._app_id

    @property
    def entry_key(self) -> str:
        """The entry that is shown."""
        return self._entry_key

    @property
    def session(self) -> BridgeSession:
        """The conversation with the page, for the inspector."""
        return self._session

    def reload(self) -> None:
        """Load the app anew."""
        self._bridge.restart()
        self._console.clear()
        self._show(self._view)
        self._view.load()
        self._ready_timer.start()

    def set_visible(self, *, visible: bool) -> None:
        """Tell the app whether it can be seen."""
        self._session.push_visibility(visible=visible)

    def shut(self) -> None:
        """End the conversation and let go of the page."""
        self._bridge.close()
        self._ready_timer.stop()
        self._view.shut()

    # What the app may ask of its window: see ShellPort.

    def show_toast(self, message: str, level: ToastLevel) -> None:
        """Pass a notice to the window."""
        self.toast.emit(message, level)

    def open_route(self, route: str) -> None:
        """Bring the view to another route of the app."""
        self._view.open_route(route)

    def open_entry(self, entry_key: str) -> None:
        """Ask the window for another entry of the app."""
        self.entry_wanted.emit(entry_key)

    def offer_link(self, url: str) -> None:
        """Let the window ask the person about a link."""
        self.link_wanted.emit(url)

    async def choose_files(self, question: FileQuestion) -> tuple[Path, ...]:
        """Let the person open files to the app."""
        return await choose_files(self, self._around.texts, self._title(), question)

    async def ask_secret(self, question: SecretQuestion) -> SecretStr | None:
        """Let the person type a secret for the app."""
        return await ask_secret(self, self._around.texts, self._title(), question)

    def _open_bridge(self, call_server: CallServer) -> ViewBridge:
        port: ShellPort = self
        parts = ViewParts(
            app=self._app,
            entry_key=self._entry_key,
            snapshot=self._snapshot,
            facts=self._facts,
            call=call_server,
            shell=port,
            approvals=self._around.approvals.calls,
            view_id=uuid.uuid4().hex,
            topics=self._around.topics,
            bodies=self._view.bodies,
            post=self._view.post,
        )
        return ViewBridge(parts)

    def _app(self) -> ShelfApp:
        app = self._around.shelf.app(self._app_id)
        if app is None:
            raise LookupError(f"{self._app_id} is open but not on the shelf")
        return app

    def _facts(self) -> PolicyFacts:
        approvals = self._around.approvals.calls.facts(self._app_id)
        return policy_facts(self._app(), datetime.now(UTC), approvals)

    def _snapshot(self) -> HostSnapshot:
        around = self._around
        now = datetime.now(UTC)
        ambience = Ambience(around.texts.locale, around.timezone, around.theme, now)
        return snapshot_of(self._app(), self._entry_key, ambience)

    def _connect_view(self) -> None:
        self._view.received.connect(self._receive)
        self._view.oversized.connect(self._session.refuse_oversized)
        self._view.console.connect(self._keep_console)
        self._view.renderer_ended.connect(self._recover)

    def _receive(self, text: str) -> None:
        self._session.receive(text)
        if self._session.is_ready:
            self._ready_timer.stop()
            self._crashes = 0

    def _keep_console(self, level: int, message: str, line: int, source: str) -> None:
        if level > 0:
            self._console.append(f"{source}:{line}  {message}")
            del self._console[:-50]

    def _recover(self, status: int, exit_code: int) -> None:
        self._bridge.restart()
        self._ready_timer.stop()
        self._crashes += 1
        if self._crashes <= _RESTARTS:
            self.reload()
            return
        texts = self._around.texts
        self._explain(
            texts("tab.crashed.title", app=self._title()),
            f"{texts('tab.crashed.text')} {texts('tab.crashed.often', count=self._crashes)}",
            [f"status {status}, exit code {exit_code}"],
        )

    def _tell_silence(self) -> None:
        texts = self._around.texts
        self._explain(
            texts("tab.silent.title", app=self._title()), texts("tab.silent.text"), self._console
        )

    def _explain(self, title: str, text: str, details: Iterable[str]) -> None:
        texts = self._around.texts
        notice = QFrame()
        notice.setObjectName("page")
        layout = QVBoxLayout(notice)
        layout.setContentsMargins(60, 60, 60, 60)
        layout.addWidget(label(title, "title"))
        layout.addWidget(label(text))
        layout.addWidget(button(texts("tab.reload"), self._start_over, "primary"))
        shown = "\n".join(details)
        if shown:
            layout.addWidget(label(texts("tab.details"), "muted"))
            layout.addWidget(label(shown, "mono"))
        layout.addStretch(1)
        self._show(notice)

    def _start_over(self) -> None:
        self._crashes = 0
        self.reload()

    def _show(self, widget: QWidget) -> None:
        current = self._stack.currentWidget()
        if self._stack.indexOf(widget) < 0:
            self._stack.addWidget(widget)
        self._stack.setCurrentWidget(widget)
        if current is not None and current not in (self._view, widget):
            self._stack.removeWidget(current)
            current.deleteLater()

    def _bar(self, app: ShelfApp) -> QFrame:
        texts = self._around.texts
        bar = QFrame()
        bar.setObjectName("bar")
        layout = QHBoxLayout(bar)
        layout.setContentsMargins(14, 6, 10, 6)
        name = label(self._title())
        name.setWordWrap(False)
        layout.addWidget(name)
        layout.addWidget(pill(texts(f"trust.{claimed_trust(app.projection)}"), "plain"))
        origin = label(origin_of(app.app_id), "small")
        origin.setWordWrap(False)
        layout.addWidget(origin)
        layout.addStretch(1)
        layout.addWidget(button(texts("tab.reload"), self._start_over))
        return bar

    def _title(self) -> str:
        return self._app().title(self._around.texts.locale)


def _view_of(around: Surroundings, app: ShelfApp, entry_key: str) -> ViewOf:
    entry = app.projection.entry(entry_key)
    route = entry.route if entry and entry.route else "/"
    relay = (around.folders.resources / "view/relay.js").read_text(encoding="utf-8")
    return ViewOf(app.app_id, app.title(around.texts.locale), route, relay)
