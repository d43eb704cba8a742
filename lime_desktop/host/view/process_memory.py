"""How much memory does a process hold, and how much may it at most? Read from the kernel where that says so.

Elsewhere than on Linux nothing is known here, and that is said by None.
"""

import contextlib
import os
import sys
from pathlib import Path

PAGE_BYTES = 2 * 1024**3
"""What a page's process may hold on a machine that has plenty."""
_LEAST_BYTES = 512 * 1024**2
_SHARE_OF_MACHINE = 4
"""A page gets no more than one part in so many of what the machine has."""


def resident_bytes(process: int) -> int | None:
    """What a process holds in memory now; None where it is gone or nobody knows."""
    try:
        fields = Path(f"/proc/{process}/statm").read_bytes().split()
    except OSError:
        return None
    return int(fields[1]) * os.sysconf("SC_PAGE_SIZE")


def page_ceiling() -> int:
    """What one page's process may hold on this machine."""
    try:
        whole = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return PAGE_BYTES
    return max(_LEAST_BYTES, min(PAGE_BYTES, whole // _SHARE_OF_MACHINE))


def limit_memory(process: int, most_bytes: int) -> None:
    """Let the kernel refuse a process more than this, as far as this kernel can: for what grows faster than we look."""
    if sys.platform != "linux":
        return
    import resource  # noqa: PLC0415 - there is none on Windows

    # Not its address space: engines reserve far more of that than they ever use.
    with contextlib.suppress(OSError, ValueError):
        resource.prlimit(process, resource.RLIMIT_DATA, (most_bytes, most_bytes))
