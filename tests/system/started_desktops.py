"""Real Lime Desktops on one home, started as a person starts them: several at once, killed, without a disk."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast

REPOSITORY = Path(__file__).resolve().parents[2]
START_S = 90.0
_MOST_SHOWN = 4_000
"""Characters of what a desktop said, if a test failed."""

Started = subprocess.Popen[bytes]


class Home:
    """A person's home, and every desktop that was started in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.data = folder / "data" / "lime-desktop"
        self.settings_file = folder / "config" / "lime-desktop" / "settings.json"
        runtime = folder / "run"
        runtime.mkdir(mode=0o700)
        self.environment = {
            "HOME": str(folder),
            "XDG_DATA_HOME": str(folder / "data"),
            "XDG_CONFIG_HOME": str(folder / "config"),
            "XDG_CACHE_HOME": str(folder / "cache"),
            "XDG_RUNTIME_DIR": str(runtime),
            "QT_QPA_PLATFORM": "offscreen",
        }
        self.started: list[Started] = []

    def start(self, *arguments: str, wrapper: tuple[str, ...] = ()) -> Started:
        """Start one; its words are kept in a file, so that nobody has to read them meanwhile."""
        log = (self.folder / f"started-{len(self.started)}.log").open("wb")
        started = subprocess.Popen(  # noqa: S603 - the program under test
            [*wrapper, sys.executable, "-m", "lime_desktop", *arguments],
            env=os.environ | self.environment,
            cwd=REPOSITORY,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        log.close()
        self.started.append(started)
        return started

    def words_of(self, started: Started) -> str:
        number = self.started.index(started)
        return (self.folder / f"started-{number}.log").read_text("utf-8", "replace")

    def running(self) -> list[Started]:
        return [each for each in self.started if each.poll() is None]

    def settings(self) -> Mapping[str, Any]:
        return _read(self.settings_file)

    def window(self) -> Mapping[str, Any]:
        return _read(self.settings_file.with_name("window.json"))

    def write_settings(self, **choices: object) -> None:
        self.settings_file.parent.mkdir(parents=True, exist_ok=True)
        self.settings_file.write_text(json.dumps(choices), encoding="utf-8")

    def has_app_server(self) -> bool:
        return any(self.data.glob("app-server/*.db"))

    def end_all(self) -> None:
        """End what still runs, and print what each said: shown with a test that failed."""
        for number, each in enumerate(self.started):
            code = each.poll()
            each.kill()
            each.wait()
            log = self.folder / f"started-{number}.log"
            if log.exists():
                said = log.read_text("utf-8", "replace")[-_MOST_SHOWN:]
                end = "still ran" if code is None else f"ended with {code}"
                sys.stdout.write(f"{each.args!r} {end}:\n{said}\n")


def wait_until(condition: Callable[[], bool], what: str, within_s: float = START_S) -> None:
    deadline = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < deadline, f"not in time: {what}"
        time.sleep(0.05)


def make_app(folder: Path, name: str) -> Path:
    """A package with nothing but its manifest: enough to be put on the shelf."""
    folder.mkdir(parents=True)
    (folder / "APP.md").write_text(
        f"---\nmanifestVersion: 0.10.0\nname: {name}\nversion: 1.0.0\ndescription: {name}\n---\n\n# {name}\n",
        encoding="utf-8",
    )
    return folder


def _read(path: Path) -> Mapping[str, Any]:
    try:
        return cast("dict[str, Any]", json.loads(path.read_text("utf-8")))
    except (FileNotFoundError, ValueError):
        return {}
