"""Tasks that nobody awaits: what fails in one is logged and told, and they end with their owner."""

import asyncio
import logging

import pytest

from lime_desktop.background.tasks import BackgroundTasks

LOG = logging.getLogger(__name__)


async def _fail() -> None:
    await asyncio.sleep(0)
    raise RuntimeError("broken")


def test_what_fails_is_logged_with_what_it_was_about_and_told(
    caplog: pytest.LogCaptureFixture,
) -> None:
    told: list[Exception] = []

    async def scene() -> None:
        tasks = BackgroundTasks(LOG)
        tasks.spawn(_fail(), told.append, about={"appId": "notes"})
        await tasks.finish()

    with caplog.at_level(logging.WARNING):
        asyncio.run(scene())
    assert [str(error) for error in told] == ["broken"]
    (record,) = caplog.records
    assert record.exc_info is not None
    assert vars(record)["appId"] == "notes"


def test_without_a_time_limit_what_is_under_way_ends_by_itself() -> None:
    done: list[str] = []

    async def scene() -> None:
        tasks = BackgroundTasks(LOG)
        go_on = asyncio.Event()

        async def work() -> None:
            await go_on.wait()
            done.append("done")

        tasks.spawn(work())
        asyncio.get_running_loop().call_later(0.01, go_on.set)
        async with asyncio.timeout(5):
            await tasks.finish()

    asyncio.run(scene())
    assert done == ["done"]


def test_what_a_closed_loop_left_is_cancelled_by_nobody() -> None:
    """A bug: a widget that went after the loop had ended gave a traceback at the program's end."""
    loop = asyncio.new_event_loop()
    tasks = BackgroundTasks(logging.getLogger(__name__))

    async def begin() -> None:
        tasks.spawn(asyncio.Event().wait())
        await asyncio.sleep(0)

    loop.run_until_complete(begin())
    [task] = asyncio.all_tasks(loop)
    loop.close()
    tasks.cancel_soon()
    assert not task.cancelling()
