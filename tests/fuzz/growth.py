"""Does the work grow with the size of the input, and not with its square? Judged by the processor time of this thread alone.

Other threads of a worker, such as those of a browser engine that an earlier test started, are no work of the parser's.
Nor is the search for garbage, which goes through all that the tests before have left.
"""

import gc
import time
from collections.abc import Callable

SMALL = 12_000
"""Characters of the smaller input; the larger has four times as many."""
_TIMES = 4
_MOST_TIMES_THE_WORK = 10
"""Linear work comes to 4, quadratic to 16; between lies what caches and a busy machine add."""
_NOTICEABLE_S = 0.25
"""Below this a quadratic parser would need hours for nothing: there is too little to compare."""


def assert_work_grows_with_size(
    parse: Callable[[str], object], piece: str, small: int = SMALL
) -> None:
    """Compare the work for a piece repeated n times with that for 4n."""
    count = max(small // len(piece), 1)
    larger = _work(parse, piece * (count * _TIMES))
    if larger < _NOTICEABLE_S:
        return
    smaller = min(_work(parse, piece * count) for _ in range(2))
    # Measured again: what a busy machine adds is no fault of the parser.
    larger = min(larger, _work(parse, piece * (count * _TIMES)))
    assert larger < _NOTICEABLE_S or larger < smaller * _MOST_TIMES_THE_WORK, (
        f"{piece[:40]!r}: {smaller:.2f} s, and {larger:.2f} s for four times as much"
    )


def _work(parse: Callable[[str], object], text: str) -> float:
    was_collecting = gc.isenabled()
    gc.disable()
    try:
        began = time.thread_time()
        parse(text)
        return time.thread_time() - began
    finally:
        if was_collecting:
            gc.enable()
