"""Tell several watchers of one change, each whatever became of the others."""

import logging
from collections.abc import Callable, Iterable
from typing import TypeVarTuple

_log = logging.getLogger(__name__)

Ts = TypeVarTuple("Ts")


def notify_all(watchers: Iterable[Callable[[*Ts], object]], *news: *Ts) -> None:
    """Call each in turn, those of this moment only; one that fails hurts neither another nor whoever tells.

    What changed has changed: a watcher's failure is its own, so it is logged and not raised.
    """
    for watcher in tuple(watchers):
        try:
            watcher(*news)
        except Exception:  # noqa: BLE001 - logged with its traceback; the others come first
            _log.exception("a watcher failed")
