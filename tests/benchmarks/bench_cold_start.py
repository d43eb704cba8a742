"""How long until the first answer? Run by hand: ``python -m tests.benchmarks.bench_cold_start``.

Compares a whole ``lime-desktop`` command with importing the two libraries that any of them needs.
"""

import statistics
import subprocess
import sys
from pathlib import Path
from time import perf_counter

ROUNDS = 31
AIM = 2.0
PACKAGE = str(Path(__file__).parents[1] / "projection" / "packages" / "content-studio")
BASELINE = "import pydantic, ruamel.yaml"
COMMANDS = {
    BASELINE: ["-c", BASELINE],
    **{
        command: ["-m", "lime_desktop", command, PACKAGE]
        for command in ("validate", "project", "readiness")
    },
}


def timed(arguments: list[str]) -> float:
    """Seconds that a fresh interpreter takes."""
    start = perf_counter()
    subprocess.run([sys.executable, *arguments], check=False, capture_output=True)
    return perf_counter() - start


def main() -> None:
    """Run every command in turn, many times, and print the medians."""
    rounds = [{name: timed(args) for name, args in COMMANDS.items()} for _ in range(ROUNDS)]
    medians = {name: statistics.median(each[name] for each in rounds) for name in COMMANDS}
    for name, seconds in medians.items():
        ratio = seconds / medians[BASELINE]
        verdict = "" if name == BASELINE else ("ok" if ratio <= AIM else f"over {AIM} ×")
        print(f"{name:<30} {seconds * 1000:6.0f} ms  {ratio:4.2f} ×  {verdict}")


if __name__ == "__main__":
    main()
