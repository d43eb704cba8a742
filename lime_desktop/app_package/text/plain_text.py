"""From bytes to text, and how much of it a host is willing to read. Knows no syntax."""

from dataclasses import dataclass, field

from lime_desktop.app_package.problem_kinds.text import (
    CHARACTER_INVALID,
    NUMBER_OUT_OF_RANGE,
    TEXT_NOT_UTF8,
)
from lime_desktop.app_package.problems import Place, Problem

MAX_TEXT_BYTES = 1024 * 1024
"""No text file that a host reads is larger."""
MAX_DEPTH = 32
"""Beyond this, ruamel.yaml's work per token grows with the depth; manifests need less than ten."""
MAX_FILE_PROBLEMS = 50
"""A file with more is not worth reading on: listing them would take longer than reading it."""
LARGEST_INTEGER = 2**53 - 1
"""The largest integer that every JSON reader keeps exact."""


@dataclass
class ReadingBudget:
    """What reading one package's YAML and JSON may still cost.

    ruamel.yaml is pure Python: about 20 µs per token and up to 3 µs per character inside a scalar,
    so the budget bounds the time whatever the bytes are.
    """

    files: int = 300
    """Text files."""
    total_bytes: int = 8 * 1024 * 1024
    """Bytes of text files."""
    tokens: int = 12_000
    """YAML tokens: about 75 KB of ordinary YAML."""
    characters: int = 120_000
    """Characters of YAML."""
    nodes: int = 15_000
    """Values of JSON, and values that YAML aliases repeat."""


@dataclass
class Parsed:
    """What a text came to: the value as far as it could be read, and what was wrong."""

    file: str
    value: object = None
    problems: list[Problem] = field(default_factory=list[Problem])


def decode(data: bytes, file: str, problems: list[Problem]) -> str | None:
    """Bytes to text; a byte order mark is dropped and line ends become plain newlines."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        problems.append(TEXT_NOT_UTF8.found("This line is not valid UTF-8.", Place(file, line)))
        return None
    return text.replace("\r\n", "\n")


def whole_characters(text: str, place: Place, problems: list[Problem]) -> str:
    """The text without halves of characters, which no file or message could carry on."""
    if text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text):
        return text
    problems.append(CHARACTER_INVALID.found("An escape stands for half a character.", place))
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def number(text: str, place: Place, problems: list[Problem]) -> int | float | str:
    """A decimal number in range, else its spelling and a problem."""
    is_integer = text.lstrip("+-").isdecimal()
    if is_integer and len(text) <= 20 and abs(int(text)) <= LARGEST_INTEGER:
        return int(text)
    if not is_integer and len(text) <= 400 and abs(float(text)) != float("inf"):
        return float(text)
    problems.append(NUMBER_OUT_OF_RANGE.found("The number is too large.", place))
    return text
