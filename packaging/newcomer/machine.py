"""What the machine itself must have: Debian's venv part, Qt's system libraries, a screen."""

import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from lime_desktop.doctor import system_libraries
from newcomer.console import StoppedError, run_with_progress, say
from newcomer.environment import can_make_environments

NO_SCREEN = """\
There is no screen here: neither DISPLAY nor WAYLAND_DISPLAY is set. To run without one:
    QT_QPA_PLATFORM=offscreen python3 packaging/bootstrap.py run
    xvfb-run -a python3 packaging/bootstrap.py run    (a virtual screen, from the package xvfb)"""

_SANDBOX = "bubblewrap"


@dataclass(frozen=True)
class Lack:
    """What is missing on this machine, and how to get it."""

    venv: bool
    libraries: tuple[str, ...]
    sandbox: bool = field(default=False, compare=False)
    """Nothing walls programs of apps off: they do not run then, and everything else does. Never a reason to stop."""

    def __bool__(self) -> bool:
        return self.venv or bool(self.libraries)

    @property
    def packages(self) -> tuple[str, ...]:
        """The Debian packages that hold it."""
        venv = f"python{sys.version_info.major}.{sys.version_info.minor}-venv"
        libraries = system_libraries.debian_packages(self.libraries)
        return (venv, *libraries) if self.venv else libraries

    @property
    def wanted_packages(self) -> tuple[str, ...]:
        """The same, and what is good to have."""
        return (*self.packages, _SANDBOX) if self.sandbox else self.packages

    def explain(self) -> str:
        """Name what is missing and the one line that installs it."""
        names = ["Python's venv module"] if self.venv else []
        missing = f"Missing on this machine: {', '.join([*names, *self.libraries])}"
        if system_libraries.has_apt():
            return f"{missing}\nThis line installs it:\n    {system_libraries.apt_line(self.wanted_packages)}"
        return f"{missing}\nInstall what holds these with your system's package tool."


def find_lack(*, for_environment: bool, for_qt: bool) -> Lack:
    """Look at the machine as it is now."""
    return Lack(
        venv=for_environment and not can_make_environments(),
        libraries=system_libraries.missing_libraries() if for_qt else (),
        sandbox=for_qt and sys.platform == "linux" and shutil.which("bwrap") is None,
    )


def may_install_packages() -> bool:
    """Tell whether this process may use apt without asking anybody."""
    return sys.platform == "linux" and os.geteuid() == 0 and system_libraries.has_apt()


def install_packages(lack: Lack, log: Path) -> None:
    """Install with apt. Says so and returns when that fails: the caller looks again."""
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        run_with_progress("Reading the lists of system packages", ["apt-get", "update"], log, env)
        # One by one: what is only good to have must not keep the rest from coming.
        for packages in filter(None, (lack.packages, (_SANDBOX,) if lack.sandbox else ())):
            install = ["apt-get", "install", "-y", "--no-install-recommends", *packages]
            run_with_progress(f"Installing {len(packages)} system packages", install, log, env)
    except StoppedError as failed:
        say(str(failed))


def has_screen(environ: Mapping[str, str]) -> bool:
    """Tell whether a window could be shown, or has been told not to be."""
    known = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return sys.platform != "linux" or any(environ.get(name) for name in known)
