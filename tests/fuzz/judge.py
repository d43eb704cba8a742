"""Was this input read as it should be: in time, and with no error but those declared?"""

import time
from dataclasses import dataclass
from typing import Final

from tests.fuzz.targets import Target

BUDGET_S: Final = 20.0
"""Time of our own processor for one input of at most 64 kB: generous, for what is quadratic takes minutes."""


@dataclass(frozen=True, slots=True)
class Guilt:
    """What an input did."""

    data: bytes
    words: str


def judge(target: Target, data: bytes) -> Guilt | None:
    """Read one input; what is wrong with that, or None."""
    began = time.process_time()
    try:
        target.parse(data)
    except target.declares:
        pass
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        return Guilt(data, f"{target.name} raised {type(error).__name__}: {error}"[:300])
    took = time.process_time() - began
    return Guilt(data, f"{target.name} took {took:.1f} s") if took > BUDGET_S else None
