"""Opens the hostile app in a real tab of the real shell, lets it try everything, and prints what came of it as JSON.

A process of its own, because flags hold for a whole process and because it also runs as another user.
"""

import asyncio
import json
import os
import socket
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, cast, get_args

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
if os.geteuid() == 0:
    os.environ.setdefault("QTWEBENGINE_DISABLE_SANDBOX", "1")

import qasync
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtNetwork import QNetworkProxy
from PySide6.QtTest import QTest
from PySide6.QtWebEngineCore import QWebEnginePage, QWebEngineProfile
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import QApplication, QWidget

from lime_desktop.app_package.archive.opening import open_package
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.proxy.access import ProxyAccess
from lime_desktop.host.proxy.thread import ProxyThread
from lime_desktop.host.user_profile.settings import HostSettings
from lime_desktop.host.web_content import ui_bundle
from lime_desktop.host.web_content.origin import SCHEME, origin_of
from lime_desktop.host.web_content.request_limits import ViewRequests
from lime_desktop.host.web_content.ui_bundle import UiBundle
from lime_desktop.protocol.errors import CapabilityNotAvailable
from lime_desktop.shell.app_view.engine import carry_network_through, prepare_engine
from lime_desktop.shell.app_view.profile import AppProfiles
from lime_desktop.shell.app_view.scheme_handler import BundleSchemeHandler
from lime_desktop.shell.startup.composition import Composition
from lime_desktop.shell.startup.garbage import GuiThreadCollector
from lime_desktop.shell.widgets.resource_folders import Folders
from lime_desktop.shell.window.app_tab.app_tab import AppTab
from tests.hostile_pictures import GOOD_SVG
from tests.security.attempts import ATTEMPTS, Layer
from tests.security.exhaustion import Exhaustion
from tests.security.listeners import Ears
from tests.security.page import APP_ID, hostile_files

ROOT = Path(__file__).resolve().parents[2]
Mode = Literal["defended", "without-content-policy", "undefended"]
GIVE_UP_S = 100

_APP_MD = """---
manifestVersion: 0.10.0
name: {name}
description: Tries to get out.
version: 1.0.0
status: ready
appType: agent-app
entries:
  - key: home
    kind: page
    title: Home
    route: /
presentation:
  icon: assets/icon.svg
runtimePackage:
  ui:
    path: ./dist/ui
---
# Hostile
"""


class Run:
    """What the page reports, and what the host saw meanwhile."""

    def __init__(self, mode: Mode, ears: Ears) -> None:
        self.mode = mode
        self.ears = ears
        self.reports: dict[str, dict[str, Any]] = {}
        self.refused: list[tuple[str, str]] = []
        self.toasts: list[str] = []
        self.console: list[str] = []
        self.sandbox: dict[str, object] = {}
        self.exhaustion: Exhaustion | None = None
        self.is_done = False
        self.proxy: ProxyThread | None = None
        self.click: Callable[[], None] = lambda: None
        self.end: Callable[[], object] = lambda: None

    def hear(self, message: str) -> None:
        kind, _, text = message.partition(" ")
        if kind == "REPORT":
            report = json.loads(text)
            self.reports[report["name"]] = report
        elif kind == "CLICK":
            self.click()
        elif kind == "DONE":
            self.is_done = True
            self.end()
        else:
            self.console.append(message[:300])

    def hear_line(self, _level: int, message: str, _line: int, _source: str) -> None:
        self.hear(message)

    def keep_refused(self, guard: str, address: str) -> None:
        self.refused.append((guard, address))

    def keep_toast(self, message: str, _level: str) -> None:
        self.toasts.append(message)

    def result(self) -> dict[str, object]:
        return {
            "mode": self.mode,
            "isDone": self.is_done,
            "reports": self.reports,
            "refused": self.refused,
            "toasts": self.toasts,
            "heard": self.ears.heard,
            "sandbox": self.sandbox,
            "exhaustion": self.exhaustion.results if self.exhaustion else {},
            "user": os.geteuid(),
            "console": self.console,
        }


def main() -> None:
    """Run one mode and print its result."""
    mode = cast("Mode", sys.argv[1])
    if mode not in get_args(Mode):
        sys.exit(f"one of {get_args(Mode)}")
    run = Run(mode, Ears(_dns_socket()))
    prepare_engine()
    if mode != "defended":
        ui_bundle.response_headers = _no_headers
    if mode == "undefended":
        os.environ["QTWEBENGINE_CHROMIUM_FLAGS"] = ""
        QNetworkProxy.setApplicationProxy(QNetworkProxy(QNetworkProxy.ProxyType.NoProxy))
    application = QApplication(sys.argv[:1])
    GuiThreadCollector(application)
    loop = qasync.QEventLoop(application)
    asyncio.set_event_loop(loop)
    open_app = _open_bare if mode == "undefended" else _open_tab
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, loop:
        loop.run_until_complete(_live(run, open_app, Path(folder)))  # pyright: ignore[reportUnknownMemberType] - qasync has no types
        sys.stdout.write(json.dumps(run.result()))
        sys.stdout.flush()
        # The engine is not taken down in order: what counts is printed, and what is left belongs to this process.
        os._exit(0)


async def _live(run: Run, open_app: "OpenApp", folder: Path) -> None:
    done = asyncio.get_running_loop().create_future()
    run.end = lambda: done.done() or done.set_result(None)
    shown = open_app(run, folder)
    try:
        async with asyncio.timeout(GIVE_UP_S):
            await done
    except TimeoutError:
        run.console.append("gave up")
    run.sandbox = _sandbox_of(_engine_view(shown).page().renderProcessPid())
    if run.exhaustion is not None and run.mode == "defended" and run.is_done:
        await run.exhaustion.run()


