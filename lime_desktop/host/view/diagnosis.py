"""Why did a page never say that it is ready? Pure over what the host saw meanwhile; the likeliest cause comes first."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

Cause = Literal["missing-file", "script-error", "policy-block", "nothing"]

_KEPT_LINES = 50
_OPTIONAL = (".map", ".ico")
"""Files that engines look for by themselves."""


def is_optional(path: str) -> bool:
    """Whether an app does well without a file of this name."""
    return path.endswith(_OPTIONAL)


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What is likely wrong, and the file or message it rests on."""

    cause: Cause
    subject: str = ""


@dataclass(slots=True)
class ViewTrouble:
    """What went wrong in a page since it was loaded."""

    missing: list[str] = field(default_factory=list[str])
    """Paths that the bundle does not have."""
    lines: list[str] = field(default_factory=list[str])
    """Warnings and errors of the console, with their place."""

    def add_line(self, message: str, source: str, line: int) -> None:
        """Keep a warning or an error; the oldest makes room."""
        self.lines.append(f"{source}:{line}  {message}")
        del self.lines[:-_KEPT_LINES]

    def add_missing(self, path: str) -> None:
        """Keep a path that was asked for in vain."""
        if not is_optional(path) and path not in self.missing:
            self.missing.append(path)
            del self.missing[_KEPT_LINES:]

    def clear(self) -> None:
        """Begin anew with the page."""
        self.missing.clear()
        self.lines.clear()


def diagnose(trouble: ViewTrouble) -> Diagnosis:
    """Name the likeliest cause: a file that is not there often brings the errors after it along."""
    if trouble.missing:
        return Diagnosis("missing-file", trouble.missing[0])
    for cause, signs in _SIGNS:
        found = _first(trouble.lines, signs)
        if found is not None:
            return Diagnosis(cause, found)
    return Diagnosis("nothing")


_SIGNS: tuple[tuple[Cause, tuple[str, ...]], ...] = (
    ("policy-block", ("Content Security Policy",)),
    ("script-error", ("Uncaught", "Failed to load module script", "Failed to resolve module")),
)


def _first(lines: Sequence[str], signs: tuple[str, ...]) -> str | None:
    return next((line for line in lines if any(sign in line for sign in signs)), None)
