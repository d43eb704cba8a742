"""Which paths a package may hold, on every system at once, and how large it may be. Pure: it never touches a disk."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from lime_desktop.app_package.problem_kinds.files import (
    FOLDERS_TOO_DEEP,
    PATH_ESCAPES_PACKAGE,
    PATH_NOT_PORTABLE,
    PATH_NOT_UNICODE,
    PATH_TOO_LONG,
    PATHS_COLLIDE,
)
from lime_desktop.app_package.problems import Place, Problem

MAX_FILES = 20_000
MAX_FILE_BYTES = 256 * 1024 * 1024
MAX_PACKAGE_BYTES = 1024 * 1024 * 1024
MAX_FOLDER_DEPTH = 32
MAX_PATH_CHARS = 240
"""Windows stops at 260 with the folder the package is installed in."""
_DRIVE = re.compile(r"[A-Za-z]:")
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://|(data|mailto|urn|sigstore|npm|cid):", re.IGNORECASE)
_FORBIDDEN = re.compile(r'[\x00-\x1f\x7f<>:"|?*\\]')
# A device name stays a device with any extension: `nul.txt` is `NUL`.
_DEVICE = re.compile(
    r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\..*)?", re.IGNORECASE
)


def leaves_package(path: str) -> bool:
    """Whether a path, read on any system, could point outside the folder it is relative to."""
    slashed = path.replace("\\", "/")
    return slashed.startswith(("/", "~")) or bool(_DRIVE.match(slashed)) or _climbs_out(slashed)


def _climbs_out(slashed: str) -> bool:
    depth = 0
    for part in slashed.split("/"):
        if part == "..":
            depth -= 1
        elif part not in {"", "."}:
            depth += 1
        if depth < 0:
            return True
    return False


def path_problems(path: str) -> Iterator[Problem]:
    """Say what keeps one path from being stored and opened anywhere."""
    shown = Place(file=printable(path))
    if not _is_unicode(path):
        yield PATH_NOT_UNICODE.found("The file name is not valid UTF-8.", shown)
    if leaves_package(path) or ".." in path.replace("\\", "/").split("/"):
        yield PATH_ESCAPES_PACKAGE.found("The path leads out of the package.", shown)
        return
    yield from (PATH_NOT_PORTABLE.found(reason, shown) for reason in _unportable_parts(path))
    if len(path) > MAX_PATH_CHARS:
        yield PATH_TOO_LONG.found(f"The path is longer than {MAX_PATH_CHARS} characters.", shown)
    if path.count("/") > MAX_FOLDER_DEPTH:
        yield FOLDERS_TOO_DEEP.found(f"The path has more than {MAX_FOLDER_DEPTH} folders.", shown)


def _unportable_parts(path: str) -> Iterator[str]:
    for part in path.split("/"):
        if _FORBIDDEN.search(part):
            yield f"{printable(part)!r} has a character that Windows does not allow in names."
        elif part.endswith((".", " ")):
            yield f"{printable(part)!r} ends in a dot or a space, which Windows drops."
        elif _DEVICE.fullmatch(part):
            yield f"{printable(part)!r} is the name of a device on Windows."
        elif part == "":
            yield "The path has an empty part."


def path_collisions(paths: Iterable[str]) -> Iterator[Problem]:
    """Find files and folders that some system would take for one another."""
    spelled: dict[str, str] = {}
    reported: set[str] = set()
    for path in paths:
        for whole in (path, *map(str, PurePosixPath(path).parents)):
            first = spelled.setdefault(_folded(whole), whole)
            if first != whole and whole not in reported:
                reported.add(whole)
                message = f"The name collides with {printable(first)!r}."
                yield PATHS_COLLIDE.found(message, Place(file=printable(whole)))


def _folded(path: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())


def _is_unicode(path: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in path)


def printable(path: str) -> str:
    """The path with anything that could confuse a terminal or break UTF-8 shown as an escape."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in path)


def looks_like_path(text: str) -> bool:
    """Whether a text that may be a key or a path is meant as a path inside the package."""
    return text.startswith(("./", "../", "/")) or (
        "/" in text and not is_url(text) and not any(map(str.isspace, text))
    )


def is_url(text: str) -> bool:
    """Whether a text names something on a network, not in the package."""
    return bool(_URL.match(text))


def normalised(path: str) -> str | None:
    """A written path as the package spells its files, or None if it leads out of the package."""
    slashed = path.replace("\\", "/")
    if leaves_package(slashed):
        return None
    parts: list[str] = []
    for part in slashed.split("/"):
        if part == "..":
            parts.pop()
        elif part not in {"", "."}:
            parts.append(part)
    return "/".join(parts)
