"""Updates an installation again and again, each time in a child of its own that ends itself with SIGKILL at a step.

A process of its own, started by test_power_cuts.py: `python -m tests.shipping.dying_updater ROOT URL`. Reads the number of
a step from each line of its input, and answers with how the child ended and how many steps it made.
"""

import os
import signal
import sys
from pathlib import Path

from lime_desktop.shipping.disk import Disk
from lime_desktop.shipping.installation import Installation
from lime_desktop.shipping.sources import HttpSource
from lime_desktop.shipping.updates import Updates
from tests.shipping.vendors import PLATFORM


class DyingDisk(Disk):
    """Counts steps; at one of them there is no more power."""

    def __init__(self, dies_at: int) -> None:
        self.steps = 0
        self._dies_at = dies_at

    def step(self, what: str) -> None:
        del what
        self.steps += 1
        if self.steps == self._dies_at:
            os.kill(os.getpid(), signal.SIGKILL)


def main() -> None:
    root, source = Path(sys.argv[1]), HttpSource(sys.argv[2])
    # Before the children: making a client reads every certificate that this machine trusts.
    next(source.read("metadata/timestamp.json"))
    for line in sys.stdin:
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            disk = DyingDisk(int(line))
            Updates(Installation(root), source, disk=disk, platform=PLATFORM).apply()
            os.write(write, str(disk.steps).encode())
            os._exit(0)
        os.close(write)
        _, status = os.waitpid(child, 0)
        steps = os.read(read, 20).decode() or "0"
        os.close(read)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)} {steps}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
