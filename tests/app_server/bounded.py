"""Run a test's coroutine to its end, on a machine of any speed."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

PATIENCE_S = 60.0
"""Only a hang takes this long; nothing here measures time."""


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run it, and fail where it hangs."""

    async def bounded() -> T:
        async with asyncio.timeout(PATIENCE_S):
            return await coroutine

    return asyncio.run(bounded())
