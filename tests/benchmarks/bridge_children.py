"""The processes that the bridge benchmark compares: each opens one page, lets it measure, and prints what it measured."""

import asyncio
import contextlib
import importlib
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
if hasattr(os, "geteuid") and os.geteuid() == 0:
    os.environ.setdefault("QTWEBENGINE_DISABLE_SANDBOX", "1")

import qasync
from PySide6.QtCore import QFile, QIODevice, QObject, Qt, QTimer, QUrl, Slot
from PySide6.QtWebChannel import QWebChannel
from PySide6.QtWebEngineCore import QWebEnginePage, QWebEngineProfile
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import QApplication, QWidget

from lime_desktop.app_package.archive.opening import open_package
from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.proxy.access import ProxyAccess
from lime_desktop.host.user_profile.settings import HostSettings
from lime_desktop.host.view.bodies import ByteStream
from lime_desktop.host.web_content.origin import SCHEME, origin_of
from lime_desktop.host.web_content.request_limits import ViewRequests
from lime_desktop.host.web_content.ui_bundle import UiBundle
from lime_desktop.protocol.errors import AppServerUnavailable
from lime_desktop.shell.app_view.engine import prepare_engine
from lime_desktop.shell.app_view.profile import AppProfiles
from lime_desktop.shell.app_view.scheme_handler import BundleSchemeHandler
from lime_desktop.shell.startup.composition import Composition
from lime_desktop.shell.startup.garbage import GuiThreadCollector
from lime_desktop.shell.widgets.resource_folders import Folders
from lime_desktop.shell.window.app_tab.app_tab import AppTab

ROOT = Path(__file__).resolve().parents[2]
GIVE_UP_S = 300

# Every page brings its own `call(text) -> Promise<text>` and `mark(name)`; the measuring is the same for all. A page's
# clock ticks ten times in a millisecond: the usual time is that of ten calls, divided.
CLOCK = """
const sorted = a => a.slice().sort((x, y) => x - y);
const at = (a, q) => a[Math.min(a.length - 1, Math.floor(q * a.length))];
const since = (ends, n, count) => (ends[n] - ends[n - count]) / count;
async function timed(times, work) {
  const ends = [performance.now()];
  for (let n = 0; n < times; n++) { await work(n); ends.push(performance.now()); }
  const tens = Array.from({length: times / 10}, (_, n) => since(ends, (n + 1) * 10, 10));
  return {p50: at(sorted(tens), .5), p99: at(sorted(ends.slice(1).map((_, n) => since(ends, n + 1, 1))), .99)};
}
"""
MEASURE = (
    CLOCK
    + """
async function measure() {
  const small = {key: "k".repeat(60)}, work = () => call(small);
  await timed(200, work);
  await mark("call begins");
  const one = await timed(2000, work);
  await mark("call ends");
  const flights = [];
  await mark("flight begins");
  for (let n = 0; n < 3; n++) {
    const from = performance.now();
    await Promise.all(Array.from({length: 1000}, work));
    flights.push(performance.now() - from);
  }
  await mark("flight ends");
  return {...one, flight: at(sorted(flights), .5)};
}
"""
)

# A page through the bridge, and one on a raw channel; the script between them says what is measured.
BRIDGE_APP = """
const mark = name => console.log("MARK " + name);
const waiting = new Map(); let number = 0;
addEventListener("message", ({source, data}) => { if (source !== parent) return;
  waiting.get(data.requestId)?.(data); waiting.delete(data.requestId); });
const base = {protocol: "lime.agentApp.bridge", version: 1, appId: "bench"};
const invoke = (capability, method, input) => new Promise(done => {
  const requestId = `app-${++number}-${capability}:${method}`; waiting.set(requestId, done);
  parent.postMessage({...base, type: "capability:invoke", requestId, payload: {capability, method, input}}, "*"); });
%s
parent.postMessage({...base, type: "app:ready"}, "*");
console.log("RESULT " + JSON.stringify(await measure()));
"""
BRIDGE_CALL = 'const call = input => invoke("lime.ui", "getLocale", input);' + MEASURE
RAW_PAGE = """<!doctype html><script>%s</script><script>
const mark = name => console.log("MARK " + name);
new QWebChannel(qt.webChannelTransport, async channel => {
  const slot = channel.objects.slot;
  const ask = (method, value) => new Promise(done => method(JSON.stringify(value), text => done(JSON.parse(text))));
  %s
  console.log("RESULT " + JSON.stringify(await measure()));
});
</script>"""
RAW_CALL = "const call = value => ask(slot.echo, value);" + MEASURE

