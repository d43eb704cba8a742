"""Match texts, file paths and hosts against the patterns of rules and manifests. Purely by text: the host resolves links before it asks.

No regular expressions: patterns come from strangers. The work is bounded by the product of both lengths, so that no
pattern can be slow.

Texts: ``*`` stands for any run of characters inside one segment; ``**`` alone in a segment for any number of segments;
a pattern that is only ``*`` matches every text, so that "anything" needs no knowledge of the separator. A pattern is
anchored: it must account for the whole text. Letters are compared as they are; a caller that wants case to be ignored
folds both sides first.

Paths: ``/`` parts segments (a backslash is read as one), and stars mean what they mean in texts; ``*`` alone is every
path and ``.`` every relative one; a pattern also covers everything below what it names. ``..``, ``~`` and names that
Windows would read as another file are refused in patterns and paths alike, since their meaning depends on who reads
them. What refuses or asks ignores case, since most desktop file systems do; what permits compares letters exactly.

Hosts:

- ``example.com``: this host, and no other (neither ``www.example.com`` nor ``evil-example.com``);
- ``*.example.com``: every host below it, at any depth, but not ``example.com`` itself;
- ``*``: every host. As a permission it leaves out hosts of the own machine or network, which must be named one by one.

Upper and lower case, one trailing dot, ports, and Unicode or punycode spelling make no difference. A pattern of hosts
has no scheme, port or path.
"""

import re
from functools import lru_cache
from unicodedata import normalize

from lime_desktop.network.hosts import is_local, parse_host

LONGEST_PATTERN = 512
ANYTHING = "*"
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_DRIVE = re.compile(r"[A-Za-z]:")


def glob_matches(pattern: str, text: str, separator: str) -> bool:
    """Tell whether the pattern accounts for the whole text."""
    if "*" not in pattern:
        return pattern == text
    if pattern == ANYTHING:
        return True
    segments = text.split(separator)
    # The reachable set: how many segments of the text the pattern so far may have used up.
    reached = {0}
    for part in pattern.split(separator):
        reached = _after(part, segments, reached)
    return len(segments) in reached


def _after(part: str, segments: list[str], reached: set[int]) -> set[int]:
    if part == "**":
        first = min(reached, default=len(segments) + 1)
        return set(range(first, len(segments) + 1))
    return {n + 1 for n in reached if n < len(segments) and _segment_matches(part, segments[n])}


def _segment_matches(pattern: str, text: str) -> bool:
    """Match ``*`` greedily, going back only to the latest star: linear in practice, quadratic at worst."""
    at_pattern = at_text = 0
    star, resume = -1, 0
    while at_text < len(text):
        if at_pattern < len(pattern) and pattern[at_pattern] == "*":
            star, resume = at_pattern, at_text
            at_pattern += 1
        elif at_pattern < len(pattern) and pattern[at_pattern] == text[at_text]:
            at_pattern += 1
            at_text += 1
        elif star >= 0:
            resume += 1
            at_pattern, at_text = star + 1, resume
        else:
            return False
    return not pattern[at_pattern:].strip("*")


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


@lru_cache(maxsize=1024)
def parse_domain_pattern(text: str) -> str | None:
    """Give a pattern in its plain form, or None where it can't be read."""
    if text == "*":
        return text
    below, name = ("*.", text[2:]) if text.startswith("*.") else ("", text)
    if set(name) & set(":/*?#["):
        return None
    host = parse_host(name)
    return None if host is None else below + host


def domain_matches(pattern: str, host: str, *, star_is_public: bool) -> bool:
    """Match a host with a pattern, both in plain form; a public star leaves out hosts of the own network."""
    if pattern == "*":
        return not (star_is_public and is_local(host))
    if pattern.startswith("*."):
        return host.endswith(pattern[1:])
    return host == pattern
