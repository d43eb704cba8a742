"""A developer's own program that tests the open app from outside, over the debugging port."""

import asyncio
import time

from PySide6.QtCore import QProcess

from lime_desktop.developer.testing.outcomes import TestOutcome


async def run_outside(command: tuple[str, ...]) -> TestOutcome:
    """Run a program to its end; what it says goes where this program's words go."""
    begun = time.monotonic()
    ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    process = QProcess()
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
