"""Records of one session as the writer holds them: read once, changed in a draft, written once per batch."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from pydantic import ValidationError

from lime_desktop.app_server.runtime_core.folds import FOLDS_BY_TYPE, MODEL_BY_KIND
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.wire import WireModel


class DamagedRecord(Exception):
    """A stored record cannot be read. Nothing is lost by it: records follow from the log."""


class Address(NamedTuple):
    """Where a record is within its session."""

    kind: str
    key: str


class Placed(NamedTuple):
    """A record, and the number of the event that made it: its place among its kind."""

    record: WireModel
    position: int


Load = Callable[[Address], Placed | None]

MOST_KNOWN = 256
"""Records of one session that stay in memory; what is dropped is read again when an event concerns it."""


@dataclass(slots=True)
class Records:
    """The records of a session, fetched on demand. Unwritten changes are dropped with the object."""

    load: Load
    known: dict[Address, Placed | None] = field(default_factory=dict[Address, Placed | None])
    changed: dict[Address, Placed] = field(default_factory=dict[Address, Placed])

    def get(self, kind: str, key: str) -> WireModel | None:
        """The record as the events so far have made it."""
        placed = self._placed(Address(kind, key))
        return placed.record if placed else None

    def fold(self, event: RuntimeEvent) -> Iterator[tuple[str, WireModel | None, WireModel]]:
        """Apply every fold the event concerns; yields kind, record before and record after."""
        for fold in FOLDS_BY_TYPE[event.type]:
            key = fold.key(event)
            if not key:
                continue
            address = Address(fold.kind, key)
            before = self._placed(address)
            after = fold.apply(before.record if before else None, event)
            if after is None or (before is not None and after is before.record):
                continue
            self.changed[address] = Placed(after, before.position if before else event.sequence)
            yield fold.kind, before.record if before else None, after

    def fork(self) -> "Records":
        """A draft over these records."""
        return Records(self._placed)

    def accept(self, draft: "Records") -> None:
        """Take over what a draft changed, once it is written."""
        self.known.update(draft.changed)
        # Nothing else lets go of what happens outside turns: it has no end to be forgotten at.
        if len(self.known) > MOST_KNOWN:
            self.forget()

    def forget(self) -> None:
        """Drop what was read. Nothing is lost by it: what is not in `changed` is stored."""
        self.known.clear()

    def _placed(self, address: Address) -> Placed | None:
        if address in self.changed:
            return self.changed[address]
        if address not in self.known:
            placed = self.load(address)
            # Here too: what was asked about and refused is accepted by nobody.
            if len(self.known) >= MOST_KNOWN:
                self.forget()
            self.known[address] = placed
        return self.known[address]


def encode_record(record: WireModel) -> bytes:
    """The stored form: only what differs from an empty record."""
    return record.model_dump_json(by_alias=True, exclude_defaults=True).encode()


def decode_record(kind: str, body: bytes) -> WireModel:
    """Read the stored form.

    Raises:
        DamagedRecord: these bytes were not written here.
    """
    try:
        return MODEL_BY_KIND[kind].model_validate_json(body)
    except ValidationError:
        raise DamagedRecord(kind) from None
