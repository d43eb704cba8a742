"""What our documents show: commands to type and files to write, in the order in which a reader comes to them."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
COMMANDS_PAGE = ROOT / "packaging/docs/commands.md"
PAGES = (
    *(README, ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md"),
    *sorted((ROOT / "packaging/docs").rglob("*.md")),
)
"""Everything that is written for people to read."""

FENCED = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```", re.MULTILINE | re.DOTALL)
PROGRAMS = ("lime-desktop ", "npm test ")
_ENDING = re.compile(r"#.*\bends with ([0-3])\b")


@dataclass(frozen=True)
class ShownFile:
    """A fence that names a file after its language: the reader is to write it."""

    name: str
    text: str


@dataclass(frozen=True)
class ShownCommand:
    """A line of a shell."""

    line: str

    @property
    def words(self) -> list[str]:
        return shlex.split(self.line, comments=True)

    @property
    def program(self) -> str:
        return self.words[0]

    @property
    def arguments(self) -> list[str]:
        """What the program is given; a file after `<` is its input instead."""
        words = self.words[1:]
        return words[: words.index("<")] if "<" in words else words

    @property
    def input_file(self) -> str | None:
        return self.words[-1] if "<" in self.words else None

    @property
    def ending(self) -> int | None:
        """The exit code that its comment promises."""
        promised = _ENDING.search(self.line)
        return int(promised[1]) if promised else None


def shown_steps(document: Path) -> Iterator[ShownFile | ShownCommand]:
    """What a reader of a document does, from its beginning to its end."""
    for language, name, text in FENCED.findall(document.read_text("utf-8")):
        if name:
            yield ShownFile(name, text)
        elif language == "sh":
            lines: list[str] = text.splitlines()
            yield from (ShownCommand(line) for line in lines if line.startswith(PROGRAMS))


def shown_commands(document: Path) -> list[ShownCommand]:
    """The commands alone."""
    return [step for step in shown_steps(document) if isinstance(step, ShownCommand)]


GUIDES = tuple(page for page in PAGES if shown_commands(page))
"""Those that show something to type."""
