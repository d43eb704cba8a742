"""What should a person do and know before the first run? From APP.md's sections and the manifest's own steps."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from lime_desktop.app_package.package import AppPackage

NoteKind = Literal["setup", "check", "suited", "unsuited", "warning"]

_SECTIONS: dict[str, NoteKind] = {
    "when_to_use": "suited",
    "not_suitable_for": "unsuited",
    "red_flags": "warning",
}
_MOST_LINES = 8
_LIST_MARK = re.compile(r"\s*(?:[-*+>]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?|\s*#+\s+")


@dataclass(frozen=True, slots=True)
class FirstRunNote:
    """One line for the first run."""

    kind: NoteKind
    text: str


def first_run_notes(package: AppPackage) -> tuple[FirstRunNote, ...]:
    """The author's checklist and advice, setup steps first."""
    return tuple(_notes(package))


def _notes(package: AppPackage) -> Iterator[FirstRunNote]:
    quickstart = package.manifest.quickstart
    for step in quickstart.setup_steps if quickstart else ():
        named = step.get("title") or step.get("description") or step.get("key") or step.get("type")
        if isinstance(named, str):
            yield FirstRunNote("setup", named)
    checklist = package.sections.get("verification_checklist")
    for item in checklist.checklist if checklist else ():
        yield FirstRunNote("check", item.text)
    for key, kind in _SECTIONS.items():
        section = package.sections.get(key)
        lines = [_without_marks(line) for line in section.text.splitlines()] if section else []
        for line in [line for line in lines if line][:_MOST_LINES]:
            yield FirstRunNote(kind, line)


def _without_marks(line: str) -> str:
    """A line of Markdown as it is read aloud: no bullet, no emphasis."""
    return re.sub(r"\*\*|__|`", "", _LIST_MARK.sub("", line, count=1)).strip()
