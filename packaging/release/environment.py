"""The environment that a release is frozen from: exactly the pinned versions, and nothing of the developer's own."""

import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path

from newcomer.console import StoppedError, run_with_progress
from newcomer.environment import can_make_environments
from newcomer.lock import held_alone

PINS = Path(__file__).with_name("pins.txt")
EXTRAS = ("desktop", "engines", "sigstore")
"""What is frozen: all that the program can do for a person."""
_TOOLS = ("pyinstaller", "hatchling")


class ReleaseEnvironment:
    """A virtual environment in the work folder, made anew whenever Python, the pins or the dependencies change."""

    def __init__(self, work: Path, root: Path) -> None:
        self._root = root
        self.work = work
        self.folder = work / "venv"
        self.log = work / "release.log"

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")

    def prepare(self) -> None:
        """See to it that it is there."""
        self.work.mkdir(parents=True, exist_ok=True)
        with held_alone(self.work / "lock", when_waiting=lambda: None):
            if not self._is_current():
                self._make()

    def install_wheel(self, wheel: Path) -> None:
        """Put the program itself in; its dependencies are there."""
        command = [self.python, "-m", "pip", "install", "--no-deps", "--force-reinstall", wheel]
        run_with_progress("Installing the wheel", command, self.log, clean_environment())

    def ask(self, code: str, *arguments: str, stdin: str = "") -> str:
        """Run a few lines with its interpreter and give what they print.

        Raises:
            StoppedError: they failed.
        """
        done = subprocess.run(
            [self.python, "-P", "-c", code, *arguments],
            input=stdin,
            capture_output=True,
            text=True,
            encoding="utf-8",
            env=clean_environment(QT_QPA_PLATFORM="offscreen"),
            check=False,
        )
        if done.returncode != 0:
            raise StoppedError(f"The release's environment failed:\n{done.stderr.strip()}")
        return done.stdout

    def _make(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        make = [sys.executable, "-m", "venv", self.folder]
        run_with_progress("Making the release's environment", make, self.log)
        wanted = f"{self._root}[{','.join(EXTRAS)}]"
        install = [
            *(self.python, "-m", "pip", "install", "--constraint", PINS),
            # What fetches models goes into the release, so it is pinned and fresh as well.
            *("--upgrade", "pip", *_TOOLS, wanted),
        ]
        title = "Installing the pinned versions (about 500 MB the first time)"
        run_with_progress(title, install, self.log, clean_environment())
        self._stamp_file.write_text(json.dumps({"stamp": self._stamp()}), "utf-8")

    @property
    def _stamp_file(self) -> Path:
        return self.folder / "release.json"

    def _is_current(self) -> bool:
        try:
            known = json.loads(self._stamp_file.read_text("utf-8"))["stamp"]
        except (OSError, ValueError, KeyError):
            return False
        return known == self._stamp() and self.python.exists()

    def _stamp(self) -> str:
        made_for = f"{platform.python_version()} {platform.machine()} {sys.base_prefix}"
        content = PINS.read_bytes() + (self._root / "pyproject.toml").read_bytes()
        return hashlib.sha256(content + made_for.encode()).hexdigest()


def clean_environment(**more: str) -> Mapping[str, str]:
    """This process's environment without what would let another Python or another order of names in."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return {**kept, "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", **more}


def missing_tools() -> list[str]:
    """What this machine lacks to build a release, each with what helps."""
    lacks: list[str] = []
    if not can_make_environments():
        lacks.append("Python's venv part: sudo apt-get install python3-venv")
    if sys.platform == "linux":
        if not _has_shared_library():
            version = f"{sys.version_info.major}.{sys.version_info.minor}"
            lacks.append(
                f"the shared library of Python {version}: sudo apt-get install libpython{version}"
            )
        missing = [
            tool for tool in ("objcopy", "objdump", "strip", "ldd") if not shutil.which(tool)
        ]
        if missing:
            lacks.append(f"{', '.join(missing)}: sudo apt-get install binutils")
    return lacks


def _has_shared_library() -> bool:
    name = sysconfig.get_config_var("INSTSONAME") or ""
    places = (sysconfig.get_config_var("LIBDIR") or "", sysconfig.get_config_var("LIBPL") or "")
    multiarch = sysconfig.get_config_var("MULTIARCH") or ""
    folders = [Path(place) for place in places] + [Path(places[0]) / multiarch]
    if ".so" not in name:
        name = f"libpython{sys.version_info.major}.{sys.version_info.minor}.so.1.0"
    return any((folder / name).exists() for folder in folders)
