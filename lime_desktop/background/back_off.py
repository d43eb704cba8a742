"""How long to wait before the next attempt: longer after each failure in a row, and never the same for two."""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BackOff:
    """Waits that double up to a limit, each shortened by chance: whoever failed together must not try together again."""

    first_s: float
    """The longest wait after the first failure."""
    longest_s: float = math.inf
    jitter: Callable[[], float] = random.random
    """A number from 0 to 1."""

    def wait_s(self, failures: int) -> float:
        """How long to wait after so many failures in a row; at least half of what is the longest then."""
        longest = min(self.longest_s, self.first_s * 2 ** max(0, failures - 1))
        return longest * (0.5 + self.jitter() / 2)
