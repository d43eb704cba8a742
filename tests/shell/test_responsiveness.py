"""The window stays alive while a page does its worst.

A stall is work: the GUI thread busy with one thing for so long that a person sees it. So the watchdog counts the
processor time that the thread spends between two beats of its heart, not the time on the wall. A machine that is busy
with something else lets both pass, and only the second one would fail for it.
"""

import asyncio
import gc
import json
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QObject, Qt, QTimer
from pytestqt.qtbot import QtBot

from lime_desktop.host.proxy.access import ProxyAccess
from lime_desktop.host.user_profile.settings import HostSettings
from lime_desktop.host.view.bodies import ByteStream
from lime_desktop.protocol.errors import AppServerUnavailable
from lime_desktop.shell.app_view.profile import AppProfiles
from lime_desktop.shell.notices.notices import Notices
from lime_desktop.shell.startup.composition import Composition
from lime_desktop.shell.widgets.resource_folders import Folders
from lime_desktop.shell.window.app_tab.app_tab import AppTab
from tests.shell.conftest import WAIT_MS

pytestmark = pytest.mark.system

ROOT = Path(__file__).parents[2]
MOST_MS = 50.0
STREAMS = 20

APP_MD = """---
manifestVersion: 0.10.0
name: flood
description: Says more than anybody can hear.
version: 1.0.0
status: ready
appType: agent-app
entries:
  - {key: home, kind: page, title: Home, route: /}
runtimePackage:
  ui: {path: ./dist/ui}
---
# Flood
"""
FLOOD = """
const base = {protocol: "lime.agentApp.bridge", version: 1, appId: "flood"};
const payload = {capability: "lime.ui", method: "getLocale"};
const notice = {message: "Look here, and here, and here!"};
const seen = {answered: 0, refused: 0, silenced: 0}, lines = [];
let number = 0;
const tell = () => {
  if (seen.answered < 1500 || seen.refused === 0 || seen.silenced < 1000) return false;
  if (lines.length < 20 || Math.min(...lines) < 50) return false;
  console.log("DONE " + JSON.stringify({codes: [...codes]}));
  return true;
};
const codes = new Set();
const flood = () => {
  for (let n = 0; n < 50; n++) {
    parent.postMessage({...base, type: "capability:invoke", requestId: `r${++number}`, payload}, "*");
    parent.postMessage({...base, type: "host:toast", requestId: `t${++number}`, payload: notice}, "*");
  }
  if (!tell()) setTimeout(flood, 0);
};
const read = async (path) => {
  const own = lines.push(0) - 1;
  const reader = (await fetch(path)).body.pipeThrough(new TextDecoderStream()).getReader();
  console.log("OPEN");
  for (;;) {
    const {value, done} = await reader.read();
    if (done) return;
    for (const c of value) lines[own] += c === "\\n";
  }
};
addEventListener("message", ({data}) => {
  if (typeof data === "string") return data === "flood" ? flood() : read(data);
  if (data.type === "host:response") seen.answered++;
  if (data.type === "host:error") {
    seen[data.requestId.startsWith("t") ? "silenced" : "refused"]++;
    codes.add(data.payload.details.appErrorCode);
  }
});
parent.postMessage({...base, type: "app:ready"}, "*");
console.log("READY");
"""


