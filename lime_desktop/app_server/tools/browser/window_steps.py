"""Hands steps to the window that shows a browser, and waits for what came of them. The window asks; nobody can be asked who does not.

Without a window there is no session: an agent's page is nothing that goes on unseen.
"""

import asyncio
import time
from collections import deque

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.protocol.calls.browser import (
    AnswerBrowserStepParams,
    AnswerBrowserStepResult,
    BrowserStep,
    NextBrowserStepParams,
    NextBrowserStepResult,
)
from lime_desktop.protocol.errors import CapabilityNotAvailable, ToolCallFailed

NO_WINDOW = "No window is open that could show the page: a browser session is never unseen."
NO_WINDOW_CODE = "browser_unavailable"
_WAIT_S = 20.0
"""How long the window waits before it asks again."""
_AWAY_S = 5.0
"""A window that has not asked for so long is gone; between two questions it takes milliseconds."""
STEP_S = 90.0
"""Longer than the window takes before it gives a step up."""


class WindowSteps:
    """The steps of all sessions on their way to the one window, and back."""

    def __init__(self) -> None:
        self._waiting: deque[BrowserStep] = deque()
        self._answers: dict[str, asyncio.Future[AnswerBrowserStepParams]] = {}
        self._came = asyncio.Event()
        self._asking = 0
        self._asked_at = -_AWAY_S

    @property
    def is_watched(self) -> bool:
        """Whether there is a window."""
        return self._asking > 0 or time.monotonic() - self._asked_at < _AWAY_S

    async def next(
        self, params: NextBrowserStepParams, context: CallContext
    ) -> NextBrowserStepResult:
        """The next step for the window, as soon as there is one."""
        del params, context
        self._asking += 1
        try:
            async with asyncio.timeout(_WAIT_S):
                while not self._waiting:
                    self._came.clear()
                    await self._came.wait()
            return NextBrowserStepResult(step=self._waiting.popleft())
        except TimeoutError:
            return NextBrowserStepResult()
        finally:
            self._asking -= 1
            self._asked_at = time.monotonic()

    async def answer(
        self, params: AnswerBrowserStepParams, context: CallContext
    ) -> AnswerBrowserStepResult:
        """Take what came of a step."""
        del context
        waiting = self._answers.get(params.step_id)
        if waiting is None or waiting.done():
            return AnswerBrowserStepResult(was_awaited=False)
        waiting.set_result(params)
        return AnswerBrowserStepResult(was_awaited=True)

    async def take(self, step: BrowserStep) -> AnswerBrowserStepParams:
        """Have a step taken.

        Raises:
            CapabilityNotAvailable: there is no window.
            ToolCallFailed: it did not answer in time.
        """
        if not self.is_watched:
            raise CapabilityNotAvailable(NO_WINDOW, details={"reasonCode": NO_WINDOW_CODE})
        waiting = self._answers[step.step_id] = asyncio.get_running_loop().create_future()
        self._put(step)
        try:
            async with asyncio.timeout(STEP_S):
                return await waiting
        except TimeoutError:
            raise ToolCallFailed("The window did not take the step in time.") from None
        finally:
            del self._answers[step.step_id]
            if step in self._waiting:
                self._waiting.remove(step)

    def send(self, step: BrowserStep) -> None:
        """Have a step taken that nobody waits for."""
        if self.is_watched:
            self._put(step)

    def _put(self, step: BrowserStep) -> None:
        self._waiting.append(step)
        self._came.set()
