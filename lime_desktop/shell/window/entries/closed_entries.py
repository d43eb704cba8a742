"""What the person closed, to be opened again: the last first, each once."""

from collections.abc import Sequence

from lime_desktop.host.user_profile.settings import OpenEntry

_MOST_CLOSED = 20
"""Closed tabs that can be opened again."""


class ClosedEntries:
    """Remembers a few of them, for as long as the window lives."""

    def __init__(self) -> None:
        self._closed: list[OpenEntry] = []

    def add(self, entries: Sequence[OpenEntry]) -> None:
        """Remember an entry with its panels. A panel is opened again after the entry that it stands beside."""
        self._closed = [*self._closed, *reversed(entries)][-_MOST_CLOSED:]

    def take(self) -> OpenEntry | None:
        """The last that was closed, if any is left."""
        return self._closed.pop() if self._closed else None

    def __bool__(self) -> bool:
        """Whether there is something to open again."""
        return bool(self._closed)
