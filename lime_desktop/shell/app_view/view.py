"""The widget that shows one app: the engine's view, the relay, and what is left when a renderer dies."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QFile, QIODevice, QObject, QSize, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QColor, QKeyEvent
from PySide6.QtWebChannel import QWebChannel
from PySide6.QtWebEngineCore import QWebEngineFrame, QWebEnginePage, QWebEngineScript
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import QVBoxLayout, QWidget

from lime_desktop.host.bridge.limits import RelayRateLimit
from lime_desktop.host.view.bodies import ViewBodies
from lime_desktop.host.web_content.origin import host_of, origin_of
from lime_desktop.host.web_content.ui_bundle import FRAME_PATH, UiBundle
from lime_desktop.shell.app_view.dropped import Dropped, DropView
from lime_desktop.shell.app_view.guards import GuardedPage, OfflineGuard
from lime_desktop.shell.app_view.loading_cover import LoadingCover
from lime_desktop.shell.app_view.port import RelayCallbacks, RelayPort
from lime_desktop.shell.app_view.profile import AppProfile, AppProfiles
from lime_desktop.shell.app_view.scheme_handler import PageSource
from lime_desktop.shell.app_view.view_input import ViewInput, WindowKeys, actions_of
from lime_desktop.shell.layouts.edges import edge_to_edge

_WORLD = QWebEngineScript.ScriptWorldId.ApplicationWorld.value
_UNLIMITED = 16_777_215
"""The largest that Qt lets a widget be."""
_DROPPING_MS = 2_000
"""How long the engine may take to drop a navigation that was refused; it takes some milliseconds."""
_DRESSING_MS = 300
"""As long as a page takes to put on the theme that it is told of."""
_CHANNEL_SCRIPT = ":/qtwebchannel/qwebchannel.js"


@dataclass(frozen=True, slots=True)
class ViewOf:
    """Which app, at which route."""

    app_id: str
    title: str
    route: str
    relay_script: str
    rate_limit: RelayRateLimit


class AppView(QWidget):
    """A locked view of one app. What it says comes out as `received`; `post` is the only way in."""

    received = Signal(str)
    """One message of the app, as text, unless somebody receives them: see `receive_by`."""
    oversized = Signal(str, int)
    """A message too large to carry: request id and length."""
    flooded = Signal(int)
    """So many messages came too fast, and were refused before they reached the host."""
    refused = Signal(str, str)
    """Something a guard stopped: which guard, and the address without its query."""
    flooded_origin = Signal()
    """The app's pages ask their origin for more and more, whatever they are told."""
    missed = Signal(str)
    """A path of the app's origin was asked for that is not there."""
    console = Signal(int, str, int, str)
    """A line of the page's console: level, message, line, source."""
    routed = Signal(str)
    """The host brings the app to another route."""
    came_up = Signal()
    """There is something of the page to be seen."""
    print_wanted = Signal()
    """The app wants its page printed."""
    renderer_ended = Signal(int, int)
    """The page's process ended: termination status and exit code."""

    def __init__(
        self, of: ViewOf, profiles: AppProfiles, bundle: UiBundle, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        host = host_of(of.app_id)
        self.bodies = ViewBodies()
        """What the page may fetch beside its files."""
        self._app_id = of.app_id
        self._offline: OfflineGuard | None = None
        self._profiles = profiles
        self._profile = profiles.open(of.app_id, bundle)
        self._profile.offer(self.bodies)
        self._profile.refused.connect(self.refused)
        self._profile.missed.connect(self.missed)
        self._profile.flooded.connect(self.flooded_origin)
        self._page = _ConsolePage(self._profile, host, self.refused.emit, self.console.emit, self)
        self._page.proxyAuthenticationRequired.connect(self._profile.authenticate)
        self._page.renderProcessTerminated.connect(self._on_renderer_ended)
        self._page.loadFinished.connect(self._recover_scripts)
        self._page.printRequested.connect(self.print_wanted)
        self._page.printRequestedByFrame.connect(self._want_print)
        self._receive = self.received.emit
        callbacks = RelayCallbacks(self._receive, self.oversized.emit, self.flooded.emit)
        self._port = RelayPort(of.route, of.title, of.rate_limit, callbacks, self)
        self.dropped = Dropped()
        """What the person dropped on the page."""
        self._view = DropView(self._page, self.dropped, self)
        self._view.setAccessibleName(of.title)
        self._cover = LoadingCover(self._view, self)
        self._cover.lifted.connect(self.came_up)
        self._port.drawn.connect(self._cover.notify_drawn)
        self._port.framed.connect(self._cover.notify_frame)
        self._cover.frame_wanted.connect(self._port.frameWanted)
        WindowKeys(self._view)
        self.input = ViewInput(self._view)
        """What the person does to the view."""
        # Until somebody has one of the host's own.
        self._view.setContextMenuPolicy(self._view.contextMenuPolicy().NoContextMenu)
        self._undressed = QTimer(self, interval=_DRESSING_MS, singleShot=True)
        self._undressed.timeout.connect(self._show_paper)
        self._load_after_drop = QTimer(self, interval=_DROPPING_MS, singleShot=True)
        self._load_after_drop.timeout.connect(self._load_now)
        self._frame_url = QUrl(f"{origin_of(of.app_id)}{FRAME_PATH}")
        self._connect_relay(of.relay_script)
        self._layout = edge_to_edge(QVBoxLayout(self))
        self._layout.addWidget(self._view)

    def load(self) -> None:
        """Load the app, or load it again after its process ended."""
        self.bodies.clear()
        self.input.begin_anew()
        self._profile.requests.start_over()
        if self._page.is_dropping_navigation:
            # Begun before that ended, it would lose the scripts with it.
            self._load_after_drop.start()
        else:
            self._load_now()

    def show_ground(self, colour: str) -> None:
        """Be of this colour while the page has drawn nothing yet: a white one would dazzle in a dark window."""
        self._undressed.stop()
        self._page.setBackgroundColor(QColor(colour))
        self._cover.cover(colour)

    def follow_ground(self, colour: str) -> None:
        """The theme is another: what lies over the page until it is drawn is of this colour from now on."""
        self._cover.be(colour)

    def end_ground(self) -> None:
        """The page has what it needs to draw itself; one that brings no colours of its own expects white paper."""
        self._undressed.start()
        self._cover.notify_ready()

    def serve(self, bundle: UiBundle) -> None:
        """Show these files from the next request on."""
        self._profiles.serve(self._app_id, bundle)

    def answer_by(self, source: PageSource | None) -> None:
        """Let the app's pages come from elsewhere than its bundle."""
        self._profile.answer_by(source)

    def extend(self, name: str, published: QObject, script: str) -> None:
        """Run a script of the host's own beside the relay, with an object to talk to; before the page is loaded."""
        self._channel.registerObject(name, published)
        self._page.scripts().insert(_beside_the_app(f"lime-{name}", script))

    def post(self, message: str) -> None:
        """Send the app one message, already JSON."""
        self._port.post(message)

    def open_route(self, route: str) -> None:
        """Show another route of the app."""
        self.routed.emit(route)
        self._port.open_route(route)

    def receive_by(self, receive: Callable[[str], None]) -> None:
        """Hand the app's messages to one listener instead: a signal costs as much as reading them does."""
        self._receive = receive
        self._port.receive_by(receive)

    def instrument(self, script: str, mark: str, hear: Callable[[str], None]) -> None:
        """Run a script in the app's own frame before anything of the app, from the next document on.

        It speaks over the app's channel, so that the order is kept; what begins with `mark` goes to `hear` alone.
        """
        made = QWebEngineScript()
        made.setName("lime-instrument")
        made.setWorldId(QWebEngineScript.ScriptWorldId.MainWorld.value)
        made.setInjectionPoint(QWebEngineScript.InjectionPoint.DocumentCreation)
        made.setRunsOnSubFrames(True)
        made.setSourceCode(script)
        self._page.scripts().insert(made)

        def receive(text: str) -> None:
            if text.startswith(mark):
                hear(text)
            else:
                self._receive(text)

        self._port.receive_by(receive)

    def cut_off(self, *, is_offline: bool) -> None:
        """Keep this view, and no other of the app, from reaching anything but its own origin; or let it again."""
        self._offline = OfflineGuard(self) if is_offline else None
        self._page.setUrlRequestInterceptor(self._offline)  # pyright: ignore[reportArgumentType] - Qt takes none

    def limit_size(self, size: QSize | None) -> None:
        """Show the page no larger than this, in the middle; or as large as there is room."""
        self._view.setMaximumSize(size or QSize(_UNLIMITED, _UNLIMITED))
        middle = Qt.AlignmentFlag.AlignCenter if size else Qt.AlignmentFlag(0)
        self._layout.setAlignment(self._view, middle)

    def shut(self) -> None:
        """Let go of the page and then of its profile, which must outlive it."""
        self._undressed.stop()
        self._cover.stop()
        self._load_after_drop.stop()
        self.bodies.clear()
        self._profile.take_back(self.bodies)
        profiles, app_id = self._profiles, self._app_id
        self._page.destroyed.connect(lambda: profiles.let_go(app_id))
        self._view.deleteLater()
        self._page.deleteLater()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt calls this
        """A key comes back that the page had first and did not want: the window's command by it is meant."""
        for action in actions_of(self.window(), event):
            action.trigger()
            return
        super().keyPressEvent(event)

    @property
    def web_view(self) -> QWebEngineView:
        """The engine's widget, which takes the keyboard."""
        return self._view

    def page(self) -> QWebEnginePage:
        """The engine's page, for what only the engine can do."""
        return self._page

    def _want_print(self, _frame: QWebEngineFrame) -> None:
        self.print_wanted.emit()

    def _show_paper(self) -> None:
        self._page.setBackgroundColor(Qt.GlobalColor.white)

    def _recover_scripts(self, is_whole: bool) -> None:  # noqa: FBT001 - Qt's signature
        if is_whole:
            return
        self._renew_scripts()
        self._page.is_dropping_navigation = False
        if self._load_after_drop.isActive():
            self._load_now()

    def _load_now(self) -> None:
        self._load_after_drop.stop()
        self._page.is_dropping_navigation = False
        self._renew_scripts()
        self._page.is_making_room = True
        self._page.load(self._frame_url)

    def _renew_scripts(self) -> None:
        """Give the page its scripts again: the engine forgets them when it drops a navigation that was refused.

        Without the relay the next document would stay empty, whoever loads it.
        """
        scripts = self._page.scripts()
        given = scripts.toList()
        scripts.clear()
        scripts.insert(given)

    def _on_renderer_ended(
        self, status: QWebEnginePage.RenderProcessTerminationStatus, exit_code: int
    ) -> None:
        self._page.is_dropping_navigation = False
        self._cover.notify_ended()
        self.renderer_ended.emit(status.value, exit_code)

    def _connect_relay(self, relay_script: str) -> None:
        self._channel = QWebChannel(self)
        self._channel.registerObject("port", self._port)
        self._page.setWebChannel(self._channel, _WORLD)
        source = f"{_channel_script()}\n{relay_script}"
        self._page.scripts().insert(_beside_the_app("lime-relay", source))


class _ConsolePage(GuardedPage):
    def __init__(
        self,
        profile: AppProfile,
        host: str,
        refused: Callable[[str, str], None],
        console: Callable[[int, str, int, str], None],
        parent: QWidget,
    ) -> None:
        super().__init__(profile, host, refused, parent)
        self._console = console

    def javaScriptConsoleMessage(  # noqa: N802 - Qt calls this
        self,
        level: QWebEnginePage.JavaScriptConsoleMessageLevel,
        message: str,
        lineNumber: int,  # noqa: N803
        sourceID: str,  # noqa: N803
    ) -> None:
        self._console(level.value, message, lineNumber, sourceID)


def _beside_the_app(name: str, source: str) -> QWebEngineScript:
    """A script of the outer page that shares the DOM with the app, but no variable."""
    script = QWebEngineScript()
    script.setName(name)
    script.setWorldId(_WORLD)
    script.setInjectionPoint(QWebEngineScript.InjectionPoint.DocumentReady)
    # Sub-frames have none: the app itself is one.
    script.setRunsOnSubFrames(False)
    script.setSourceCode(source)
    return script


def _channel_script() -> str:
    """Qt's own client of its channel, which ships inside the library."""
    file = QFile(_CHANNEL_SCRIPT)
    if not file.open(QIODevice.OpenModeFlag.ReadOnly):
        raise RuntimeError("Qt's web channel script is missing from this build of PySide6")
    return bytes(file.readAll().data()).decode()
