"""Tasks that nobody awaits (kept alive, ended with their owner, failures logged), and closing several things in turn."""

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any

_log = logging.getLogger(__name__)

Failed = Callable[[Exception], None]
Close = Callable[[], Awaitable[object] | object]


class BackgroundTasks:
    """The tasks of one owner. What fails is logged, and told to whoever was named for it."""

    def __init__(self, log: logging.Logger, expected: type[Exception] = OSError) -> None:
        """Log in the owner's name; failures of the `expected` kind are no bugs and need no traceback."""
        self._log = log
        self._expected = expected
        self._tasks: set[asyncio.Task[object]] = set()

    def __len__(self) -> int:
        return len(self._tasks)

    def spawn(
        self,
        work: Coroutine[Any, Any, object],
        failed: Failed | None = None,
        about: Mapping[str, object] | None = None,
    ) -> asyncio.Task[object]:
        """Begin, and go on; `failed` hears of a failure, but not of a cancellation. `about` is for the log."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        # One that is cancelled before its first step never awaits what it was given.
        task.add_done_callback(lambda _task: work.close())
        task.add_done_callback(lambda task: self._done(task, failed, about))
        return task

    async def finish(self, timeout_s: float | None = None) -> None:
        """Wait for what is under way, and cancel what takes longer; without a time, it ends by itself."""
        if self._tasks:
            await asyncio.wait(tuple(self._tasks), timeout=timeout_s)
        await self.cancel()

    async def wait(self) -> None:
        """Wait for what is under way now; what is begun meanwhile goes on."""
        if self._tasks:
            await asyncio.wait(tuple(self._tasks))

    async def cancel(self) -> None:
        """End everything, and wait until it has ended."""
        tasks = tuple(self._tasks)
        self.cancel_soon()
        if tasks:
            await asyncio.wait(tasks)

    def cancel_soon(self) -> None:
        """End everything without waiting for it: for owners that go while no loop can be awaited."""
        for task in tuple(self._tasks):
            # A widget may outlive the loop. A closed one runs nothing any more, and Qt may have deleted what it ran by.
            if not task.get_loop().is_closed():
                task.cancel()

    def _done(
        self, task: asyncio.Task[object], failed: Failed | None, about: Mapping[str, object] | None
    ) -> None:
        self._tasks.discard(task)
        if task.cancelled() or (error := task.exception()) is None:
            return
        if isinstance(error, self._expected):
            self._log.warning("background work failed: %s", error, extra=about)
        else:
            self._log.error("background work failed", exc_info=error, extra=about)
        if failed is not None and isinstance(error, Exception):
            failed(error)


async def close_all(*closers: Close) -> None:
    """Call each in turn, and await what it returns; one that fails keeps no other from closing.

    Raises:
        BaseException: the one failure there was, or all of them in a group.
    """
    failures: list[BaseException] = []
    for close in closers:
        try:
            closing = close()
            if inspect.isawaitable(closing):
                await closing
        except BaseException as error:  # noqa: BLE001 - raised below, after the others had their turn
            _log.error("something could not be closed", exc_info=error)
            failures.append(error)
    if len(failures) == 1:
        raise failures[0]
    if failures:
        raise BaseExceptionGroup("several things could not be closed", failures)
