"""What a person decided and could not be kept: told to whoever shows it, so that nobody believes it holds."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from lime_desktop.background.observers import Observers
from lime_desktop.protocol.errors import AppError, HostActionFailed

_log = logging.getLogger(__name__)

DecisionKind = Literal["grant", "revoke", "never", "forget-never", "yes", "forget-yes", "answer"]


@dataclass(frozen=True, slots=True)
class UnsavedDecision:
    """One that does not hold, and why."""

    app_id: str
    kind: DecisionKind
    error: AppError


Watcher = Callable[[UnsavedDecision], None]


class UnsavedDecisions:
    """Passes failures on. One for the whole program."""

    def __init__(self) -> None:
        self._watchers = Observers[UnsavedDecision]()

    def watch(self, watcher: Watcher) -> None:
        """Hear of every decision that could not be kept."""
        self._watchers.subscribe(watcher)

    def notify(self, app_id: str, kind: DecisionKind, error: Exception) -> None:
        """Say that a decision about an app does not hold."""
        if not isinstance(error, AppError):
            # A bug: its own text is for the log, and was written there by whoever found it.
            error = HostActionFailed("The decision could not be kept")
        _log.warning(
            "a decision was not kept", extra={"appId": app_id, "kind": kind, "code": error.code}
        )
        self._watchers.notify(UnsavedDecision(app_id, kind, error))
