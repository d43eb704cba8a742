"""How long until the first answer? Run by hand: ``python -m tests.benchmarks.bench_cold_start``.

Compares a whole ``lime-desktop`` command with importing the two libraries that any of them needs. The
plain import is what the aim is set against; since pydantic loads itself only on first use, a second
line shows what one model alone costs. Times are CPU seconds: the machine may be busy.
"""

import os
import statistics
import subprocess
import sys
from pathlib import Path

ROUNDS = 31
AIM = 2.0
PACKAGE = str(Path(__file__).parents[1] / "projection" / "packages" / "content-studio")
BASELINE = "import pydantic, ruamel.yaml"
ONE_MODEL = "import ruamel.yaml, pydantic; type('One', (pydantic.BaseModel,), {'__module__': ''})()"
COMMANDS = {
    BASELINE: ["-c", BASELINE],
    "… and one model": ["-c", ONE_MODEL],
    **{
        command: ["-m", "lime_desktop", command, PACKAGE]
        for command in ("validate", "project", "readiness")
    },
}


def timed(arguments: list[str]) -> float:
    """CPU seconds that a fresh interpreter takes."""
    before = os.times()
    subprocess.run([sys.executable, *arguments], check=False, capture_output=True)
    after = os.times()
    return (
        after.children_user + after.children_system - before.children_user - before.children_system
    )


def main() -> None:
    """Run every command in turn, many times, and print medians."""
    rounds = [{name: timed(args) for name, args in COMMANDS.items()} for _ in range(ROUNDS)]
    medians = {name: statistics.median(each[name] for each in rounds) for name in COMMANDS}
    for name, seconds in medians.items():
        ratio = seconds / medians[BASELINE]
        verdict = "" if name == BASELINE else ("ok" if ratio <= AIM else f"over {AIM} ×")
        print(f"{name:<30} {seconds * 1000:6.0f} ms  {ratio:4.2f} ×  {verdict}")


if __name__ == "__main__":
    main()
