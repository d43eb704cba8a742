"""How does the start grow with what is installed? Run by hand: ``python -m tests.benchmarks.bench_many_apps [COUNT…]``.

Each count of small apps is installed in bulk and the whole program is started on it: real window, web engine, App
Server. Printed as multiples of the start with 5 apps in the same run: until the App Server answers, until the last app's
first value is stored, and how long the window's thread was away at most. Aim: 1,000 apps at most 2 × the start of 5.
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from lime_desktop.shell.startup.desktop_app import DesktopApp

FEW = 5
COUNTS = (FEW, 51, 201, 1_000)
LONGEST_S = 900
_TICK_MS = 5
_ROOT = Path(__file__).resolve().parents[2]

Measured = dict[str, float]


def main() -> None:
    """Print a line per count."""
    counts = [int(each) for each in sys.argv[1:]] or list(COUNTS)
    few: Measured | None = None
    for count in counts:
        found = measure(count)
        few = few or found
        figures = (f"{name} {s:.2f} s ({s / few[name]:.2f} ×)" for name, s in found.items())
        print(f"{count:5} apps: {', '.join(figures)}", flush=True)


def measure(count: int) -> Measured:
    """Start the program on so many apps."""
    from tests.host.app_center.many_apps import install_many  # noqa: PLC0415 - not in the child

    with tempfile.TemporaryDirectory(prefix="lime-many-", ignore_cleanup_errors=True) as folder:
        data = Path(folder)
        asyncio.run(install_many(data, count))
        begun = time.time()
        done = subprocess.run(
            [sys.executable, "-m", __spec__.name, "--child", str(data), str(count), str(begun)],
            env=os.environ | {"QT_QPA_PLATFORM": "offscreen", "QTWEBENGINE_DISABLE_SANDBOX": "1"},
            cwd=_ROOT,
            stdout=subprocess.PIPE,
            check=True,
            timeout=LONGEST_S,
        )
    return cast("Measured", json.loads(done.stdout.splitlines()[-1]))


def child(data: Path, count: int, begun: float) -> None:
    """One start, from before anything is loaded to the first stored value."""
    import qasync  # noqa: PLC0415 - the parent needs none of it
    from PySide6.QtCore import QCoreApplication, Qt, QTimer  # noqa: PLC0415
    from PySide6.QtWidgets import QApplication  # noqa: PLC0415

    from lime_desktop.host.user_profile.settings import HostSettings, write_settings  # noqa: PLC0415
    from lime_desktop.shell.startup.desktop_app import DesktopApp  # noqa: PLC0415
    from lime_desktop.shell.startup.garbage import GuiThreadCollector  # noqa: PLC0415
    from lime_desktop.shell.widgets.resource_folders import Folders  # noqa: PLC0415

    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
    application = QApplication(sys.argv[:1])
    GuiThreadCollector(application)
    loop = qasync.QEventLoop(application)
    asyncio.set_event_loop(loop)
    settings_file = data / "settings.json"
    write_settings(settings_file, HostSettings(is_welcomed=True, locale="en"))
    desk = DesktopApp(Folders(_ROOT / "resources", data, settings_file), _ROOT / "sample_apps")
    desk.window.show()
    ticks = [time.monotonic()]
    absences: list[float] = []

    def tick() -> None:
        now = time.monotonic()
        absences.append(now - ticks[-1])
        ticks[:] = [now]

    beat = QTimer(interval=_TICK_MS)
    beat.timeout.connect(tick)
    beat.start()
    found: Measured = {"window": time.time() - begun}
    QTimer.singleShot(0, lambda: desk.fill(""))

    async def run() -> None:
        await desk.open()
        await _stored(desk, count, found, begun)
        found["away"] = max(absences)
        desk.window.leave()
        await desk.close()

    with loop:
        loop.run_until_complete(run())  # pyright: ignore[reportUnknownMemberType] - qasync has no types
    print(json.dumps(found), flush=True)
    os._exit(0)


async def _stored(desk: "DesktopApp", count: int, found: Measured, begun: float) -> None:
    from lime_desktop.host.app_server_client.supervisor import Running  # noqa: PLC0415
    from lime_desktop.protocol.capability_calls.storage import SET_VALUE  # noqa: PLC0415
    from lime_desktop.protocol.errors import AppServerUnavailable  # noqa: PLC0415
    from tests.app_server.for_apps import ask  # noqa: PLC0415
    from tests.host.app_center.many_apps import app_name  # noqa: PLC0415

    app_id = app_name(count - 1)
    server = desk._server
    runs = asyncio.Event()
    server.watch(lambda state: runs.set() if isinstance(state, Running) else None)
    if not isinstance(server.state, Running):
        await runs.wait()
    found["server"] = time.time() - begun
    # As a page does that is opened: whoever opens an app asks the shelf for it.
    assert desk.services.registry.app(app_id) is not None
    while True:
        try:
            await ask(server.call, app_id, SET_VALUE, key="first", value=1)
        except AppServerUnavailable:
            await asyncio.sleep(0.01)
            continue
        break
    found["stored"] = time.time() - begun
    # What others do on the machine meanwhile counts in the times above, and not here.
    found["processor"] = time.process_time()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(Path(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]))
    else:
        main()
