"""One file's YAML as text to be edited, and everything around it as bytes that stay as they are."""

import codecs
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Edit:
    """Put `text` in the place of the characters from `start` to `end`."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The editable part of a file. Lines end in a plain newline here; their real ends are put back at last."""

    file: str
    before: bytes
    after: bytes
    text: str
    line_ends: tuple[str, ...]
    """Of the original lines."""
    origins: tuple[int, ...]
    """For every line of `text` the original line that it came from, counted from 0."""
    first_line: int
    """The number of the first original line in the file, counted from 1."""

    @property
    def is_json(self) -> bool:
        """Tell whether new values must be quoted."""
        return self.file.endswith(".json")

    def line(self, position: int) -> int:
        """Give the original file's line number for a position in the text."""
        return self.origins[self.text.count("\n", 0, position)] + self.first_line

    def edited(self, edits: list[Edit]) -> "Source":
        """Apply edits that do not overlap."""
        text, origins = self.text, list(self.origins)
        for edit in sorted(set(edits), key=lambda each: (each.start, each.end), reverse=True):
            first = text.count("\n", 0, edit.start)
            last = text.count("\n", 0, edit.end)
            added = edit.text.count("\n")
            # Where whole lines go, what follows them keeps its own origin.
            is_cut = added == 0 and (edit.start == 0 or text[edit.start - 1] == "\n")
            origins[first : last + 1] = [origins[last if is_cut else first]] * (added + 1)
            text = text[: edit.start] + edit.text + text[edit.end :]
        return replace(self, text=text, origins=tuple(origins))

    def as_bytes(self) -> bytes:
        """Put the file together again."""
        lines = self.text.split("\n")
        ends = [self.line_ends[origin] for origin in self.origins[:-1]]
        joined = "".join(line + end for line, end in zip(lines, [*ends, ""], strict=True))
        return self.before + joined.encode("utf-8") + self.after


def open_source(file: str, data: bytes) -> Source | None:
    """Find the YAML in a file's bytes; None where there is none, or not in a form that can be edited."""
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    if file.endswith(".md"):
        return _open_frontmatter(file, data, mark)
    return _open_region(file, (mark, data[len(mark) :], b""), first_line=1)


def _open_frontmatter(file: str, data: bytes, mark: bytes) -> Source | None:
    lines = _kept_lines(data)
    if not lines or lines[0].removeprefix(mark).rstrip() != b"---":
        return None
    ends = [n for n, line in enumerate(lines) if n and line.rstrip() in {b"---", b"..."}]
    if not ends:
        return None
    region = b"".join(lines[1 : ends[0]])
    parts = (lines[0], region, data[len(lines[0]) + len(region) :])
    return _open_region(file, parts, first_line=2)


def _kept_lines(data: bytes) -> list[bytes]:
    # Not splitlines(): that also breaks at characters which are no line ends in a file.
    return [line + b"\n" for line in data.split(b"\n")[:-1]] + [data.rpartition(b"\n")[2]]


def _open_region(file: str, parts: tuple[bytes, bytes, bytes], *, first_line: int) -> Source | None:
    before, region, after = parts
    try:
        text = region.decode("utf-8")
    except UnicodeDecodeError:
        return None
    lines = text.split("\n")
    plain = [*(line.removesuffix("\r") for line in lines[:-1]), lines[-1]]
    if any("\r" in line for line in plain):
        return None
    ends = ["\r\n" if line.endswith("\r") else "\n" for line in lines[:-1]]
    return Source(
        file=file,
        before=before,
        after=after,
        text="\n".join(plain),
        # Whatever is added after the last line continues as the file is written.
        line_ends=(*ends, ends[-1] if ends else "\n"),
        origins=tuple(range(len(lines))),
        first_line=first_line,
    )
