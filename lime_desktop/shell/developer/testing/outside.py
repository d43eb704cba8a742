"""A developer's own program that tests the open app from outside, over the debugging port."""

import asyncio
import os
import time

from PySide6.QtCore import QProcess, QProcessEnvironment

from lime_desktop.developer.testing.outcomes import TestOutcome
from lime_desktop.shell.developer.testing.debugging_door import DebuggingDoor

_PAGES, _BROWSER = "LIME_CDP_URL", "LIME_CDP_BROWSER_URL"
"""Where a program finds the pages, and where it finds what it takes for a whole browser."""


async def run_outside(command: tuple[str, ...]) -> TestOutcome:
    """Run a program to its end, with a way to the app's pages; what it says goes where this program's words go."""
    door = DebuggingDoor()
    surroundings = QProcessEnvironment.systemEnvironment()
    surroundings.insert(_BROWSER, await door.open(os.environ[_PAGES]))
    try:
        return await _run(command, surroundings)
    finally:
        door.close()


async def _run(command: tuple[str, ...], surroundings: QProcessEnvironment) -> TestOutcome:
    begun = time.monotonic()
    ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    process = QProcess()
    process.setProcessEnvironment(surroundings)
    process.setProcessChannelMode(QProcess.ProcessChannelMode.ForwardedChannels)
    process.setInputChannelMode(QProcess.InputChannelMode.ForwardedInputChannel)

    def end(problem: str) -> None:
        if not ended.done():
            ended.set_result(problem)

    def finish(code: int) -> None:
        end(f"It ended with {code}." if code else "")

    process.finished.connect(finish)
    process.errorOccurred.connect(lambda: end(process.errorString()))
    process.start(command[0], list(command[1:]))
    problem = await ended
    took_ms = round((time.monotonic() - begun) * 1_000)
    return TestOutcome(file=command[0], name=" ".join(command), problem=problem, took_ms=took_ms)
