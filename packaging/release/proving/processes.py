"""Looks at running processes from outside: which programs of a release live, and whether pages are really apart."""

from pathlib import Path

_PROC = Path("/proc")


def running(program: Path, *words: str) -> list[int]:
    """The processes whose command line begins with a program, seen from its own root, and holds all these words."""
    found: list[int] = []
    for each in _PROC.iterdir():
        if not each.name.isdigit():
            continue
        try:
            line = (each / "cmdline").read_bytes().decode("utf-8", "replace").split("\0")
        except OSError:
            continue
        if line[0] == str(program) and set(words) <= set(line):
            found.append(int(each.name))
    return sorted(found)


def sandboxed_pages(engine: Path, window: int) -> list[int]:
    """The engine's processes that a page runs in, as far as Chromium's sandbox holds them.

    A page is a fork of the engine's zygote and bears its command line. Under the sandbox it lies in a user namespace
    of its own and behind a filter of system calls; the zygotes have no filter.
    """
    return [
        each
        for each in running(engine)
        if _namespace(each) != _namespace(window) and _is_filtered(each)
    ]


def _is_filtered(process: int) -> bool:
    lines = (_PROC / str(process) / "status").read_text("ascii", "replace").splitlines()
    return any(line.split() == ["Seccomp:", "2"] for line in lines)


def _namespace(process: int) -> str:
    return (_PROC / str(process) / "ns/user").readlink().as_posix()
