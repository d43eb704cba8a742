"""Updates for a window: one thing at a time, off its thread, and everybody who looks is told how it stands.

A window subscribes to `observers` and draws `state`; it begins `check`, `download`, `roll_back` and `choose_channel`, which go on
when nobody looks any more. Observers are told on the event loop's own thread.
"""

import asyncio
import logging
import threading
from collections.abc import Callable, Coroutine
from typing import Any

from lime_desktop.background.observers import Observers
from lime_desktop.background.tasks import BackgroundTasks
from lime_desktop.shipping.refusals import UpdateRefused
from lime_desktop.shipping.states import (
    Checking,
    CheckResult,
    Downloading,
    Idle,
    Progress,
    Ready,
    Refused,
    UpdateState,
    UpdateStatus,
)
from lime_desktop.shipping.updates import Updates

_log = logging.getLogger(__name__)
_END_S = 10.0


class UpdateService:
    """The updates of this installation, as a window uses them."""

    def __init__(self, updates: Updates) -> None:
        self._updates = updates
        self._cancelled = threading.Event()
        self._turn = asyncio.Lock()
        self._tasks = BackgroundTasks(_log, UpdateRefused)
        self.observers: Observers[UpdateState] = Observers()
        pending = updates.status().pending
        self.state: UpdateState = Ready(pending) if pending else Idle()

    def status(self) -> UpdateStatus:
        """Version, channel and what can be gone back to. Reads a few small files."""
        return self._updates.status()

    def begin(self, work: Coroutine[Any, Any, CheckResult]) -> None:
        """Do one of the things below whether or not somebody goes on looking; observers hear how it goes."""
        self._tasks.spawn(work)

    async def close(self) -> None:
        """Stop what is under way; a download goes on from there the next time."""
        self.cancel()
        await self._tasks.finish(_END_S)

    async def check(self) -> CheckResult:
        """Ask what is new, and tell the observers."""
        async with self._turn:
            self._tell(Checking())
            result = await asyncio.to_thread(self._updates.check)
            self._tell(result)
            return result

    async def download(self, version: str) -> CheckResult:
        """Fetch the version that was offered; the answer is `Ready`, or why not."""
        async with self._turn:
            self._cancelled.clear()
            loop = asyncio.get_running_loop()

            def notify(progress: Progress) -> None:
                loop.call_soon_threadsafe(self._tell_progress, Downloading(version, progress))

            self._tell(Downloading(version, Progress(0, 0)))
            result = await self._try(
                lambda: self._updates.apply(notify=notify, is_cancelled=self._cancelled.is_set)
            )
            self._tell(result)
            return result

    def cancel(self) -> None:
        """Stop the download; what came so far is used by the next."""
        self._cancelled.set()

    async def roll_back(self) -> CheckResult:
        """Have the version before started next; the answer is `Ready`, or why not."""
        async with self._turn:
            result = await self._try(lambda: Ready(self._updates.roll_back()))
            self._tell(result)
            return result

    async def choose_channel(self, name: str) -> CheckResult:
        """Follow another channel, and ask what is new there."""
        async with self._turn:
            try:
                await asyncio.to_thread(self._updates.choose_channel, name)
            except UpdateRefused as refused:
                result = Refused(refused.code, refused.reason)
                self._tell(result)
                return result
        return await self.check()

    async def _try(self, work: Callable[[], Ready]) -> CheckResult:
        try:
            return await asyncio.to_thread(work)
        except UpdateRefused as refused:
            return Refused(refused.code, refused.reason)

    def _tell_progress(self, state: Downloading) -> None:
        # What was on its way when the download ended says nothing any more.
        if isinstance(self.state, Downloading):
            self._tell(state)

    def _tell(self, state: UpdateState) -> None:
        self.state = state
        self.observers.notify(state)
