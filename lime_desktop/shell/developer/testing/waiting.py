"""Waiting for what nobody tells of: windows that open, questions that are asked, servers that start."""

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

_LOOK_S = 0.02


async def until(look: Callable[[], T], patience_s: float) -> T:
    """Look again and again until there is something, and give it; or what there is when patience ends."""
    deadline = time.monotonic() + patience_s
    while not (found := look()) and time.monotonic() < deadline:  # noqa: ASYNC110 - Qt says nothing of most of these
        await asyncio.sleep(_LOOK_S)
    return found
