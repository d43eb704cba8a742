"""Close several things, each whatever became of the others."""

import inspect
import logging
from collections.abc import Awaitable, Callable

_log = logging.getLogger(__name__)

Close = Callable[[], Awaitable[object] | object]


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
