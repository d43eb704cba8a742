"""What a command can see of this machine. Bubblewrap where it is there and works; where not, that is said.

Inside, a command sees the system's programs read-only, its working folder, and nothing of the person's home, of our own
data, or of other processes. The network is there only where the app was granted it.
"""

import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

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
_PROBE_S = 10.0


@dataclass(frozen=True, slots=True)
class Sandbox:
    """How commands are kept apart here."""

    mode: Literal["bubblewrap", "none"]
    program: str | None = None
    absence: str | None = None
    """Why there is none, for facts and for `doctor`."""

    def wrap(self, command: Sequence[str], folder: Path, *, with_network: bool) -> tuple[str, ...]:
        """The command line that runs a command inside, with `folder` as its place to write."""
        if self.program is None:
            return tuple(command)
        return (
            self.program,
            *("--unshare-all", "--die-with-parent", "--new-session"),
            *(("--share-net",) if with_network else ()),
            *_read_only([*_SYSTEM, *_SETTINGS, *_home_of(command[0])]),
            *("--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"),  # noqa: S108 - its own, in memory
            *("--bind", str(folder), str(folder), "--chdir", str(folder)),
            "--",
            *command,
        )


@lru_cache(maxsize=1)
def find_sandbox() -> Sandbox:
    """Look once what this machine has. Blocks for a moment."""
    if not sys.platform.startswith("linux"):
        return _absent("Commands are not sandboxed on this operating system.")
    program = shutil.which("bwrap")
    if program is None:
        return _absent("bubblewrap (bwrap) is not installed.")
    probe = [program, "--unshare-all", "--ro-bind", "/", "/", "--", "true"]
    try:
        done = subprocess.run(probe, capture_output=True, timeout=_PROBE_S, check=False)  # noqa: S603 - found above
    except (OSError, subprocess.TimeoutExpired):
        return _absent("bubblewrap (bwrap) could not be started.")
    if done.returncode != 0:
        return _absent("bubblewrap (bwrap) may not make namespaces here.")
    return Sandbox("bubblewrap", program)


def _absent(reason: str) -> Sandbox:
    return Sandbox("none", absence=reason)


def _read_only(paths: Sequence[str]) -> list[str]:
    return [part for path in paths for part in ("--ro-bind-try", path, path)]


def _home_of(program: str) -> list[str]:
    """The folder of a program that lies outside the system's, and of what it links to."""
    found = {Path(program).parent, Path(program).resolve().parent}
    return sorted(str(folder) for folder in found if not str(folder).startswith(_SYSTEM))