OpenApp = Callable[[Run, Path], QWidget]


def _open_tab(run: Run, folder: Path) -> QWidget:
    """The app as the shell shows it."""
    package = _write_package(folder / APP_ID, run)
    folders = Folders(ROOT / "resources", folder / "data", folder / "settings.json")
    services = Composition(folders, HostSettings(locale="en", theme_mode="light"))
    [app] = services.registry.add([package])
    access = ProxyAccess()
    run.proxy = ProxyThread(access, folder / "network.db")
    carry_network_through(run.proxy.start())
    profiles = AppProfiles(folder / "views", access)
    tab = AppTab(services.for_tabs(), app, "home", _no_server, profiles)
    tab._view.refused.connect(run.keep_refused)
    tab._view.console.connect(run.hear_line)
    tab.said.connect(run.keep_toast)
    run.click = lambda: _click(tab)
    tab.resize(800, 600)
    tab.show()

    def add_app(name: str, files: dict[str, str]) -> RegisteredApp:
        [added] = services.registry.add([_write_files(folder / name, name, files)])
        return added

    def show_tab(app: RegisteredApp) -> AppTab:
        opened = AppTab(services.for_tabs(), app, "home", _no_server, profiles)
        opened.resize(800, 600)
        opened.show()
        return opened

    run.exhaustion = Exhaustion(
        add_app,
        show_tab,
        services.look.appearance.pictures.why_undrawn,
        services.look.appearance.icon_of,
    )
    return tab


def _open_bare(run: Run, folder: Path) -> QWidget:
    """A view as a tutorial would make it: no policy, no guard, no flag."""
    view = QWebEngineView()
    profile = QWebEngineProfile(APP_ID, view)
    handler = BundleSchemeHandler(APP_ID, ViewRequests(), lambda _: None, profile)
    package = open_package(_write_package(folder / APP_ID, run))
    handler.serve(UiBundle(package, "dist/ui", {}))
    profile.installUrlSchemeHandler(SCHEME.encode(), handler)
    view.setPage(_TellingPage(profile, run, view))
    view.resize(800, 600)
    view.show()
    view.load(QUrl(origin_of(APP_ID)))
    return view


class _TellingPage(QWebEnginePage):
    def __init__(self, profile: QWebEngineProfile, run: Run, parent: QWidget) -> None:
        super().__init__(profile, parent)
        self._run = run

    def javaScriptConsoleMessage(  # noqa: N802 - Qt calls this
        self,
        level: QWebEnginePage.JavaScriptConsoleMessageLevel,
        message: str,
        lineNumber: int,  # noqa: N803
        sourceID: str,  # noqa: N803
    ) -> None:
        del level, lineNumber, sourceID
        self._run.hear(message)


def _write_package(package: Path, run: Run) -> Path:
    attempts = [each for each in ATTEMPTS if run.mode != "undefended" or each.is_control]
    reported = [each.name for each in attempts if each.layer is Layer.CONTENT_POLICY]
    files = hostile_files(
        attempts, run.ears.tcp_port, run.ears.udp_port, reported if run.mode == "defended" else ()
    )
    return _write_files(package, APP_ID, {f"dist/ui/{name}": text for name, text in files.items()})


def _write_files(package: Path, name: str, files: dict[str, str]) -> Path:
    """A package of these files beside its manifest, and a page and an icon where there is none."""
    least = {
        "APP.md": _APP_MD.replace("{name}", name),
        "dist/ui/index.html": "<!doctype html>",
        "assets/icon.svg": GOOD_SVG.decode(),
    }
    for path, text in (least | files).items():
        (package / path).parent.mkdir(parents=True, exist_ok=True)
        (package / path).write_text(text, "utf-8")
    return package


def _click(tab: QWidget) -> None:
    target = _engine_view(tab).focusProxy()
    assert target is not None
    QTest.mouseClick(
        target, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(400, 300)
    )


def _engine_view(shown: QWidget) -> QWebEngineView:
    view = shown if isinstance(shown, QWebEngineView) else shown.findChild(QWebEngineView)
    assert isinstance(view, QWebEngineView)
    return view


async def _no_server(*_: object, **__: object) -> Any:
    raise CapabilityNotAvailable("no App Server runs here")


def _no_headers(*_: object) -> dict[str, str]:
    return {}


def _dns_socket() -> socket.socket | None:
    number = os.environ.get("LIME_TEST_DNS_FD")
    return socket.socket(fileno=int(number)) if number else None


def _sandbox_of(renderer: int) -> dict[str, object]:
    """Whether the page's process is in namespaces of its own, and under a system call filter."""
    status = Path(f"/proc/{renderer}/status").read_text("ascii")
    filtered = next(line.split()[1] for line in status.splitlines() if line.startswith("Seccomp:"))
    own = {
        kind: _namespace(renderer, kind) != _namespace(os.getpid(), kind)
        for kind in ("user", "net", "pid")
    }
    return {"ownNamespaces": own, "hasSystemCallFilter": filtered == "2"}


def _namespace(process: int, kind: str) -> str:
    try:
        return str(Path(f"/proc/{process}/ns/{kind}").readlink())
    except PermissionError:
        # A process of another user namespace shows its own to nobody outside.
        return "hidden"


if __name__ == "__main__":
    main()
