"""Waits that share a timer are bounded as if each had its own (the architecture: every wait is bounded)."""

import asyncio
from collections.abc import Callable
from contextlib import closing
from contextvars import Context
from typing import Any, NoReturn

import pytest

from lime_desktop.host.app_server_client.connection import SharedTimeout


async def _forever() -> NoReturn:
    await asyncio.Event().wait()
    raise AssertionError("nobody sets it")


async def _value() -> int:
    return 7


def test_what_comes_in_time_is_given() -> None:
    assert asyncio.run(SharedTimeout(60).wait_for(_value())) == 7


def test_every_wait_that_takes_too_long_ends() -> None:
    async def scene() -> list[object]:
        patience = SharedTimeout(0.01)
        waits = [patience.wait_for(_forever()) for _ in range(3)]
        first = await asyncio.gather(*waits, patience.wait_for(_value()), return_exceptions=True)
        # The timer is gone by now: the next wait needs one again.
        return [
            *first,
            *await asyncio.gather(patience.wait_for(_forever()), return_exceptions=True),
        ]

    *early, value, late = asyncio.run(scene())
    assert value == 7
    assert [type(each) for each in (*early, late)] == [TimeoutError] * 4


def test_a_wait_that_is_cancelled_is_cancelled_and_not_late() -> None:
    async def scene() -> None:
        task = asyncio.ensure_future(SharedTimeout(60).wait_for(_forever()))
        await asyncio.sleep(0)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(scene())


class _CountingLoop(asyncio.SelectorEventLoop):
    """Counts the timers that are asked of it."""

    timers = 0

    def call_at(
        self,
        when: float,
        callback: Callable[..., object],
        *args: Any,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        self.timers += 1
        return super().call_at(when, callback, *args, context=context)


def test_a_thousand_waits_leave_one_timer() -> None:
    async def scene() -> None:
        patience = SharedTimeout(60)
        for _ in range(1_000):
            await patience.wait_for(_value())

    with closing(_CountingLoop()) as loop:
        loop.run_until_complete(scene())
        assert loop.timers == 1
