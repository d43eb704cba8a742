"""A trigger as an author declared it: what has to happen, and which of it is meant. Pure."""

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal, TypeAlias

TriggerKind: TypeAlias = Literal["storage", "topic", "artifact", "webhook", "folder"]
Change: TypeAlias = Literal["insert", "update", "delete", "set"]
"""What becomes of a row or of a key: a row is inserted, updated or deleted, a key is set or deleted."""
OF_ROWS: tuple[Change, ...] = ("insert", "update", "delete")
OF_KEYS: tuple[Change, ...] = ("set", "delete")
EVENT_FIELDS: dict[TriggerKind, frozenset[str]] = {
    "storage": frozenset({"change", "table", "id", "row", "key", "value"}),
    "topic": frozenset({"topic", "payload"}),
    "artifact": frozenset({"artifactId", "kind", "title", "version"}),
    "webhook": frozenset({"integration", "entryId", "form", "headers", "body"}),
    "folder": frozenset({"ref", "path", "name", "sizeBytes"}),
}
"""What each event brings its workflow, beside what all bring."""
COMMON_FIELDS = frozenset({"trigger", "event", "at"})


@dataclass(frozen=True, slots=True)
class Trigger:
    """What has to happen."""

    kind: TriggerKind
    names: str
    """The table, the beginning of a key, the topic, the kind of artifact, the integration, or the files' pattern."""
    is_table: bool = False
    changes: frozenset[Change] = frozenset()

    def means_row(self, table: str, change: Change) -> bool:
        """Whether a row's change is meant."""
        is_of_table = self.kind == "storage" and self.is_table and self.names == table
        return is_of_table and change in self.changes

    def means_key(self, key: str, change: Change) -> bool:
        """Whether a key's change is meant."""
        is_of_keys = self.kind == "storage" and not self.is_table
        return is_of_keys and key.startswith(self.names) and change in self.changes

    def means_file(self, name: str) -> bool:
        """Whether a file of this name is meant, however its letters are cased."""
        return self.kind == "folder" and fnmatchcase(name.lower(), self.names.lower())

    @property
    def words(self) -> str:
        """The same in one line, for records, terms and tables of a terminal."""
        match self.kind:
            case "storage":
                place = f"table {self.names}" if self.is_table else f"keys {self.names}*"
                return f"storage: {', '.join(sorted(self.changes))} in {place}"
            case _:
                return f"{self.kind}: {self.names}"