READY = """
const base = {protocol: "lime.agentApp.bridge", version: 1, appId: "bench"};
"""
IDLE_BARE = 'console.log("RESULT {}");'
IDLE_APP = (
    READY
    + """
addEventListener("message", ({data}) => { if (data.type === "host:snapshot") console.log("RESULT {}"); }, {once: true});
parent.postMessage({...base, type: "app:ready"}, "*");
"""
)
LISTENING_APP = (
    READY
    + """
const report = value => console.log("REPORT " + JSON.stringify(value));
const flood = () => { for (let n = 0; n < 50; n++) parent.postMessage({...base, type: "capability:invoke", requestId: `f${n}`,
  payload: {capability: "lime.ui", method: "getLocale"}}, "*"); setTimeout(flood, 1); };
addEventListener("message", async ({data}) => {
  if (data === "flood") return flood();
  if (typeof data !== "string") return;
  const answer = await fetch(data);
  report({open: true});
  const text = answer.headers.get("content-type") === "application/json" ? (await answer.json(), "") : null;
  if (text !== null) return report({lines: 0});
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let lines = 0;
  for (;;) { const {value, done} = await reader.read(); if (done) break; for (const c of value) lines += c === "\\n"; }
  report({lines});
});
parent.postMessage({...base, type: "app:ready"}, "*");
report({ready: true});
"""
)

APP_MD = """---
manifestVersion: 0.10.0
name: bench
description: Measures the bridge.
version: 1.0.0
status: ready
appType: agent-app
entries:
  - {key: home, kind: page, title: Home, route: /}
runtimePackage:
  ui: {path: ./dist/ui}
---
# Bench
"""


class EchoSlot(QObject):
    """The least a channel can do: text in, the same text out."""

    @Slot(str, result=str)
    def echo(self, text: str) -> str:
        return text


class TellingPage(QWebEnginePage):
    def __init__(
        self,
        heard: "asyncio.Future[Any]",
        parent: QObject,
        profile: QWebEngineProfile | None = None,
    ) -> None:
        super().__init__(profile or QWebEngineProfile.defaultProfile(), parent)
        self._heard = heard

    def javaScriptConsoleMessage(  # noqa: N802 - Qt calls this
        self,
        level: QWebEnginePage.JavaScriptConsoleMessageLevel,
        message: str,
        lineNumber: int,  # noqa: N803
        sourceID: str,  # noqa: N803
    ) -> None:
        del level, lineNumber, sourceID
        take(self._heard, message)


def take(heard: "asyncio.Future[Any]", message: str) -> None:
    if message.startswith("MARK "):
        MARKS[message.removeprefix("MARK ")] = processor_ms()
    elif message.startswith("RESULT ") and not heard.done():
        heard.set_result(with_processor_time(json.loads(message.removeprefix("RESULT "))))


MARKS: dict[str, float] = {}
"""The processor time that was used when a page said that something begins or ends."""


