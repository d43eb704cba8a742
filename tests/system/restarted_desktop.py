"""A desktop that is started again and again on one home, with an App Server that is slow or fails the first time.

Run as a program it is one start: it waits until every tab that was open shows its page, notes whatever is said meanwhile
that is not true, prints what it found as one line of JSON, and is killed. The parts are what ships: window, web engine,
app center, a sidecar process; only when the sidecar is started is played.
"""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from tests.system.started_desktops import REPOSITORY, Home

if TYPE_CHECKING:
    from lime_desktop.host.app_server_client.sidecar import Sidecar
    from lime_desktop.shell.startup.desktop_app import DesktopApp

TABS = (
    ("hello-lime", "greeting"),
    ("notes", "notebook"),
    ("draft-desk", "desk"),
    ("draft-desk", "editor"),
    ("table-lens", "lens"),
)
"""Five, of four apps: pages that ask for stored data at once, and a chat."""
BEHAVIOURS = ("plain", "slow", "fails", "slow-then-fails")
"""What the App Server does at its first start; afterwards it starts as ever."""
LONGEST_S = 240.0
_SLOW_S = 3.0
_TICK_MS = 25
_QUIET_S = 0.4
"""A page that asked nothing for so long has shown what it has."""


@dataclass
class Found:
    """What one start came to."""

    behaviour: str
    tabs: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Every tab that was there once the start was over, from left to right."""
    in_front: tuple[str, str] | None = None
    shown: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Those that came to show their content."""
    untrue: list[str] = field(default_factory=list[str])
    """What was said while the App Server was only on its way."""
    first_page_s: float = 0.0
    """From the start of the process until the tab in front showed its page."""


def install_apps(home: Home) -> None:
    """Install what is to be open, by the command line."""
    for name in dict.fromkeys(app_id for app_id, _ in TABS):
        subprocess.run(  # noqa: S603 - the program under test
            [
                *(sys.executable, "-m", "lime_desktop", "install", f"sample_apps/{name}"),
                *("--yes", "--accept-unsigned", "--grant-suggested"),
            ],
            env=os.environ | home.environment,
            cwd=REPOSITORY,
            stdout=subprocess.DEVNULL,
            check=True,
            timeout=LONGEST_S,
        )
    home.write_settings(
        isWelcomed=True, opensWithoutSandbox=True, locale="en", hasNotifications=False
    )


def restart(home: Home, behaviour: str, *, opens: bool = False) -> Found:
    """Start once, to the end by a kill; `opens` the tabs first, as the person did before all this."""
    arguments = [str(home.data), str(home.settings_file), behaviour, *(["--open"] if opens else [])]
    begun = str(time.time())
    done = subprocess.run(  # noqa: S603 - this file
        [sys.executable, "-m", __name__, begun, *arguments],
        env=os.environ | home.environment | {"QTWEBENGINE_DISABLE_SANDBOX": "1"},
        cwd=REPOSITORY,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=LONGEST_S,
    )
    lines = [each for each in done.stdout.splitlines() if each.startswith("{")]
    assert done.returncode == -signal.SIGKILL, f"{done.returncode}\n{done.stdout}\n{done.stderr}"
    found = cast("dict[str, Any]", json.loads(lines[-1]))
    for key in ("tabs", "shown"):
        found[key] = [tuple(each) for each in found[key]]
    found["in_front"] = tuple(found["in_front"]) if found["in_front"] else None
    return Found(**found)


