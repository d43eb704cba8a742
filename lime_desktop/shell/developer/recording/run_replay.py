"""A replay without a screen, as a command runs it."""

import os
import sys
import tempfile
import time
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEventLoop, Qt
from PySide6.QtWidgets import QApplication

from lime_desktop.developer.recording.lines import Recording
from lime_desktop.developer.recording.replay import Difference
from lime_desktop.host.apps.registry import AppRegistry, RegisteredApp
from lime_desktop.host.proxy.access import ProxyAccess
from lime_desktop.host.startup.engine_sandbox import sandbox_gap
from lime_desktop.shell.app_view.engine import prepare_engine
from lime_desktop.shell.app_view.profile import AppProfiles
from lime_desktop.shell.app_view.screenless import go_without_screen
from lime_desktop.shell.inspector.replay_view import ReplayView


def run_replay(
    recording: Recording, package: Path, resources: Path, timeout_s: float
) -> Difference | None:
    """Play a recording to a package's own bundle, and give the first difference."""
    _prepare(recording)
    application = QApplication(sys.argv[:1])
    registry = AppRegistry(recording.head.locale)
    app = _granted(registry, package, recording)
    with tempfile.TemporaryDirectory(prefix="lime-replay-", ignore_cleanup_errors=True) as folder:
        profiles = AppProfiles(Path(folder), ProxyAccess())
        shown = ReplayView(recording, app, resources, profiles, timeout_s)
        difference = _play(shown)
        _let_go(shown)
        profiles.deleteLater()
        application.processEvents()
    return difference


def _prepare(recording: Recording) -> None:
    go_without_screen()
    if sandbox_gap() == "root":
        os.environ["QTWEBENGINE_DISABLE_SANDBOX"] = "1"
    # Pages write times in the zone of their process.
    os.environ["TZ"] = recording.head.timezone
    if hasattr(time, "tzset"):
        time.tzset()
    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
    prepare_engine()


def _granted(registry: AppRegistry, package: Path, recording: Recording) -> RegisteredApp:
    [app] = registry.add([package])
    for permission in recording.head.granted:
        registry.grant(app.app_id, permission)
    return registry.app(app.app_id) or app


def _play(shown: ReplayView) -> Difference | None:
    ended: list[Difference | None] = []
    loop = QEventLoop()

    def end(difference: Difference | None) -> None:
        ended.append(difference)
        loop.quit()

    shown.finished.connect(end)
    shown.show()
    shown.start()
    if not ended:
        loop.exec()
    return ended[0]


def _let_go(shown: ReplayView) -> None:
    loop = QEventLoop()
    shown.view.page().destroyed.connect(loop.quit)
    shown.shut()
    loop.exec()
    shown.deleteLater()
