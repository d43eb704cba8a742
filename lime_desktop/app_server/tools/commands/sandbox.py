"""What a command can see of this machine. Bubblewrap where it is there and works; where not, that is said.

Inside, a command sees the system's programs read-only, its working folder, and nothing of the person's home, of our own
data, or of other processes. Its network holds nothing but itself; the sites that the app was granted are reached through the
host's proxy, for which one socket is handed over.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

from lime_desktop.app_server.tools.commands import inside
from lime_desktop.executables import is_frozen
from lime_desktop.own_programs import script_command

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store")
_SETTINGS = (
    "/etc/alternatives",
    "/etc/ca-certificates",
    "/etc/fonts",
    "/etc/group",
    "/etc/hosts",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/nsswitch.conf",
    "/etc/passwd",
    "/etc/pki",
    "/etc/resolv.conf",
    "/etc/ssl",
)
_KERNEL = (
    "/proc/acpi",
    "/proc/fs",
    "/proc/mtrr",
    "/proc/scsi",
    "/proc/sys",
    "/proc/sysrq-trigger",
)
"""Settings of the whole machine. The kernel lets root's own number write them, whatever rights it has lost."""
_PROBE_S = 10.0


_INSTALL_LINES = {
    "apt-get": "sudo apt install bubblewrap",
    "dnf": "sudo dnf install bubblewrap",
    "pacman": "sudo pacman -S bubblewrap",
    "zypper": "sudo zypper install bubblewrap",
    "apk": "sudo apk add bubblewrap",
}
"""What installs it, by the tool that a system has for that."""
INSIDE = "/run/lime/inside.py"
OUTLET = "/run/lime/outlet"


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxLimits:
    """What one command is given inside."""

    folder: Path
    """Its one place to write."""
    processes: int
    temporary_bytes: int
    """What it may put into memory as files."""
    outlet: Path | None = None
    """Where its network's one socket is handed over; without it, it has no way out at all."""
    read_only: tuple[Path, ...] = ()
    """What it may read beside the system's programs."""


@dataclass(frozen=True, slots=True)
class Sandbox:
    """How commands are kept apart here."""

    mode: Literal["bubblewrap", "none"]
    program: str | None = None
    absence: str | None = None
    """Why there is none, for facts and for `doctor`."""
    mend: str | None = None
    """The line that gets one, where there is such a line."""
    can_limit_files_in_memory: bool = True
    """Bubblewrap knows `--size` since 0.7. Without it, temporary files lie on the disk, in the command's own folder."""

    def wrap(self, command: Sequence[str], walls: SandboxLimits) -> tuple[str, ...]:
        """The command line that runs a command inside."""
        if self.program is None:
            return tuple(command)
        folder = str(walls.folder)
        outlet = ("--bind", str(walls.outlet), OUTLET) if walls.outlet else ()
        return (
            self.program,
            # With a network of its own, in every case: what was granted is reached through the host's proxy alone.
            *("--unshare-all", "--die-with-parent", "--new-session"),
            # Root would keep every right inside, and mount and unmount what it likes.
            *("--cap-drop", "ALL"),
            *_read_only([*_SYSTEM, *_SETTINGS]),
            *("--proc", "/proc", *_read_only(_KERNEL), "--dev", "/dev"),
            *self._temporary(walls),
            # After the temporary folder, which would hide a program that lies in the machine's own.
            *_read_only([*_home_of(command[0]), *_interpreter(), *map(str, walls.read_only)]),
            *("--bind", folder, folder, *_first_program(), *outlet),
            # The root and /dev are files in memory too, and nothing would limit what is put there.
            *("--remount-ro", "/dev", "--remount-ro", "/", "--chdir", folder, "--"),
            *_first_command(str(walls.processes), OUTLET if walls.outlet else "-"),
            *command,
        )

    def _temporary(self, walls: SandboxLimits) -> tuple[str, ...]:
        if not self.can_limit_files_in_memory:
            place = walls.folder / ".tmp"
            place.mkdir(exist_ok=True)
            return ("--bind", str(place), "/tmp")  # noqa: S108 - its own
        size = ("--size", str(walls.temporary_bytes))
        return (*size, "--tmpfs", "/tmp", *size, "--tmpfs", "/dev/shm")  # noqa: S108 - its own, in memory


