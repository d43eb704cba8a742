"""Makes one change over and over, each time in a folder of its own and killed at another step.

Run by `test_crashes`. It forks for every kill, so that the start of Python is paid once.
"""

import os
import shutil
import signal
import sys
from pathlib import Path

from tests.host.app_center.crash_steps import STEPS, run


def kill_at(folder: Path, change: str, step: str) -> int:
    """Make the change in a child that dies at the step; how the child ended."""
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1]

    def reached(name: str) -> None:
        if name == step:
            os.kill(os.getpid(), signal.SIGKILL)

    run(folder, change, reached)
    os._exit(0)


def main(prepared: Path, cases: Path, change: str) -> None:
    for step in STEPS[change]:
        folder = cases / change / step
        shutil.copytree(prepared, folder)
        status = kill_at(folder, change, step)
        if not os.WIFSIGNALED(status):
            sys.exit(f"{change} was not killed at {step}: it never got there")
    whole = cases / change / "whole"
    shutil.copytree(prepared, whole)
    reached: list[str] = []
    run(whole, change, reached.append)
    (cases / change / "reached.txt").write_text("\n".join(dict.fromkeys(reached)))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