class Watchdog(QObject):
    """Feels the GUI thread's pulse, and keeps the longest work between two beats."""

    def __init__(self) -> None:
        super().__init__()
        self.longest_ms = 0.0
        self._last = time.thread_time()
        self._timer = QTimer(self, interval=2, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()

    def _beat(self) -> None:
        now = time.thread_time()
        self.longest_ms = max(self.longest_ms, (now - self._last) * 1_000)
        self._last = now


async def _no_server(*_: object, **__: object) -> Any:
    raise AppServerUnavailable("no App Server runs here")


class FloodingPage:
    """The app in a real tab, and what it logs."""

    def __init__(self, folder: Path, qtbot: QtBot) -> None:
        folders = Folders(ROOT / "resources", folder / "data", folder / "settings.json")
        services = Composition(folders, HostSettings(locale="en", theme_mode="light"))
        [app] = services.registry.add([_write(folder / "flood")])
        profiles = AppProfiles(folder / "views", ProxyAccess())
        self.tab = AppTab(services.for_tabs(), app, "home", _no_server, profiles)
        self.notices = Notices(services.look, folders, services.registry)
        self.tab.said.connect(partial(self.notices.say, "flood"))
        self.lines: list[str] = []
        self._qtbot = qtbot
        self.tab.view.console.connect(self._keep)
        self.tab.show()
        self.notices.show()

    def wait_for(self, line: str, times: int = 1) -> str:
        """The last line that starts like this, once there are so many."""
        self._qtbot.waitUntil(lambda: len(self._found(line)) >= times, timeout=WAIT_MS * 2)
        return self._found(line)[-1].removeprefix(line)

    def close(self) -> None:
        with self._qtbot.waitSignal(self.tab.view.page().destroyed, timeout=WAIT_MS):
            self.tab.shut()
        self.tab.close()
        self.tab.deleteLater()
        self.notices.deleteLater()

    def _found(self, kind: str) -> list[str]:
        return [line for line in self.lines if line.startswith(kind)]

    def _keep(self, _level: int, message: str, _line: int, _source: str) -> None:
        self.lines.append(message)


def _write(package: Path) -> Path:
    (package / "dist/ui").mkdir(parents=True)
    (package / "APP.md").write_text(APP_MD, "utf-8")
    page = '<!doctype html><script type="module" src="/app.js"></script>'
    (package / "dist/ui/index.html").write_text(page, "utf-8")
    (package / "dist/ui/app.js").write_text(FLOOD, "utf-8")
    return package


@pytest.fixture
def page(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Iterator[FloodingPage]:
    del loop  # only has to be there
    shown = FloodingPage(tmp_path, qtbot)
    # Whatever other tests left behind is not looked at again and again while this one runs.
    gc.collect()
    gc.freeze()
    yield shown
    gc.unfreeze()
    shown.close()


async def _keep_writing(stream: ByteStream) -> None:
    piece = b'{"event":"something happened"}\n' * 4
    while stream.is_open:
        if not stream.write(piece):
            await stream.wait_for_room()
        await asyncio.sleep(0.008)


def test_a_flooding_page_and_twenty_streams_never_hold_the_window(page: FloodingPage) -> None:
    """Ours: whatever a page sends, no turn of the window's loop works for longer than a person notices."""
    page.wait_for("READY")
    streams = [page.tab.view.bodies.open_stream() for _ in range(STREAMS)]
    for number, stream in enumerate(streams, 1):
        page.tab.view.post(json.dumps(stream.path))
        page.wait_for("OPEN", number)
    writing = [asyncio.ensure_future(_keep_writing(stream)) for stream in streams]
    watchdog = Watchdog()
    page.tab.view.post(json.dumps("flood"))
    done = json.loads(page.wait_for("DONE "))
    watchdog.stop()
    for stream, task in zip(streams, writing, strict=True):
        stream.finish()
        task.cancel()
    assert done == {"codes": ["APP_E019"]}
    assert watchdog.longest_ms < MOST_MS


def test_the_watchdog_sees_work_that_holds_the_window(qtbot: QtBot) -> None:
    """Ours: a measure that could not fail would show nothing."""
    watchdog = Watchdog()

    def hold() -> None:
        until = time.thread_time() + 0.2
        while time.thread_time() < until:
            pass

    QTimer.singleShot(0, watchdog, hold)
    qtbot.waitUntil(lambda: watchdog.longest_ms > 0 and watchdog.longest_ms >= 200, timeout=WAIT_MS)
    watchdog.stop()