def missing_wall(sandbox: Sandbox) -> str | None:
    """Why a program of an app may not run here, unless a person allows that app to do without; None where a wall is."""
    if sandbox.mode != "none":
        return None
    mend = f" To install one: {sandbox.mend}." if sandbox.mend else ""
    return (
        f"{sandbox.absence} Without a sandbox the program can't run, because it could reach all your files.{mend}"
        " Or allow it on the app's page, under Run programs without a sandbox."
    )


ABSENCES: Mapping[str, str] = {
    "system": "This operating system has no sandbox for programs of apps.",
    "missing": "bubblewrap (bwrap) is not installed.",
    "broken": "bubblewrap (bwrap) can't be started.",
    "namespaces": "This system does not let bubblewrap (bwrap) create namespaces.",
}
"""Why there is no sandbox; readiness knows these sentences in every language."""


@lru_cache(maxsize=1)
def find_sandbox() -> Sandbox:
    """Look once what this machine has. Blocks for a moment."""
    return look_for_sandbox(shutil.which("bwrap"))


def look_for_sandbox(program: str | None) -> Sandbox:
    """Try what was found, if anything was: a sandbox that does not work is none. Blocks for a moment."""
    if not sys.platform.startswith("linux"):
        return _absent(ABSENCES["system"])
    if program is None:
        return _absent(ABSENCES["missing"], _install_line())
    apart = (program, "--unshare-all", "--ro-bind", "/", "/")
    try:
        if _works((*apart, "--size", "4096", "--tmpfs", "/tmp", "--", "true")):  # noqa: S108 - its own
            return Sandbox("bubblewrap", program)
        if _works((*apart, "--", "true")):
            return Sandbox("bubblewrap", program, can_limit_files_in_memory=False)
    except (OSError, subprocess.TimeoutExpired):
        return _absent(ABSENCES["broken"])
    # Ubuntu's profile for it comes with the package; elsewhere the switch of the kernel is off.
    return _absent(
        ABSENCES["namespaces"],
        "sudo sysctl -w kernel.unprivileged_userns_clone=1",
    )


def _works(command: tuple[str, ...]) -> bool:
    done = subprocess.run(command, capture_output=True, timeout=_PROBE_S, check=False)  # noqa: S603 - our caller found it
    return done.returncode == 0


def _absent(reason: str, mend: str | None = None) -> Sandbox:
    return Sandbox("none", absence=reason, mend=mend)


def _install_line() -> str | None:
    found = (line for tool, line in _INSTALL_LINES.items() if shutil.which(tool))
    return next(found, None)


def _read_only(paths: Sequence[str]) -> list[str]:
    return [part for path in paths for part in ("--ro-bind-try", path, path)]


def _home_of(program: str) -> list[str]:
    """The folder of a program that lies outside the system's, and of what it links to."""
    found = {Path(program).parent, Path(program).resolve().parent}
    return sorted(str(folder) for folder in found if not str(folder).startswith(_SYSTEM))


def _interpreter() -> list[str]:
    """Where our own Python lies, outside of any environment: it is the first thing that runs inside."""
    found = {sys.base_prefix, sys.base_exec_prefix, str(Path(sys.executable).resolve().parent)}
    return sorted(folder for folder in found if not folder.startswith(_SYSTEM))


def _first_program() -> tuple[str, ...]:
    """What the first thing inside needs beside the interpreter; a frozen release has it within."""
    return () if is_frozen() else ("--ro-bind", inside.__file__, INSIDE)


def _first_command(*arguments: str) -> tuple[str, ...]:
    if is_frozen():
        return script_command(inside, *arguments)
    return (os.path.realpath(sys.executable), "-I", "-S", INSIDE, *arguments)
