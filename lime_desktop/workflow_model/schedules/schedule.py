"""A schedule as an author declared it: its moments, and what is to be done about those that cannot be kept."""

import hashlib
from dataclasses import dataclass
from typing import Literal, TypeAlias

from lime_desktop.workflow_model.schedules.timing import Timing

Missed: TypeAlias = Literal["skip", "once", "all"]
"""Of the moments that nobody was there for: start nothing, start once for all of them, or once for each."""
Overlap: TypeAlias = Literal["skip", "queue", "cancel-previous"]
"""While the run before is still open: start nothing, start when it has ended, or end it."""
Quiet: TypeAlias = Literal["battery", "metered"]
"""What the computer may be on while nothing starts."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """When something starts by itself."""

    written: str
    """As its author wrote it."""
    timing: Timing
    time_zone: str | None
    """By its name; None means wherever the computer is."""
    jitter_ms: int
    """Each start comes later than its moment by up to this much."""
    missed: Missed
    overlap: Overlap
    quiet: frozenset[Quiet]

    def start_ms(self, due_ms: int, seed: str) -> int:
        """When the moment's run is started: as late as the moment and the seed say, the same each time."""
        if not self.jitter_ms:
            return due_ms
        digest = hashlib.sha256(f"{seed}\0{due_ms}".encode()).digest()
        return due_ms + int.from_bytes(digest[:8]) % self.jitter_ms
