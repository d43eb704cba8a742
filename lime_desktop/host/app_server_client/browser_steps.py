"""Asks the App Server for the steps that agents want taken in web pages, as long as there is a window to show them in."""

import logging
from collections.abc import Awaitable, Callable

from lime_desktop.background.tasks import BackgroundTasks
from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.protocol.calls.browser import (
    ANSWER_BROWSER_STEP,
    NEXT_BROWSER_STEP,
    AnswerBrowserStepParams,
    BrowserStep,
    NextBrowserStepParams,
)
from lime_desktop.protocol.errors import AppError

_log = logging.getLogger(__name__)

_ASK_S = 60.0
"""Longer than the server waits for a step to come."""

TakeStep = Callable[[BrowserStep], Awaitable[AnswerBrowserStepParams]]


class BrowserSteps:
    """One conversation about steps; begun anew with each server."""

    def __init__(self, call: CallServer, take: TakeStep) -> None:
        self._call = call
        self._take = take
        self._tasks = BackgroundTasks(_log, AppError)
        self._is_asking = False

    def start(self) -> None:
        """Ask from now on, unless somebody does already."""
        if not self._is_asking:
            self._is_asking = True
            self._tasks.spawn(self._ask())

    async def close(self) -> None:
        """Ask no more, and take no step to its end."""
        await self._tasks.cancel()

    async def _ask(self) -> None:
        try:
            while True:
                found = await self._call(
                    NEXT_BROWSER_STEP, NextBrowserStepParams(), timeout_s=_ASK_S
                )
                if found.step is not None:
                    self._tasks.spawn(self._carry_out(found.step))
        finally:
            # The server went away: whoever hears of the next one starts again.
            self._is_asking = False

    async def _carry_out(self, step: BrowserStep) -> None:
        await self._call(ANSWER_BROWSER_STEP, await self._take(step))
