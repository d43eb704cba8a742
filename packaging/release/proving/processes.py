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


def are_apart(one: int, other: int) -> bool:
    """Whether two processes lie in different user namespaces, as a page under Chromium's sandbox does."""
    return _namespace(one) != _namespace(other)


def _namespace(process: int) -> str:
    return (_PROC / str(process) / "ns/user").readlink().as_posix()
