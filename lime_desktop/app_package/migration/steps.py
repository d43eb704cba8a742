"""What a migration consists of: changes that are made, and steps that only the author can take."""

from collections.abc import Mapping
from dataclasses import dataclass

from lime_desktop.app_package.migration.source import Edit
from lime_desktop.protocol.wire import WireModel


class Change(WireModel):
    """One change to a file, and why it is made."""

    file: str
    line: int
    """In the file as it was."""
    key_path: str
    before: str
    after: str
    reason: str


class ManualStep(WireModel):
    """Something that can't be decided without knowing the app."""

    file: str
    line: int | None
    key_path: str
    todo: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """A change with the edits that make it; without edits it has to be made by hand."""

    change: Change
    edits: list[Edit] | None


@dataclass(frozen=True, slots=True)
class FileVersions:
    """A file's bytes before and after."""

    before: bytes
    after: bytes


@dataclass(frozen=True, slots=True)
class Migration:
    """Everything that is to be done to one package."""

    changes: tuple[Change, ...]
    manual_steps: tuple[ManualStep, ...]
    files: Mapping[str, FileVersions]
    """Only those that change."""

    @property
    def is_needed(self) -> bool:
        """Tell whether anything is left to do."""
        return bool(self.changes or self.manual_steps)
