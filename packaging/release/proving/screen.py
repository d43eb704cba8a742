"""A virtual screen with keys and a camera."""

import contextlib
import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from newcomer.console import StoppedError


class Screen:
    """Runs from entering to leaving."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __enter__(self) -> Self:
        Path("/tmp/.X11-unix").mkdir(mode=0o1777, exist_ok=True)  # noqa: S108 - where X keeps its sockets
        command = ["Xvfb", f":{self.number}", "-screen", "0", "1440x900x24", "-ac"]
        self._server = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self.wait_for("the screen", lambda: self._ask("getdisplaygeometry") is not None, 60)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._server.terminate()
        self._server.wait()

    def windows(self) -> list[str]:
        """The windows that can be seen."""
        return (self._ask("search", "--onlyvisible", "--name", "Lime Desktop") or "").split()

    def click(self, x: int, y: int) -> None:
        """Press the first button there."""
        self._ask("mousemove", str(x), str(y), "sleep", "0.2", "click", "1")

    def press(self, *keys: str) -> None:
        """Press chords, as xdotool names them."""
        for window in self.windows()[-1:]:
            # There is no window manager here to hand the keyboard on.
            self._ask("windowfocus", window)
        self._ask("key", *keys)

    def type(self, text: str) -> None:
        """Type into whatever has the keyboard."""
        self._ask("type", "--delay", "60", "--", text)

    def picture(self, target: Path) -> Path:
        """What is on the screen now."""
        command = ["import", "-window", "root", str(target)]
        subprocess.run(command, env=self._environment(), check=True, capture_output=True)
        return target

    @staticmethod
    def wait_for(what: str, is_so: Callable[[], bool], timeout_s: float) -> float:
        """Look until it is so, and give how long that took.

        Raises:
            StoppedError: it did not come about in time.
        """
        began = time.monotonic()
        while time.monotonic() - began < timeout_s:
            with contextlib.suppress(OSError):
                if is_so():
                    return round(time.monotonic() - began, 1)
            time.sleep(0.3)
        raise StoppedError(f"{what}: not within {timeout_s:.0f} s")

    def _ask(self, *words: str) -> str | None:
        done = subprocess.run(
            ["xdotool", *words],
            env=self._environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stdout if done.returncode == 0 else None

    def _environment(self) -> dict[str, str]:
        return {**os.environ, "DISPLAY": f":{self.number}"}
