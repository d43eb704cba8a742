"""A screen that nobody else uses, and hands to use it with: keys, mouse, pictures."""

import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

PROGRAMS = {
    "Xvfb": "xvfb",
    "openbox": "openbox",
    "xdotool": "xdotool",
    "xwininfo": "x11-utils",
    "import": "imagemagick",
    "dbus-daemon": "dbus-daemon",
}
"""What a screen needs, and the Debian package of each."""
_START_S = 20.0
_KEY_MS = 30
_FOREIGN_MS = 250
"""For signs that no key has: each is put on a key first, and the program must have heard of it."""
_STILL_S = 0.7
_REST = 0.06
"""The part of a processor that a program at rest may use: carets blink, and clocks are looked at."""
_EDGE = 6
"""What the window manager's own frame may leave of a side; its title bar is above this."""
_PLACE = re.compile(r"^ *(?:Absolute upper-left [XY]|Width|Height): +(-?\d+)", re.MULTILINE)
_OPENBOX = Path("/etc/xdg/openbox/rc.xml")
_WHOLE_SCREEN = (
    """<application type="normal"><maximized>yes</maximized></application></applications>"""
)
"""As most people have it: a window is given the whole screen, below a title bar that is seen."""


class NoScreen(Exception):
    """This machine cannot show one; says what to do."""


@dataclass(frozen=True, slots=True)
class Screen:
    """A running display."""

    environment: dict[str, str]

    def keys(self, *names: str) -> None:
        """Press keys one after the other, by their X names: ``ctrl+k``, ``Return``, ``Tab``."""
        self._xdotool("key", "--delay", str(_KEY_MS), *names)

    def type(self, text: str) -> None:
        """Type a text at a person's best speed."""
        pace_ms = _KEY_MS if text.isascii() else _FOREIGN_MS
        self._xdotool("type", "--delay", str(pace_ms), "--", text)

    def move(self, x: int, y: int) -> None:
        """Bring the pointer to a place."""
        self._xdotool("mousemove", str(x), str(y))

    def click(self, x: int, y: int, button: int = 1) -> None:
        """Click at a place, the pointer being there a moment before."""
        self._xdotool("mousemove", str(x), str(y), "sleep", "0.1", "click", str(button))

    def size(self) -> tuple[int, int]:
        """Width and height."""
        width, height = self._xdotool("getdisplaygeometry").split()
        return int(width), int(height)

    def picture(self, path: Path) -> None:
        """Write what is seen to a file."""
        self._run("import", "-window", "root", str(path))

    def settle(self, within_s: float, used_s: Callable[[], float] = lambda: 0.0) -> None:
        """Wait until two looks at the screen see the same and the program did next to nothing in between.

        A picture of a movement says nothing, and neither does one of a program that has not come to what was pressed.
        """
        deadline = time.monotonic() + within_s
        before, worked, looked_at = b"", used_s(), time.monotonic()
        while time.monotonic() < deadline:
            time.sleep(_STILL_S)
            seen, works, now = self.look(), used_s(), time.monotonic()
            # Less than before is work too: something of it has ended.
            is_at_rest = abs(works - worked) <= _REST * (now - looked_at)
            if seen == before and is_at_rest:
                return
            before, worked, looked_at = seen, works, now

    def look(self) -> bytes:
        """What is seen: three bytes for every pixel, row by row."""
        command = ("import", "-window", "root", "-depth", "8", "rgb:-")
        done = subprocess.run(command, env=self.environment, capture_output=True, check=True)
        return done.stdout

    def wait_for_window(self, within_s: float) -> bool:
        """Whether the program's window is shown in time.

        What says that it starts is a window of its own under the same name: keys that are pressed there are lost.
        """
        deadline = time.monotonic() + within_s
        first = ""
        while time.monotonic() < deadline:
            shown = self._window()
            first = first or shown
            if shown not in {"", first}:
                return True
            time.sleep(0.2)
        return False

    def window_corner(self) -> tuple[int, int]:
        """Where the inside of the window begins, below its title bar."""
        left, top, _, _ = self._window_place()
        return left, top

    def is_filled(self) -> bool:
        """Whether the window has the whole screen and stands wholly on it."""
        width, height = self.size()
        left, top, across, down = self._window_place()
        is_inside = left >= 0 and top > 0 and left + across <= width and top + down <= height
        return is_inside and across >= width - _EDGE and top + down >= height - _EDGE

    def _window_place(self) -> tuple[int, int, int, int]:
        """Left, top, width and height of the inside of the window; nowhere while there is none."""
        window = self._window()
        if not window:
            return 0, 0, 0, 0
        # Not by xdotool, which counts the title bar twice.
        said = self._run("xwininfo", "-id", window)
        left, top, across, down = (int(found) for found in _PLACE.findall(said)[:4])
        return left, top, across, down

    def _window(self) -> str:
        """The one window under the program's name; nothing while there is none, or one takes another's place."""
        found = subprocess.run(
            ["xdotool", "search", "--onlyvisible", "--name", "^Lime Desktop$"],
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        windows = found.stdout.split()
        return windows[0] if len(windows) == 1 else ""

    def _xdotool(self, *arguments: str) -> str:
        return self._run("xdotool", *arguments)

    def _run(self, *command: str) -> str:
        done = subprocess.run(
            command, env=self.environment, capture_output=True, text=True, check=True, timeout=60
        )
        return done.stdout


@contextmanager
def open_screen(size: str) -> Generator[Screen]:
    """A display of this size (``1440x900``), with a window manager and a bus of its own, while it is used.

    Raises:
        NoScreen: programs for it are missing.
    """
    missing = [package for name, package in PROGRAMS.items() if shutil.which(name) is None]
    if missing:
        raise NoScreen(f"apt-get install {' '.join(missing)}")
    with tempfile.TemporaryDirectory(prefix="lime-screen-") as folder:
        running: list[subprocess.Popen[bytes]] = []
        try:
            yield _start(Path(folder), size, running)
        finally:
            for each in reversed(running):
                each.terminate()
                each.wait()


def _start(folder: Path, size: str, running: list[subprocess.Popen[bytes]]) -> Screen:
    told, tells = os.pipe()
    log = (folder / "screen.log").open("wb")
    command = ["Xvfb", "-displayfd", str(tells), "-screen", "0", f"{size}x24", "-nolisten", "tcp"]
    running.append(subprocess.Popen(command, stderr=log, pass_fds=(tells,)))
    os.close(tells)
    with os.fdopen(told) as number:
        display = f":{number.readline().strip()}"
    address = f"unix:path={folder}/bus"
    environment = {**os.environ, "DISPLAY": display, "DBUS_SESSION_BUS_ADDRESS": address}
    manager = folder / "openbox.xml"
    usual = _OPENBOX.read_text("utf-8")
    manager.write_text(usual.replace("</applications>", _WHOLE_SCREEN), encoding="utf-8")
    beside = (
        ["openbox", "--sm-disable", "--config-file", str(manager)],
        ["dbus-daemon", "--session", "--nofork", f"--address={address}"],
    )
    running.extend(subprocess.Popen(each, env=environment, stderr=log) for each in beside)
    deadline = time.monotonic() + _START_S
    while not (folder / "bus").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    return Screen(environment)
