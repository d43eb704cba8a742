"""Two connections made one: what comes in on either goes out on the other."""

import asyncio
import contextlib
from collections.abc import Callable

CHUNK_BYTES = 64 * 1024
"""As much as is read at once, and kept for a side that reads slowly."""

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Count = Callable[[int], None]


async def join(
    near: Streams,
    far: Streams,
    *,
    idle_s: float | None = None,
    sent: Count = lambda _: None,
    received: Count = lambda _: None,
) -> None:
    """Pass bytes both ways until the far side ends, then close it.

    The near side may end its half and still listen; once the far side ends, there is nothing left to hear.
    """
    up = asyncio.ensure_future(_pump(near[0], far[1], idle_s, sent))
    down = asyncio.ensure_future(_pump(far[0], near[1], idle_s, received))
    try:
        await down
    finally:
        for task in (up, down):
            task.cancel()
        await asyncio.gather(up, down, return_exceptions=True)
        far[1].close()


async def _pump(
    source: asyncio.StreamReader, sink: asyncio.StreamWriter, idle_s: float | None, count: Count
) -> None:
    with contextlib.suppress(OSError, TimeoutError):
        while True:
            async with asyncio.timeout(idle_s):
                data = await source.read(CHUNK_BYTES)
            if not data:
                break
            count(len(data))
            sink.write(data)
            await sink.drain()
        if sink.can_write_eof():
            sink.write_eof()
