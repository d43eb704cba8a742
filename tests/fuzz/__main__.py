"""The long way: see the package's docstring."""

import argparse
import logging
import sys
import tempfile
import time
from pathlib import Path

from tests.fuzz.judge import Guilt, judge
from tests.fuzz.mutation import mutated
from tests.fuzz.seeds import SEEDS
from tests.fuzz.targets import TARGETS


def main() -> int:
    """Attack the parsers that are named, or all."""
    reading = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    reading.add_argument("names", nargs="*", metavar="PARSER", help=", ".join(TARGETS))
    reading.add_argument("--seconds", type=float, default=60.0, help="for each parser")
    reading.add_argument("--seed", type=int, default=1)
    asked = reading.parse_args()
    # Parsers say at length what is wrong with what we broke.
    logging.disable()
    unknown = [name for name in asked.names if name not in TARGETS]
    if unknown:
        reading.error(f"no such parser: {', '.join(unknown)}")
    return max(_attack(name, asked.seconds, asked.seed) for name in asked.names or TARGETS)


def _attack(name: str, seconds: float, seed: int) -> int:
    ends_at, tried = time.monotonic() + seconds, 0
    seen: dict[str, Guilt] = {}
    for data in mutated(SEEDS[name], seed):
        if time.monotonic() > ends_at:
            break
        tried += 1
        guilt = judge(TARGETS[name], data)
        # What follows the kind of an error is different each time.
        kind = "" if guilt is None else guilt.words.partition(":")[0]
        if guilt is not None and kind not in seen:
            seen[kind] = guilt
            path = Path(tempfile.gettempdir()) / f"fuzz-{name}-{len(seen)}"
            path.write_bytes(data)
            sys.stdout.write(f"{guilt.words}: {path}\n")
    sys.stdout.write(f"{name}: {tried} inputs, {len(seen)} guilty\n")
    sys.stdout.flush()
    return 1 if seen else 0


if __name__ == "__main__":
    sys.exit(main())
