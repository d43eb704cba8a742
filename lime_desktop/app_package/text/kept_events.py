"""The parser's events of texts that were read a moment ago, so that the same text is not scanned again.

A package is read again at each step of its way: reviewed, checked, installed, registered. Scanning its YAML is three
quarters of that work, and gives the same events for the same text. Only what was read to its end is kept.
"""

from collections import OrderedDict
from threading import Lock
from typing import Any, NamedTuple

_MOST_EVENTS = 20_000
"""What half a dozen packages have five times over: eight megabytes."""


class KeptText(NamedTuple):
    """A text as it was read. Nobody changes an event."""

    events: tuple[Any, ...]
    tokens: int
    """What reading it took from the budget."""


class KeptEvents:
    """A few texts with their events; who was not asked for the longest goes first. Any thread may ask."""

    def __init__(self, most_events: int = _MOST_EVENTS) -> None:
        self._most = most_events
        self._count = 0
        self._texts: OrderedDict[str, KeptText] = OrderedDict()
        self._lock = Lock()

    def of(self, text: str) -> KeptText | None:
        """What is known of a text."""
        with self._lock:
            if text in self._texts:
                self._texts.move_to_end(text)
            return self._texts.get(text)

    def keep(self, text: str, kept: KeptText) -> None:
        """Remember a text, unless it would leave room for no other."""
        with self._lock:
            if text in self._texts or len(kept.events) > self._most // 2:
                return
            self._texts[text] = kept
            self._count += len(kept.events)
            while self._count > self._most:
                _, gone = self._texts.popitem(last=False)
                self._count -= len(gone.events)
