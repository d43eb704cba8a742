"""What happens after an error or a time-out, in the specification's words and in those that it leaves open."""

from dataclasses import dataclass
from typing import TypeAlias

ON_ERROR = ("fail", "retry", "show_error_and_retry", "show_error_and_allow_retry", "skip")
ON_TIMEOUT = ("retry_with_longer_timeout", "retry", "fail", "show_error_and_allow_retry")
ON_DEADLINE = ("approve", "reject", "fail")


@dataclass(frozen=True, slots=True)
class Do:
    """One of the words above."""

    word: str


@dataclass(frozen=True, slots=True)
class GoTo:
    """On with another state."""

    state_key: str


Reaction: TypeAlias = Do | GoTo


@dataclass(frozen=True, slots=True)
class Retry:
    """How often a state is tried again, and how long is waited before each time."""

    most: int = 0
    wait_s: float = 2.0
    factor: float = 2.0
    longest_s: float = 60.0


@dataclass(frozen=True, slots=True)
class Recovery:
    """What holds for every state that does not say it itself."""

    on_error: Reaction
    on_timeout: Reaction
    most_retries: int
    saves_checkpoint: bool
