"""What others wrote is read again and again, whatever became of one reading."""

import asyncio

from lime_desktop.host.app_center.background_work import PeriodicRefresh
from lime_desktop.protocol.errors import InvalidInput
from tests.app_server.bounded import run


def test_a_reading_that_fails_is_not_the_last() -> None:
    """An organisation's rules that could not be read once hold from the next reading on."""

    async def scene() -> None:
        failures = [OSError("gone"), RuntimeError("unexpected"), InvalidInput("unreadable")]
        has_read = asyncio.Event()

        async def read() -> None:
            if failures:
                raise failures.pop()
            has_read.set()

        reading = PeriodicRefresh(read, 0)
        reading.start()
        await has_read.wait()
        await reading.stop()

    run(scene())
