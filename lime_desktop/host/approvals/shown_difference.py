"""What is taken out of a text and what is put in, line by line: of two texts, or of a patch that somebody wrote.

Pure and bounded. The marks of a patch are for programs: what a person gets are lines, and where in the text they stand.
"""

import difflib
import re
from collections.abc import Iterator
from itertools import islice
from typing import Literal

from lime_desktop.host.wording.texts import Texts

LineKind = Literal["same", "added", "removed", "place"]
DifferenceLine = tuple[LineKind, str]

_MOST_LINES = 400
_MOST_COMPARED = 600
"""Lines of each side of a difference: comparing takes their product."""
_AROUND = 2
"""Lines that stay as they are, shown before and after what changes."""
_ELLIPSIS: DifferenceLine = ("place", "…")

_PATCH = re.compile(r"^(?:diff --git .*\n|@@ .*\n|--- \S.*\n\+\+\+ \S)", re.M)
_HUNK = re.compile(r"@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)")
_FILES = re.compile(r"diff --git a/(.+) b/(.+)")
_FILE = re.compile(r"(?:---|\+\+\+) (?:[ab]/)?([^\t]+)")
_KINDS: dict[str, LineKind] = {"+": "added", "-": "removed"}


def is_patch(text: str) -> bool:
    """Whether a text is a difference that was written by a program."""
    return _PATCH.search(text) is not None


def compared_lines(before: str, after: str, texts: Texts) -> tuple[DifferenceLine, ...]:
    """How one text differs from another; what is too long to be compared ends with an ellipsis."""
    sides = before.splitlines(), after.splitlines()
    old, new = (each[:_MOST_COMPARED] for each in sides)
    lines = list(islice(_compared(old, new, texts), _MOST_LINES + 1))
    is_cut = len(lines) > _MOST_LINES or any(len(each) > _MOST_COMPARED for each in sides)
    return (*lines[:_MOST_LINES], _ELLIPSIS) if is_cut else tuple(lines)


def patch_lines(text: str, texts: Texts) -> tuple[DifferenceLine, ...]:
    """The lines of a patch."""
    lines = list(islice(_PatchReader(texts).read(text.splitlines()), _MOST_LINES + 1))
    return (*lines[:_MOST_LINES], _ELLIPSIS) if len(lines) > _MOST_LINES else tuple(lines)


def _compared(old: list[str], new: list[str], texts: Texts) -> Iterator[DifferenceLine]:
    for group in difflib.SequenceMatcher(None, old, new).get_grouped_opcodes(_AROUND):
        yield from _place(group[0][3] + 1, "", texts)
        for tag, start, end, new_start, new_end in group:
            if tag == "equal":
                yield from _all_of("same", old[start:end])
                continue
            yield from _all_of("removed", old[start:end])
            yield from _all_of("added", new[new_start:new_end])


def _all_of(kind: LineKind, lines: list[str]) -> Iterator[DifferenceLine]:
    return ((kind, line) for line in lines)


def _place(line: int, section: str, texts: Texts) -> Iterator[DifferenceLine]:
    """Where the next lines stand. At the beginning nobody has to be told."""
    where = texts("asking.line", number=line) if line > 1 else ""
    if words := " · ".join(each for each in (where, section) if each):
        yield "place", words


class _PatchReader:
    """Reads one patch. Inside a hunk its counts decide what a line is: `--- ` may be a line that goes."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self._old_left = 0
        self._new_left = 0
        self._files: set[str] = set()

    def read(self, lines: list[str]) -> Iterator[DifferenceLine]:
        for line in lines:
            if line.startswith("@@"):
                yield from self._begin(line)
            elif line.startswith("\\"):
                # Says that the last line has no end, which nobody sees.
                continue
            elif line.startswith("diff ") or not self._is_inside():
                yield from self._header(line)
            else:
                yield self._content(line)

    def _is_inside(self) -> bool:
        return self._old_left > 0 or self._new_left > 0

    def _begin(self, line: str) -> Iterator[DifferenceLine]:
        if (hunk := _HUNK.match(line)) is None:
            # Agents leave the numbers out, and name what the lines stand in.
            yield "place", line.strip("@ ") or "…"
            return
        old_count, number, new_count, section = hunk.groups()
        self._old_left, self._new_left = int(old_count or 1), int(new_count or 1)
        yield from _place(int(number), section, self._texts)

    def _header(self, line: str) -> Iterator[DifferenceLine]:
        """Names of files, each once; what else stands between hunks is kept, but for the names of stored objects."""
        if (both := _FILES.fullmatch(line)) is not None:
            self._old_left = self._new_left = 0
            self._files = set(both.groups())
            yield "place", " → ".join(dict.fromkeys(both.groups()))
        elif (file := _FILE.match(line)) is not None:
            yield from self._file(file[1])
        elif not line.startswith("index "):
            yield self._content(line)

    def _file(self, name: str) -> Iterator[DifferenceLine]:
        if name != "/dev/null" and name not in self._files:
            self._files.add(name)
            yield "place", name

    def _content(self, line: str) -> DifferenceLine:
        kind = _KINDS.get(line[:1], "same")
        self._old_left -= kind != "added"
        self._new_left -= kind != "removed"
        return kind, line[1:] if kind != "same" else line.removeprefix(" ")
