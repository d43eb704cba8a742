"""An progress as its starter sees it: which step it is at, how far, and a way to stop it."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from lime_desktop.protocol.errors import Cancelled


class Step(StrEnum):
    """The places where an progress says that it got there; a crash at any of them must do no harm."""

    FETCHING = "fetching"
    READING = "reading"
    COPYING = "copying"
    COPIED = "copied"
    REVIEWED = "reviewed"
    CHECKING = "checking"
    MOVED = "moved"
    CHECKED_AGAIN = "checked-again"
    VIEW_COPIED = "view-copied"
    DATA_COPIED = "data-copied"
    EXPORTED = "exported"
    DECIDING = "deciding"
    """From here on it cannot be stopped."""
    DECIDED = "decided"
    """On disk: what is left to do is done again until it is true."""
    VIEW_RESTORED = "view-restored"
    DATA_RESTORED = "data-restored"
    VIEW_REMOVED = "view-removed"
    DATA_REMOVED = "data-removed"
    CODE_REMOVED = "code-removed"
    SWEPT = "swept"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the progress is; `total` is 0 where nobody can know."""

    step: Step
    done: int = 0
    total: int = 0


def _to_nobody(_progress: Progress) -> None:
    """Nobody watches."""


class InstallProgress:
    """Watched by whoever started it, from any thread."""

    def __init__(self, told: Callable[[Progress], None] = _to_nobody) -> None:
        self._told = told
        self._cancelled = threading.Event()
        self._is_decided = False

    @property
    def can_be_cancelled(self) -> bool:
        """Whether stopping still leaves things as they were."""
        return not self._is_decided

    def cancel(self) -> None:
        """Stop at the next step; after the decision it is too late, and this does nothing."""
        self._cancelled.set()

    def at(self, step: Step, done: int = 0, total: int = 0) -> None:
        """Say how far it is.

        Raises:
            Cancelled: its starter wants it no more, and nothing was decided yet.
        """
        if step is Step.DECIDING:
            self._is_decided = True
        if self._cancelled.is_set() and not self._is_decided:
            raise Cancelled("Stopped. Nothing was changed")
        self._told(Progress(step, done, total))

    def check(self) -> None:
        """Stop here if that is wanted.

        Raises:
            Cancelled: its starter wants it no more.
        """
        if self._cancelled.is_set() and not self._is_decided:
            raise Cancelled("Stopped. Nothing was changed")
