"""Reads one package in a process of its own. Prints nothing: that it ends in time shows that the package can be read.

Run as a module with the package's path. Its limits are set before it looks at the package.
"""

import asyncio
import sys
from contextlib import suppress
from pathlib import Path

from lime_desktop.app_package.archive.opening import open_package
from lime_desktop.app_package.package import load_package
from lime_desktop.child_limits import limit_this_process
from lime_desktop.own_programs import module_command
from lime_desktop.projection.host_profile import THIS_HOST
from lime_desktop.projection.projection import project
from lime_desktop.protocol.errors import AppError

DEADLINE_S = 90.0
_PROCESSOR_S = 60


async def comes_to_an_end(package: Path, deadline_s: float = DEADLINE_S) -> bool:
    """Whether reading a package ends in time and within bounds, tried where it can do no harm."""
    try:
        probe = await asyncio.create_subprocess_exec(
            *module_command(__name__, str(package)),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
    except OSError:
        return False
    try:
        async with asyncio.timeout(deadline_s):
            return await probe.wait() == 0
    except TimeoutError:
        return False
    finally:
        if probe.returncode is None:
            probe.kill()
            await probe.wait()


def main(path: str) -> None:
    """Read the package as the window does."""
    limit_this_process(written_bytes=None, processor_s=_PROCESSOR_S)
    # What is wrong with it is said by whoever reads it next: that it can be said is all there is to learn here.
    with suppress(AppError):
        project(load_package(open_package(Path(path))), THIS_HOST)


if __name__ == "__main__":
    main(sys.argv[1])
