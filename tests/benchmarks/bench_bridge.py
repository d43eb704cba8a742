"""What the bridge costs against a raw web channel and against pywebview, in one run.

Run ``python -m tests.benchmarks.bench_bridge``. Rounds alternate, so that a busy machine is busy for every side; the
figures are medians of the rounds, and the ratios are what counts. Beside each time stands the processor time of all
processes together, which says what it costs where other work keeps the processors busy. pywebview is compared where it
is installed (``pip install pywebview[qt]``).
"""

import importlib.util
import json
import subprocess
import sys
from collections.abc import Iterable, Mapping
from statistics import median

ROUNDS = 3
AIMS = {
    ("bridge", "raw", "p50"): 2.0,
    ("bridge", "raw", "flight"): 3.0,
    ("bridge", "pywebview", "p50"): 0.5,
    ("bridge", "pywebview", "p99"): 0.5,
    ("opened", "bare", "snapshot"): 1.3,
}
WORDS = {
    "p50": "one call after the other, median (ms)",
    "p99": "one call after the other, slowest in a hundred (ms)",
    "call cpu": "2,000 calls one after the other, processor time (ms)",
    "flight": "1,000 calls in flight (ms)",
    "flight cpu": "3,000 calls, 1,000 in flight, processor time (ms)",
    "snapshot": "from the click to what the page shows first (ms)",
    "snapshot cpu": "from the click to what the page shows first, processor time (ms)",
}

Figures = Mapping[str, float]


def measure(mode: str) -> Figures:
    """Run one process and give its figures."""
    command = [sys.executable, "-m", "tests.benchmarks.bridge_children", mode]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0 or not done.stdout.strip():
        raise RuntimeError(f"{mode}: {done.stderr[-500:]}")
    return json.loads(done.stdout.strip().splitlines()[-1])


def medians(rounds: Iterable[Figures]) -> Figures:
    """The middle of each figure over the rounds."""
    figures = list(rounds)
    return {name: median(each[name] for each in figures) for name in figures[0]}


def compare(ours: str, others: str, found: Mapping[str, Figures]) -> None:
    """Print the ratios of two sides, and what they aim at."""
    for name in (name for name in WORDS if name in found[ours] and name in found[others]):
        ratio = found[ours][name] / found[others][name]
        aim = AIMS.get((ours, others, name))
        wanted = f"  (aim ≤ {aim})" if aim is not None else ""
        mine, other = found[ours][name], found[others][name]
        print(f"{WORDS[name]}: {ours} {mine:.2f}, {others} {other:.2f}, ratio {ratio:.2f}{wanted}")


def main() -> None:
    """Measure every side in turn, and print the ratios."""
    modes = ["raw", "bridge", "bare", "opened"]
    if importlib.util.find_spec("webview") is not None:
        modes.append("pywebview")
    rounds: dict[str, list[Figures]] = {mode: [] for mode in modes}
    for _ in range(ROUNDS):
        for mode in modes:
            rounds[mode].append(measure(mode))
    found = {mode: medians(figures) for mode, figures in rounds.items()}
    compare("bridge", "raw", found)
    compare("opened", "bare", found)
    if "pywebview" in found:
        compare("bridge", "pywebview", found)
    events = measure("events")
    for rate, outcome in sorted(events.items()):
        print(f"events a second to a page, {rate}: {outcome}")
    for size, took_ms in measure("payloads").items():
        print(f"a value of {size} bytes to the page: {took_ms:.1f} ms")
    memory = measure("memory")
    ratio = memory["app"] / memory["bare"]
    print(f"memory of a further idle app against a bare view: ratio {ratio:.2f} (aim ≤ 1.1)")
    stalls = measure("stalls")
    print(
        f"longest absence of the GUI thread: alone {stalls['alone']:.0f} ms, with a flooding page and 20 streams"
        f" {stalls['busy']:.0f} ms (aim ≤ 50 ms more)"
    )


if __name__ == "__main__":
    main()
