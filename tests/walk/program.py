"""The program as a person starts it, in a home of its own, and what it says meanwhile."""

import os
import signal
import subprocess
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.walk.processor import find_process, used_s
from tests.walk.screen import Screen

_END_S = 30.0
_COMPLAINTS = ("Traceback (most recent call last)", "Fatal Python error", "Segmentation fault")


@dataclass(slots=True)
class Program:
    """One start of it, or several one after the other in the same home."""

    screen: Screen
    home: Path
    process: subprocess.Popen[bytes] | None = None
    heard_bytes: int = 0

    @property
    def log(self) -> Path:
        """All it ever said."""
        return self.home / "program.log"

    def start(self, *arguments: str) -> None:
        """Start it and wait for its window."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "lime_desktop", *arguments],
                env=places_of(self.home, self.screen.environment),
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.screen.wait_for_window(60.0)

    @property
    def server_id(self) -> int | None:
        """The process that is the App Server of this home now; none while there is none."""
        return find_process("app-server", str(self.home))

    def kill_server(self) -> None:
        """End the App Server as a crash would."""
        server = self.server_id
        if server is not None:
            os.kill(server, signal.SIGKILL)

    def kill(self) -> None:
        """End the window as a crash would."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def end(self) -> None:
        """Ask it to end; what does not is killed."""
        if self.process is None:
            return
        self.process.terminate()
        try:
            self.process.wait(_END_S)
        except subprocess.TimeoutExpired:
            self.kill()

    @property
    def has_ended(self) -> bool:
        """Whether it was started and runs no more: nothing that is pressed from here on reaches anybody."""
        return self.process is not None and self.process.poll() is not None

    def used_s(self) -> float:
        """How much it has worked so far, with all that it started."""
        return 0.0 if self.process is None or self.has_ended else used_s(self.process.pid)

    def complaint(self) -> str | None:
        """What a program can see of what went wrong since it was last asked."""
        said = self.log.read_bytes()
        fresh, self.heard_bytes = said[self.heard_bytes :].decode("utf-8", "replace"), len(said)
        if self.process is not None and self.has_ended:
            last = fresh.strip().rpartition("\n")[2]
            return f"it ended with {self.process.returncode}: {last}"
        return next((each for each in _COMPLAINTS if each in fresh), None)


@contextmanager
def opened(screen: Screen, home: Path) -> Generator[Program]:
    """The program, not started yet; ended with whoever uses it."""
    program = Program(screen, home)
    try:
        yield program
    finally:
        program.end()


def places_of(home: Path, around: Mapping[str, str] = os.environ) -> dict[str, str]:
    """An environment in which everything that a person has lies below this folder."""
    run = home / "run"
    run.mkdir(mode=0o700, exist_ok=True)
    return {
        **around,
        "HOME": str(home),
        "XDG_DATA_HOME": str(home / "data"),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_CACHE_HOME": str(home / "cache"),
        "XDG_RUNTIME_DIR": str(run),
    }
