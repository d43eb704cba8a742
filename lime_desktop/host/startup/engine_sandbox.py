"""Is Chromium's own sandbox around each page, and if not, why? Asked before a page opens, and of the page's process after.

Root can never have it. An ordinary user has it where the kernel gives them user namespaces; without, Chromium falls back
to a system call filter alone and says nothing.
"""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

SandboxGap = Literal["root", "switched-off", "namespaces"]

_FORBIDDING = {
    "kernel/apparmor_restrict_unprivileged_userns": "1",
    "kernel/unprivileged_userns_clone": "0",
    "user/max_user_namespaces": "0",
}
"""Switches of the kernel, each with the value that keeps user namespaces from ordinary users."""


def sandbox_gap(
    environment: Mapping[str, str] = os.environ, switches: Path = Path("/proc/sys")
) -> SandboxGap | None:
    """Why the sandbox will be off, or None where nothing is known against it."""
    if environment.get("QTWEBENGINE_DISABLE_SANDBOX") == "1":
        return "switched-off"
    if sys.platform == "win32" or sys.platform == "darwin":
        return None
    if os.geteuid() == 0:
        return "root"
    refuses = any(_reads(switches / name, value) for name, value in _FORBIDDING.items())
    return "namespaces" if refuses else None


def must_ask(gap: SandboxGap | None, *, is_agreed: bool) -> bool:
    """Whether no app may open before a person agrees to do without the sandbox; who switched it off has."""
    return gap not in {None, "switched-off"} and not is_agreed


def is_half_sandboxed(renderer: int, processes: Path = Path("/proc")) -> bool:
    """Whether a page's process shares our user namespace: then it has no more than the filter."""
    try:
        return (processes / str(renderer) / "ns/user").readlink() == (
            processes / "self/ns/user"
        ).readlink()
    except OSError:
        # A process of another namespace shows its own to nobody outside; and elsewhere there are none.
        return False


def _reads(switch: Path, value: str) -> bool:
    try:
        return switch.read_text(encoding="ascii").strip() == value
    except OSError:
        return False
