"""Read a file path, and match it against a path pattern. Purely by text: the host resolves links before it asks.

Patterns, in full: ``/`` parts segments (a backslash is read as one); ``*`` is any run of characters in one segment;
``**`` is any number of segments; ``*`` alone is every path and ``.`` every relative one; a pattern also covers everything
below what it names. ``..``, ``~`` and names that
Windows would read as another file are refused in patterns and paths alike, since their meaning depends on who reads them.

What refuses or asks ignores case, since most desktop file systems do; what permits compares letters exactly.
"""

import re
from unicodedata import normalize

from lime_desktop.policy.globs import glob_matches

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_DRIVE = re.compile(r"[A-Za-z]:")


def parse_path(text: str) -> str | None:
    """Give a path, or a pattern of paths, in its plain form, or None where it is open to doubt."""
    plain = normalize("NFC", text).replace("\\", "/")
    if not plain or plain.startswith(("~", "//")) or _CONTROL.search(plain):
        return None
    drive = _DRIVE.match(plain)
    lead = drive.group().upper() if drive else ""
    rest = plain[len(lead) :]
    segments = [segment for segment in rest.split("/") if segment not in {"", "."}]
    is_absolute = rest.startswith("/")
    if any(_is_doubtful(segment) for segment in segments) or (lead and not is_absolute):
        return None
    return lead + ("/" if is_absolute else "") + "/".join(segments) or "."


def _is_doubtful(segment: str) -> bool:
    # Windows drops trailing dots and blanks, and reads a colon as the name of a stream inside the file.
    return segment.endswith((".", " ")) or ":" in segment


def path_matches(pattern: str, path: str, *, ignore_case: bool) -> bool:
    """Match a path with a pattern, both in plain form."""
    if pattern == ".":
        return not (path.startswith("/") or _DRIVE.match(path))
    if ignore_case:
        pattern, path = pattern.casefold(), path.casefold()
    return glob_matches(pattern, path, "/") or glob_matches(f"{pattern.rstrip('/')}/**", path, "/")
