"""Who hears of a change: one list for every subject, each observer told whatever became of the others."""

import logging
from collections.abc import Callable, Iterable
from typing import Generic, TypeVarTuple

_log = logging.getLogger(__name__)

Ts = TypeVarTuple("Ts")


class Observers(Generic[*Ts]):
    """The observers of one subject, told in the order in which they came."""

    def __init__(self) -> None:
        # Replaced and never changed: whoever is telling just now tells those of that moment, in any thread.
        self._entries: tuple[tuple[object, Callable[[*Ts], object]], ...] = ()

    def __len__(self) -> int:
        return len(self._entries)

    def subscribe(self, observer: Callable[[*Ts], object]) -> Callable[[], None]:
        """Hear of every change from now on; returns the way to stop. Stopping twice is no failure."""
        key = object()
        self._entries = (*self._entries, (key, observer))

        def unsubscribe() -> None:
            self._entries = tuple(entry for entry in self._entries if entry[0] is not key)

        return unsubscribe

    def clear(self) -> None:
        """Tell nobody any more."""
        self._entries = ()

    def notify(self, *news: *Ts) -> None:
        """Tell everybody; a failure of one is logged, and hurts neither another nor whoever tells."""
        if self._entries:
            notify_all([observer for _, observer in self._entries], *news)


def notify_all(observers: Iterable[Callable[[*Ts], object]], *news: *Ts) -> None:
    """Call each in turn, those of this moment only; one that fails hurts neither another nor whoever tells.

    What changed has changed: an observer's failure is its own, so it is logged and not raised.
    """
    for observer in tuple(observers):
        try:
            observer(*news)
        except Exception:  # noqa: BLE001 - logged with its traceback; the others come first
            _log.exception("an observer failed")