class OneStart:
    """The program from its first frame on, looked at all the while."""

    def __init__(self, begun: float, data: Path, settings_file: Path, behaviour: str) -> None:
        self._begun = begun
        self._data = data
        self._settings_file = settings_file
        self._starts = 0
        self.found = Found(behaviour)

    async def run(self, desk: "DesktopApp", *, opens: bool) -> None:
        """Wait for every tab, and be killed."""
        await desk.open()
        if opens:
            for app_id, entry_key in TABS:
                await self._until(
                    lambda app_id=app_id: desk.services.registry.app(app_id) is not None
                )
                desk.window.open_entry(app_id, entry_key)
        await self._until(lambda: len(desk.window.workspace.surfaces) == len(TABS))
        self.found.in_front = self._name(desk.window.workspace.current)
        await self._shown(desk, desk.window.workspace.current)
        self.found.first_page_s = time.time() - self._begun
        for surface in desk.window.workspace.entries():
            opened = desk.window.workspace.open_at(surface.app_id, surface.entry_key)
            assert opened is not None
            desk.window.workspace.turn_to(opened)
            await self._shown(desk, desk.window.workspace.current)
        first = desk.window.workspace.open_at(*TABS[int(self._begun) % len(TABS)])
        assert first is not None
        desk.window.workspace.turn_to(first)
        await self._until(lambda: self._kept_front() == self._name(first))
        self.found.tabs = [(e.app_id, e.entry_key) for e in desk.window.workspace.entries()]
        self._tell()
        os.kill(os.getpid(), signal.SIGKILL)

    async def _shown(self, desk: "DesktopApp", surface: object) -> None:
        from lime_desktop.shell.surfaces.surface import Surface  # noqa: PLC0415
        from lime_desktop.shell.window.app_tab.app_tab import AppTab  # noqa: PLC0415 - the parent needs no Qt

        assert isinstance(surface, Surface)
        name = (surface.app_id, surface.entry_key)
        real = await self._real(desk, name)
        if isinstance(real, AppTab):
            await self._until(lambda: real.session.is_ready)
            await self._quiet(real)
            for record in real.session.timeline:
                if record.outcome not in {None, "ok"}:
                    self.found.untrue.append(
                        f"{name}: {record.call or record.type} {record.outcome}"
                    )
        self.found.shown.append(name)

    async def _real(self, desk: "DesktopApp", name: tuple[str, str]) -> object:
        from lime_desktop.shell.surfaces.waiting import WaitingSurface  # noqa: PLC0415 - likewise

        await self._until(
            lambda: not isinstance(desk.window.workspace.open_at(*name), WaitingSurface)
        )
        return desk.window.workspace.open_at(*name)

    async def _quiet(self, tab: Any) -> None:
        said = -1
        while True:
            before, said = said, len(list(tab.session.timeline))
            if said == before:
                return
            await asyncio.sleep(_QUIET_S)

    def look(self, desk: "DesktopApp") -> None:
        """Note every alarm and every false word in sight: the App Server is on its way, and nothing is wrong."""
        from PySide6.QtWidgets import QFrame, QLabel  # noqa: PLC0415 - likewise

        texts = desk.services.look.texts
        false = {
            texts("home.empty.title"),
            texts("status.needs-setup"),
            texts("waiting.setup.title"),
        }
        for each in desk.window.findChildren(QFrame):
            if each.property("tone") in {"danger", "warning"} and each.isVisible():
                words = " ".join(one.text() for one in each.findChildren(QLabel)) or str(
                    getattr(each, "text", lambda: "")()
                )
                # As root the engine has no sandbox, and that is true.
                if "sandbox" not in words:
                    self._note(words)
        for each in desk.window.findChildren(QLabel):
            if each.isVisible() and (each.text() in false or "APP_E" in each.text()):
                self._note(each.text())

    def _tell(self) -> None:
        sys.stdout.write(f"{json.dumps(asdict(self.found))}\n")
        sys.stdout.flush()

    def _note(self, words: str) -> None:
        if words not in self.found.untrue:
            self.found.untrue.append(words)

    def _kept_front(self) -> tuple[str, str] | None:
        try:
            kept = json.loads(self._settings_file.with_name("window.json").read_text("utf-8"))
        except (OSError, ValueError):
            return None
        front = [each for each in kept["entries"] if each.get("isCurrent")]
        return (front[0]["appId"], front[0]["entryKey"]) if front else None

    def _name(self, surface: Any) -> tuple[str, str] | None:
        return None if surface is None else (surface.app_id, surface.entry_key)

    async def start_server(self) -> "Sidecar":
        """Start the sidecar that ships, as badly as was asked for."""
        from lime_desktop.host.app_server_client.sidecar import (  # noqa: PLC0415 - likewise
            Sidecar,
            app_server_command,
        )

        self._starts += 1
        if self._starts == 1 and "slow" in self.found.behaviour:
            await asyncio.sleep(_SLOW_S)
        if self._starts == 1 and "fails" in self.found.behaviour:
            return await Sidecar.start((sys.executable, "-c", "raise SystemExit(3)"))
        return await Sidecar.start(app_server_command(self._data / "app-server"))

    async def _until(self, condition: Callable[[], bool]) -> None:
        give_up_at = time.monotonic() + LONGEST_S / 2
        while not condition():
            if time.monotonic() > give_up_at:
                self._tell()
                raise SystemExit("what was waited for did not come")
            await asyncio.sleep(_TICK_MS / 1_000)


def main(begun: float, data: Path, settings_file: Path, behaviour: str, *, opens: bool) -> None:
    """Be one start."""
    import qasync  # noqa: PLC0415 - the parent needs none of it
    from PySide6.QtCore import QCoreApplication, Qt, QTimer  # noqa: PLC0415
    from PySide6.QtWidgets import QApplication  # noqa: PLC0415

    from lime_desktop.shell.startup.desktop_app import DesktopApp  # noqa: PLC0415
    from lime_desktop.shell.startup.garbage import GuiThreadCollector  # noqa: PLC0415
    from lime_desktop.shell.widgets.resource_folders import Folders  # noqa: PLC0415

    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
    application = QApplication(sys.argv[:1])
    GuiThreadCollector(application)
    loop = qasync.QEventLoop(application)
    asyncio.set_event_loop(loop)
    start = OneStart(begun, data, settings_file, behaviour)
    folders = Folders(REPOSITORY / "resources", data, settings_file)
    desk = DesktopApp(folders, REPOSITORY / "sample_apps", start_server=start.start_server)
    desk.window.restore_place()
    desk.window.show()
    eye = QTimer(interval=_TICK_MS)
    eye.timeout.connect(lambda: start.look(desk))
    eye.start()
    QTimer.singleShot(0, desk.window, lambda: desk.fill(""))
    with loop:
        loop.run_until_complete(start.run(desk, opens=opens))  # pyright: ignore[reportUnknownMemberType] - qasync has no types


if __name__ == "__main__":
    main(
        float(sys.argv[1]),
        Path(sys.argv[2]),
        Path(sys.argv[3]),
        sys.argv[4],
        opens="--open" in sys.argv[5:],
    )
