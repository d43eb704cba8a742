"""One failing close keeps no other from closing (a bug demanded it)."""

import asyncio
import logging

import pytest

from lime_desktop.background.tasks import BackgroundTasks, close_all

LOG = logging.getLogger("tests.background")


def test_whatever_fails_the_rest_is_closed_and_the_failure_is_raised(
    caplog: pytest.LogCaptureFixture,
) -> None:
    closed: list[str] = []

    async def slowly() -> None:
        await asyncio.sleep(0)
        closed.append("slowly")

    def fail() -> None:
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="full"):
        asyncio.run(close_all(lambda: closed.append("first"), fail, slowly))
    assert closed == ["first", "slowly"]
    assert [record.levelname for record in caplog.records] == ["ERROR"]


def test_several_failures_are_raised_together() -> None:
    def fail() -> None:
        raise OSError("no")

    with pytest.raises(BaseExceptionGroup) as raised:
        asyncio.run(close_all(fail, fail))
    assert len(raised.value.exceptions) == 2


def test_work_in_the_background_that_fails_is_logged_and_told(
    caplog: pytest.LogCaptureFixture,
) -> None:
    told: list[Exception] = []

    async def fail() -> None:
        await asyncio.sleep(0)
        raise OSError("the disk is full")

    async def scene() -> None:
        tasks = BackgroundTasks(LOG)
        tasks.spawn(fail(), told.append)
        tasks.spawn(fail())
        await tasks.finish(5)
        assert len(tasks) == 0

    asyncio.run(scene())
    assert [str(error) for error in told] == ["the disk is full"]
    assert [record.levelname for record in caplog.records] == ["WARNING", "WARNING"]


def test_a_bug_in_the_background_is_logged_with_its_traceback(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def bug() -> None:
        raise ZeroDivisionError

    async def scene() -> None:
        tasks = BackgroundTasks(LOG)
        tasks.spawn(bug())
        await tasks.finish(5)

    asyncio.run(scene())
    assert [record.levelname for record in caplog.records] == ["ERROR"]
    assert caplog.records[0].exc_info is not None


def test_work_that_takes_too_long_is_ended_and_told_to_nobody() -> None:
    told: list[Exception] = []

    async def scene() -> None:
        tasks = BackgroundTasks(LOG)
        tasks.spawn(asyncio.Event().wait(), told.append)
        await tasks.finish(0.01)
        tasks.spawn(asyncio.Event().wait(), told.append)
        await tasks.cancel()
        assert len(tasks) == 0

    asyncio.run(scene())
    assert not told
