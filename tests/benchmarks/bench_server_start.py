"""From process start to the first answer: the App Server against a Python that does nothing. Run by hand.

python -m tests.benchmarks.bench_server_start [ROUNDS]

The data folder is one that an earlier start has made, as on every start but a person's first.
"""

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from lime_desktop.host.app_server_client.sidecar import Sidecar, app_server_command
from tests.benchmarks.costs import Cost, compared, counted_children

_TICKS = os.sysconf("SC_CLK_TCK")
_USER, _SYSTEM = 11, 12
"""Where a process's own times stand behind its name in `/proc/PID/stat`."""


async def _until_it_answers(data: Path) -> Cost:
    began = time.perf_counter()
    sidecar = await Sidecar.start(app_server_command(data))
    cost = Cost(time.perf_counter() - began, _cpu_of(sidecar.pid))
    await sidecar.stop()
    return cost


def _cpu_of(pid: int) -> float:
    behind_name = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(") ")[2].split()
    return (int(behind_name[_USER]) + int(behind_name[_SYSTEM])) / _TICKS


def main() -> None:
    """Alternate the two, so that a busy machine slows both, and compare the medians."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    nothing: list[Cost] = []
    server: list[Cost] = []
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_until_it_answers(Path(folder)))
        for _ in range(rounds):
            with counted_children(nothing):
                subprocess.run([sys.executable, "-c", "pass"], check=True)
            server.append(asyncio.run(_until_it_answers(Path(folder))))
    print(compared("App Server answers", server, "python -c pass", nothing))


if __name__ == "__main__":
    main()
