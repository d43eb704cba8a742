"""As much Markdown as a host needs: which lines are code, and what a code block holds. Line by line."""

import re
from collections.abc import Iterator
from typing import NamedTuple

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")


class CodeBlock(NamedTuple):
    """A fenced block: the language it names, its text, and the line its text begins on."""

    language: str
    line: int
    text: str


def numbered_lines(body: str, first_line: int) -> Iterator[tuple[int, str, bool]]:
    """Each line with its number, and whether it is part of a fenced code block."""
    fence = ""
    for number, line in enumerate(body.split("\n"), first_line):
        match = _FENCE.fullmatch(line)
        yield number, line, bool(fence) or match is not None
        if match is not None:
            fence = _fence_after(fence, match)


def _fence_after(fence: str, match: re.Match[str]) -> str:
    """The fence that is open after this line: a block is closed only by a fence like its own."""
    if not fence:
        return match[1]
    closes = match[1].startswith(fence) and not match[2].strip()
    return "" if closes else fence


def code_blocks(body: str, first_line: int) -> Iterator[CodeBlock]:
    """The fenced blocks that are closed, in their order."""
    fence = language = ""
    start = first_line
    content: list[str] = []
    for number, line in enumerate(body.split("\n"), first_line):
        match = _FENCE.fullmatch(line)
        was_open = bool(fence)
        fence = _fence_after(fence, match) if match else fence
        if match and not was_open:
            language, start, content = match[2].strip().casefold(), number + 1, []
        elif was_open and not fence:
            yield CodeBlock(language, start, "\n".join(content) + "\n")
        elif was_open:
            content.append(line)
