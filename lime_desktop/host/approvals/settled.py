"""Who hears that questions were settled, and what was answered to calls. Knows no answer's content."""

from collections.abc import Callable
from dataclasses import dataclass

from lime_desktop.background.observers import Observers

Listener = Callable[[str], None]
"""Hears the name of a question that was settled."""


class SettledQuestions:
    """Who waits for the end of which question. Knows no answer: that is read where it is kept."""

    def __init__(self) -> None:
        self._listeners = Observers[str]()

    def publish(self, action_id: str) -> None:
        """Say that a question was settled."""
        self._listeners.notify(action_id)

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Hear of every question from now on; the returned function ends it."""
        return self._listeners.subscribe(listener)


@dataclass(frozen=True, slots=True)
class DecidedCall:
    """A person's answer to a call of an app's page."""

    app_id: str
    question_id: str
    is_allowed: bool


class DecidedCalls:
    """Who wants to hear what was answered to calls."""

    def __init__(self) -> None:
        self._listeners = Observers[DecidedCall]()

    def publish(self, decided: DecidedCall) -> None:
        """Say what was answered."""
        self._listeners.notify(decided)

    def listen(self, listener: Callable[[DecidedCall], None]) -> Callable[[], None]:
        """Hear of every answer from now on; the returned function ends it."""
        return self._listeners.subscribe(listener)
