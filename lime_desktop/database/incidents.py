"""What happened to stored facts that a person has to be told: published where it is found, heard wherever that is.

One list of listeners per process, as with `logging`: files are opened deep below whoever can show a notice, often
before there is one.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from lime_desktop.background.observers import Observers

IncidentKind = Literal["commits_lost", "read_models_mended", "events_damaged", "names_mended"]

_MOST_KEPT = 50


@dataclass(frozen=True, slots=True)
class Incident:
    """One thing that was found, and mended as far as it can be."""

    kind: IncidentKind
    database: str
    """The name of the file."""
    count: int = 1
    kept_as: str | None = None
    """Where the damaged file was kept, as a name within the data folder."""


Listener = Callable[[Incident], None]


class Incidents:
    """Those of this process. May be published from any thread; listeners run there."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: list[Incident] = []
        self._listeners = Observers[Incident]()

    def publish(self, incident: Incident) -> None:
        """Tell everybody who listens now, and keep it for those who come later."""
        with self._lock:
            self._known = [*self._known, incident][-_MOST_KEPT:]
        self._listeners.notify(incident)

    def subscribe(self, listener: Listener) -> tuple[tuple[Incident, ...], Callable[[], None]]:
        """Hear what comes; gives what came before, and the way to stop."""
        with self._lock:
            return tuple(self._known), self._listeners.subscribe(listener)


incidents = Incidents()
