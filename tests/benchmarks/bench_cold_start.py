"""How long until the first answer? Run by hand: ``python -m tests.benchmarks.bench_cold_start``.

Compares a whole ``lime-desktop`` command with importing the two libraries that any of them needs. The
plain import is what the aim is set against; since pydantic loads itself only on first use, a second
line shows what one model alone costs.
"""

import subprocess
import sys
from pathlib import Path

from tests.benchmarks.costs import Cost, compared, counted_children

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


def main() -> None:
    """Run every command in turn, many times, and print medians."""
    taken: dict[str, list[Cost]] = {name: [] for name in COMMANDS}
    for _ in range(ROUNDS):
        for name, arguments in COMMANDS.items():
            with counted_children(taken[name]):
                subprocess.run([sys.executable, *arguments], check=False, capture_output=True)
    for name in [name for name in COMMANDS if name != BASELINE]:
        print(compared(name, taken[name], BASELINE, taken[BASELINE]))
    print(f"The aim is {AIM} ×.")


if __name__ == "__main__":
    main()
