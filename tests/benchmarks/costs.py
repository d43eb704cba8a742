"""What a piece of work cost: by the clock, and of the processor, since the clock also counts what others do meanwhile."""

import os
import statistics
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import NamedTuple


class Cost(NamedTuple):
    """Seconds on the wall and seconds of this process on the processor, all its threads together."""

    wall_s: float
    cpu_s: float


@contextmanager
def counted(costs: list[Cost]) -> Generator[None]:
    """Add what the work inside costs."""
    wall, cpu = time.perf_counter(), time.process_time()
    yield
    costs.append(Cost(time.perf_counter() - wall, time.process_time() - cpu))


@contextmanager
def counted_children(costs: list[Cost]) -> Generator[None]:
    """Add what the processes cost that end inside."""
    wall, cpu = time.perf_counter(), _cpu_of_children()
    yield
    costs.append(Cost(time.perf_counter() - wall, _cpu_of_children() - cpu))


def _cpu_of_children() -> float:
    times = os.times()
    return times.children_user + times.children_system


def costs_of(work: Callable[[], object], rounds: int) -> list[Cost]:
    """What some work costs, again and again."""
    costs: list[Cost] = []
    for _ in range(rounds):
        with counted(costs):
            work()
    return costs


def usual(costs: Sequence[Cost]) -> Cost:
    """The median of each."""
    return Cost(*(statistics.median(each) for each in zip(*costs, strict=True)))


def compared(name: str, ours: Sequence[Cost], bare_name: str, bare: Sequence[Cost]) -> str:
    """Two lines: the bare work, and ours as a multiple of it."""
    high, low = usual(ours), usual(bare)
    width = max(len(name), len(bare_name))
    ratios = f"{high.wall_s / low.wall_s:.2f} × by the clock, {high.cpu_s / low.cpu_s:.2f} × of the processor"
    return f"{_line(bare_name, width, low)}\n{_line(name, width, high)}   {ratios}"


def _line(name: str, width: int, cost: Cost) -> str:
    return f"{name:<{width}} {cost.wall_s * 1000:9.3f} ms, processor {cost.cpu_s * 1000:9.3f} ms"