def processor_ms() -> float:
    """What this process and all that it started have used of the processors: the same however busy the machine is."""
    used: dict[int, tuple[int, float]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = stat.read_text("utf-8").rpartition(")")[2].split()
            ticks = int(fields[11]) + int(fields[12])
            used[int(stat.parent.name)] = (int(fields[1]), ticks * 1_000 / os.sysconf("SC_CLK_TCK"))
    ours = [os.getpid()]
    for process in ours:
        ours += [child for child, (parent, _) in used.items() if parent == process]
    return sum(used[process][1] for process in ours if process in used)


def with_processor_time(result: dict[str, float]) -> dict[str, float]:
    """What a page measured, and what the processors did for it meanwhile."""
    begun = {name.removesuffix(" begins") for name in MARKS if name.endswith(" begins")}
    spent = {name: MARKS[f"{name} ends"] - MARKS[f"{name} begins"] for name in begun}
    return result | {f"{name} cpu": each for name, each in spent.items()}


def open_raw(heard: "asyncio.Future[Any]", _: Path) -> QWidget:
    return open_channel(heard, EchoSlot(), RAW_CALL)


def open_channel(heard: "asyncio.Future[Any]", slot: QObject, script: str) -> QWidget:
    """A bare page that talks to one object."""
    file = QFile(":/qtwebchannel/qwebchannel.js")
    file.open(QIODevice.OpenModeFlag.ReadOnly)
    view = QWebEngineView()
    page = TellingPage(heard, view)
    channel = QWebChannel(page)
    slot.setParent(page)
    channel.registerObject("slot", slot)
    page.setWebChannel(channel)
    view.setPage(page)
    view.show()
    page.setHtml(RAW_PAGE % (bytes(file.readAll().data()).decode(), script))
    return view


def write_app(package: Path, script: str, more: str = "") -> Path:
    (package / "dist/ui").mkdir(parents=True)
    (package / "APP.md").write_text(
        APP_MD.replace("runtimePackage:", f"{more}runtimePackage:"), "utf-8"
    )
    page = '<!doctype html><script type="module" src="/app.js"></script>'
    (package / "dist/ui/index.html").write_text(page, "utf-8")
    (package / "dist/ui/app.js").write_text(script, "utf-8")
    return package


def open_bridge(heard: "asyncio.Future[Any]", folder: Path, script: str) -> AppTab:
    return prepare_bridge(folder, script)(heard)


def prepare_bridge(folder: Path, script: str) -> "Click[AppTab]":
    """An app on the shelf, as it is before a person opens it."""
    services = make_services(folder)
    services.registry.add([write_app(folder / "bench", script)])
    return lambda heard: open_tab(heard, folder, services, no_server)


def make_services(folder: Path) -> Composition:
    folders = Folders(ROOT / "resources", folder / "data", folder / "settings.json")
    return Composition(folders, HostSettings(locale="en", theme_mode="light"))


def open_tab(
    heard: "asyncio.Future[Any]", folder: Path, services: Composition, call: CallServer
) -> AppTab:
    [app] = services.registry.apps
    tab = AppTab(
        services.for_tabs(), app, "home", call, AppProfiles(folder / "views", ProxyAccess())
    )

    def hear(_level: int, message: str, _line: int, _source: str) -> None:
        take(heard, message)

    tab._view.console.connect(hear)
    tab.resize(800, 600)
    tab.show()
    return tab


async def no_server(*_: object, **__: object) -> Any:
    raise AppServerUnavailable("no App Server runs here")


async def measure_calls(open_page: "OpenPage", folder: Path) -> Any:
    """Let a page measure its own calls."""
    heard: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    shown = open_page(heard, folder)
    result = await heard
    del shown
    return result


async def measure_opening(prepare: "Prepare", folder: Path) -> dict[str, float]:
    """From the click to the first thing a page shows, with the engine already warm and the app's package read."""
    shown: list[QWidget] = []
    took_ms = used_ms = 0.0
    for number in range(3):
        heard: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        click = prepare(folder / str(number))
        started, used_ms = time.perf_counter(), processor_ms()
        shown.append(click(heard))
        await heard
        took_ms = (time.perf_counter() - started) * 1_000
        used_ms = processor_ms() - used_ms
    return {"snapshot": took_ms, "snapshot cpu": used_ms}


async def measure_memory(_: Path) -> dict[str, float]:
    """What a further idle page keeps for itself, in kB."""
    folder = Path(tempfile.mkdtemp())
    found: dict[str, float] = {}
    kept: list[QWidget] = []
    for name, open_page in (("bare", open_bare), ("app", open_idle)):
        pages: list[QWebEnginePage] = []
        for number in range(3):
            heard: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
            kept.append(open_page(heard, folder / f"{name}{number}"))
            await heard
            pages.append(page_of(kept[-1]))
        found[name] = sum(proportional_kb(page.renderProcessPid()) for page in pages[1:]) / 2
    return found


async def measure_events(folder: Path) -> dict[str, str]:
    """Events a second that reach a page by a stream, counted there."""
    tab, heard = await open_listening(folder)
    found: dict[str, str] = {}
    for rate in (1_000, 10_000, 50_000):
        stream = tab._view.bodies.open_stream()
        heard.clear()
        tab._view.post(json.dumps(stream.path))
        await heard.wait()
        sent, started = 0, time.monotonic()
        while sent < rate:
            due = min(rate, int((time.monotonic() - started) * rate) + 1)
            piece = b"".join(b'{"n":%d}\n' % number for number in range(sent, due))
            while not stream.write(piece):
                await stream.wait_for_room()
            sent = due
            await asyncio.sleep(0.004)
        stream.finish()
        heard.clear()
        await heard.wait()
        took_s = time.monotonic() - started
        lost = sent - heard.last["lines"]
        found[f"{rate:>6}"] = f"{lost} lost, all there after {took_s:.2f} s"
    return found


async def measure_payloads(folder: Path) -> dict[str, float]:
    """How long a value of some size takes to the page, parsed, through its own origin."""
    tab, heard = await open_listening(folder)
    found: dict[str, float] = {}
    for size in (100, 10_000, 100_000, 1_000_000, 10_000_000):
        body = json.dumps({"value": "x" * size}).encode()
        heard.clear()
        started = time.perf_counter()
        tab._view.post(json.dumps(tab._view.bodies.offer(body)))
        await heard.wait()
        await heard.wait_again()
        found[str(size)] = (time.perf_counter() - started) * 1_000
    return found


async def measure_stalls(folder: Path) -> dict[str, float]:
    """The longest time the GUI thread was away: alone, and while a page floods and 20 streams run."""
    tab, heard = await open_listening(folder)
    alone = await worst_gap_ms(3.0)
    streams = [tab._view.bodies.open_stream() for _ in range(20)]
    for stream in streams:
        heard.clear()
        tab._view.post(json.dumps(stream.path))
        await heard.wait()
    writing = [asyncio.ensure_future(keep_writing(stream)) for stream in streams]
    tab._view.post(json.dumps("flood"))
    busy = await worst_gap_ms(3.0)
    for task in writing:
        task.cancel()
    return {"alone": alone, "busy": busy}


async def keep_writing(stream: ByteStream) -> None:
    piece = b'{"event":"something happened"}\n' * 4
    while stream.is_open:
        if not stream.write(piece):
            await stream.wait_for_room()
        await asyncio.sleep(0.008)


async def worst_gap_ms(seconds: float) -> float:
    """Look at the clock every few milliseconds, as an animation would."""
    gaps: list[float] = []
    last = time.perf_counter()

    def look() -> None:
        nonlocal last
        now = time.perf_counter()
        gaps.append(now - last)
        last = now

    timer = QTimer(interval=4, timerType=Qt.TimerType.PreciseTimer)
    timer.timeout.connect(look)
    timer.start()
    await asyncio.sleep(seconds)
    timer.stop()
    return max(gaps) * 1_000


class Reports:
    """What a listening page reports, one after the other."""

    def __init__(self) -> None:
        self.last: dict[str, Any] = {}
        self._event = asyncio.Event()

    def hear(self, _level: int, message: str, _line: int, _source: str) -> None:
        if message.startswith("REPORT "):
            self.last = json.loads(message.removeprefix("REPORT "))
            self._event.set()

    def clear(self) -> None:
        self._event.clear()

    async def wait(self) -> None:
        await self._event.wait()

    async def wait_again(self) -> None:
        self._event.clear()
        if "lines" not in self.last:
            await self._event.wait()


async def open_listening(folder: Path) -> tuple[AppTab, Reports]:
    """A page that fetches each path it is told, and reports when it is open and when it was read."""
    unheard: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    tab, reports = open_bridge(unheard, folder, LISTENING_APP), Reports()
    tab._view.console.connect(reports.hear)
    await reports.wait()
    return tab, reports


def open_bare(heard: "asyncio.Future[Any]", folder: Path) -> QWidget:
    return prepare_bare(folder)(heard)


def prepare_bare(folder: Path) -> "Click[QWidget]":
    package = open_package(write_app(folder / "bench", IDLE_BARE))
    return lambda heard: show_bare(heard, folder, UiBundle(package, "dist/ui", {}))


def show_bare(heard: "asyncio.Future[Any]", folder: Path, bundle: UiBundle) -> QWidget:
    """The same page in a view as a tutorial would make it."""
    view = QWebEngineView()
    profile = QWebEngineProfile(folder.name, view)
    handler = BundleSchemeHandler("bench", ViewRequests(), lambda _: None, profile)
    handler.serve(bundle)
    profile.installUrlSchemeHandler(SCHEME.encode(), handler)
    page = TellingPage(heard, view, profile)
    view.setPage(page)
    view.resize(800, 600)
    view.show()
    page.load(QUrl(origin_of("bench")))
    return view


def open_idle(heard: "asyncio.Future[Any]", folder: Path) -> AppTab:
    return open_bridge(heard, folder, IDLE_APP)


def prepare_idle(folder: Path) -> "Click[AppTab]":
    return prepare_bridge(folder, IDLE_APP)


def open_raw_bridge(heard: "asyncio.Future[Any]", folder: Path) -> AppTab:
    return open_bridge(heard, folder, BRIDGE_APP % BRIDGE_CALL)


def page_of(shown: QWidget) -> QWebEnginePage:
    view = shown if isinstance(shown, QWebEngineView) else shown.findChild(QWebEngineView)
    assert isinstance(view, QWebEngineView)
    return view.page()


def proportional_kb(process: int) -> float:
    rollup = Path(f"/proc/{process}/smaps_rollup").read_text("ascii")
    return float(next(line.split()[1] for line in rollup.splitlines() if line.startswith("Pss:")))


ShownT = TypeVar("ShownT", bound=QWidget)
Click = Callable[["asyncio.Future[Any]"], ShownT]
Prepare = Callable[[Path], Click[Any]]
OpenPage = Callable[["asyncio.Future[Any]", Path], QWidget]
Measure = Callable[[Path], Coroutine[Any, Any, Any]]
MEASURES: Mapping[str, Measure] = {
    "raw": partial(measure_calls, open_raw),
    "bridge": partial(measure_calls, open_raw_bridge),
    "bare": partial(measure_opening, prepare_bare),
    "opened": partial(measure_opening, prepare_idle),
    "memory": measure_memory,
    "events": measure_events,
    "payloads": measure_payloads,
    "stalls": measure_stalls,
}


async def tell(measure: Measure, folder: Path) -> None:
    async with asyncio.timeout(GIVE_UP_S):
        print(json.dumps(await measure(folder)), flush=True)


def run_pywebview() -> None:
    """The peer: its own way from JavaScript to Python and back, with the same measuring."""
    # An optional dependency of this benchmark alone.
    webview: Any = importlib.import_module("webview")

    class Api:
        def echo(self, value: object) -> object:
            return value

        def mark(self, name: str) -> None:
            MARKS[name] = processor_ms()

        def tell(self, result: dict[str, float]) -> None:
            print(json.dumps(with_processor_time(result)), flush=True)
            os._exit(0)

    html = f"""<script>addEventListener("pywebviewready", async () => {{
      const mark = name => pywebview.api.mark(name);
      const call = value => pywebview.api.echo(value); {MEASURE}
      pywebview.api.tell(await measure()); }});</script>"""
    webview.create_window("bench", html=html, js_api=Api())
    webview.start(gui="qt")


def main() -> None:
    if sys.argv[1] == "pywebview":
        run_pywebview()
    else:
        run_in_window(MEASURES[sys.argv[1]])


def run_in_window(measure: Measure) -> None:
    """Measure as the program runs: one thread for Qt and asyncio, garbage collected between two events."""
    prepare_engine()
    application = QApplication(sys.argv[:1])
    loop = qasync.QEventLoop(application)
    asyncio.set_event_loop(loop)
    collector = GuiThreadCollector()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, loop:
        loop.run_until_complete(tell(measure, Path(folder)))  # pyright: ignore[reportUnknownMemberType] - qasync has no types
        collector.stop()
        # The engine is not taken down in order: the figures are out, and the process ends with them.
        os._exit(0)


if __name__ == "__main__":
    main()
