"""The virtual environment of this checkout: make it, fill it, know when it is up to date."""

import hashlib
import importlib
import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path

from newcomer.console import StoppedError, run_with_progress, say
from newcomer.lock import held_alone

# uv does not read pip's settings, but who set pip up for a mirror means uv as well.
_PIP_SETTINGS_FOR_UV = {
    "PIP_INDEX_URL": "UV_DEFAULT_INDEX",
    "PIP_EXTRA_INDEX_URL": "UV_INDEX",
    "PIP_FIND_LINKS": "UV_FIND_LINKS",
    "PIP_CERT": "SSL_CERT_FILE",
    "PIP_DEFAULT_TIMEOUT": "UV_HTTP_TIMEOUT",
}


@dataclass(frozen=True)
class _Installed:
    """What is remembered of the last install. Without a stamp it never finished."""

    stamp: str | None = None
    extras: tuple[str, ...] = ()
    made_for: str | None = None


class Environment:
    """`.venv`, with the project installed in place; what is known about it lives in `.bootstrap`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = root / ".venv"
        self._memory = root / ".bootstrap"
        self._record = self._memory / "installed.json"

    @property
    def memory(self) -> Path:
        """The folder of what the bootstrap keeps from one time to the next."""
        self._memory.mkdir(exist_ok=True)
        return self._memory

    @property
    def log(self) -> Path:
        """Where everything the installers say is kept."""
        return self.memory / "install.log"

    @property
    def scripts(self) -> Path:
        """The folder of its programs."""
        return self.folder / ("Scripts" if sys.platform == "win32" else "bin")

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.program("python")

    def program(self, name: str) -> Path:
        """One of its programs, by the name it has everywhere but on Windows."""
        return self.scripts / (f"{name}.exe" if sys.platform == "win32" else name)

    def has(self, extras: frozenset[str]) -> bool:
        """Tell whether these extras of today's `pyproject.toml` are installed. Starts nothing."""
        installed = self._read_record() or _Installed()
        return (
            installed.stamp == self._stamp()
            and extras <= set(installed.extras)
            and self.python.exists()
        )

    def install(self, extras: frozenset[str]) -> None:
        """Bring the environment up to date, from scratch where the last install did not finish."""
        lock = self.log.with_name("lock")
        waiting = "→ Another bootstrap is installing in this checkout: waiting for it"
        with held_alone(lock, when_waiting=lambda: say(waiting)):
            if not self.has(extras):
                self._install(extras)

    def _install(self, extras: frozenset[str]) -> None:
        before = self._read_record()
        if before is not None:
            self._remove_if_unusable(before)
        wanted = tuple(sorted(extras.union(before.extras if before else ())))
        self._write_record(_Installed(stamp=None, extras=wanted))
        self._fill(f"{self.root}[{','.join(wanted)}]")
        self._write_record(_Installed(self._stamp(), wanted, self._made_for()))

    def _remove_if_unusable(self, before: _Installed) -> None:
        if before.stamp is None:
            say("→ The last install was interrupted: starting over")
        elif before.made_for != self._made_for():
            say("→ The environment was made for another Python or another folder: starting over")
        else:
            return
        shutil.rmtree(self.folder, ignore_errors=True)

    def _fill(self, project: str) -> None:
        if shutil.which("uv") is not None:
            try:
                self._fill_with_uv(project)
            except StoppedError:
                say("  uv could not do it: trying pip")
            else:
                return
        self._fill_with_pip(project)

    def _fill_with_uv(self, project: str) -> None:
        env = uv_settings(os.environ)
        if not self.python.exists():
            make = ["uv", "venv", "--clear", "--python", sys.executable, self.folder]
            run_with_progress("Making the environment (.venv)", make, self.log, env)
        install = ["uv", "pip", "install", "--python", self.python, "--editable", project]
        run_with_progress(
            "Installing with uv (about 400 MB the first time)", install, self.log, env
        )

    def _fill_with_pip(self, project: str) -> None:
        if not self._has_pip():
            make = [sys.executable, "-m", "venv", "--clear", self.folder]
            run_with_progress("Making the environment (.venv)", make, self.log)
        install = [self.python, "-m", "pip", "install", "--editable", project]
        run_with_progress("Installing with pip (about 400 MB the first time)", install, self.log)

    def _has_pip(self) -> bool:
        ask = [self.python, "-c", "import pip"]
        if not self.python.exists():
            return False
        return subprocess.run(ask, capture_output=True, check=False).returncode == 0

    def _stamp(self) -> str:
        """Differ whenever what was installed no longer fits."""
        content = (self.root / "pyproject.toml").read_bytes() + self._made_for().encode()
        return hashlib.sha256(content).hexdigest()

    def _made_for(self) -> str:
        """What an environment cannot change: its interpreter, and the folder its programs name."""
        python = f"{platform.python_version()} {platform.machine()} {sys.base_prefix}"
        return f"{python} in {self.folder}"

    def _read_record(self) -> _Installed | None:
        try:
            fields = json.loads(self._record.read_text(encoding="utf-8"))
            extras = tuple(str(extra) for extra in fields["extras"])
            return _Installed(fields["stamp"], extras, fields["made_for"])
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError):
            return _Installed()

    def _write_record(self, installed: _Installed) -> None:
        draft = self._record.with_suffix(".new")
        draft.write_text(json.dumps(asdict(installed)), encoding="utf-8")
        draft.replace(self._record)


def can_make_environments() -> bool:
    """Tell whether this Python can make one. Debian keeps that part in a package of its own."""
    importlib.invalidate_caches()  # apt may have installed it a moment ago
    return shutil.which("uv") is not None or find_spec("ensurepip") is not None


def uv_settings(environ: Mapping[str, str]) -> dict[str, str]:
    """Carry pip's settings over to uv, except where uv has been told its own."""
    carried = {
        theirs: environ[ours]
        for ours, theirs in _PIP_SETTINGS_FOR_UV.items()
        if ours in environ and theirs not in environ
    }
    return {**environ, **carried}
