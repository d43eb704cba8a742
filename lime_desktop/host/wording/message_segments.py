"""A message cut where a reader would: prose, and code or formulas that are copied as a whole. Pure text in, text out.

Cutting goes on from the last segment, so that a message that grows is never cut from its beginning again.
"""

import re
from dataclasses import dataclass

_OPENING = re.compile(
    r"^(?P<indent>[ \t]*)(?P<fence>`{3,}|~{3,})[ \t]*(?P<language>[^`\s]*)[^`\n]*$"
    r"|^[ \t]*(?P<formula>\$\$|\\\[)[ \t]*$",
    re.MULTILINE,
)
_CLOSINGS = {"$$": r"^[ \t]*\$\$[ \t]*$", r"\[": r"^[ \t]*\\\][ \t]*$"}
_CODE_SPAN = re.compile(r"(`+)(?:(?!\1).|\n)*?\1(?!`)")
_FORMULA = re.compile(
    r"\\\((?P<round>[^\n]+?)\\\)"
    r"|\\\[(?P<square>[^\n]+?)\\\]"
    r"|(?<![\w$\\])\$(?P<dollar>(?![\s$])[^$\n]*[\\^_={}][^$\n]*(?<!\s))\$(?![\w$])"
)
FORMULA = "TeX"
"""What a formula is called where code is called by its language."""


@dataclass(frozen=True, slots=True)
class Segment:
    """One piece of a message."""

    start: int
    """Where in the message it begins."""
    text: str
    is_code: bool = False
    language: str = ""


def split_segments(message: str, start: int = 0) -> list[Segment]:
    """The segments of a message from a place on, which must be where a segment begins."""
    found: list[Segment] = []
    at = start
    while opening := _OPENING.search(message, at):
        if prose := message[at : opening.start()].rstrip("\n"):
            found.append(Segment(at, prose))
        code, at = _code(message, opening)
        found.append(code)
    if message[at:].strip():
        found.append(Segment(at, message[at:]))
    return found


def _code(message: str, opening: re.Match[str]) -> tuple[Segment, int]:
    fence, formula = opening["fence"], opening["formula"]
    ending = _CLOSINGS[formula] if formula else rf"^[ \t]*{fence[0]}{{{len(fence)},}}[ \t]*$"
    begin = min(opening.end() + 1, len(message))
    closing = re.compile(ending, re.MULTILINE).search(message, begin)
    inside = message[begin : closing.start() if closing else len(message)]
    language = FORMULA if formula else opening["language"]
    text = _dedented(inside, len(opening["indent"] or "")).removesuffix("\n")
    after = min(closing.end() + 1, len(message)) if closing else len(message)
    return Segment(opening.start(), text, is_code=True, language=language), after


def _dedented(code: str, indent: int) -> str:
    """Code in a list stands as far in as its item."""
    if not indent:
        return code
    return re.sub(rf"^[ \t]{{1,{indent}}}", "", code, flags=re.MULTILINE)


def with_plain_formulas(prose: str) -> str:
    """Formulas within a line as code, so that their signs are not read as emphasis. Keeps every line where it is."""
    parts: list[str] = []
    at = 0
    for span in _CODE_SPAN.finditer(prose):
        parts += [_FORMULA.sub(_as_code, prose[at : span.start()]), span.group()]
        at = span.end()
    return "".join((*parts, _FORMULA.sub(_as_code, prose[at:])))


def _as_code(found: re.Match[str]) -> str:
    words = found["round"] or found["square"] or found["dollar"] or ""
    return found.group() if "`" in words else f"`{words.strip()}`"
