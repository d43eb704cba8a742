"""Ask a model until it answers, or until asking again makes no sense. Every wait is bounded and told."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import aclosing

from pydantic_ai.messages import ModelResponse

from lime_desktop.app_server.execution.model_engine.failures import Failure
from lime_desktop.app_server.execution.model_engine.rounds import (
    Question,
    RoundFailedError,
    stream_round,
)
from lime_desktop.background.back_off import BackOff
from lime_desktop.protocol.calls.model_providers import ProviderLimits
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import ProposedEvent

_BACK_OFF = BackOff(first_s=0.75)
_MINUTE_S = 60.0
_AWAY = frozenset({"connection_refused", "address_unknown", "network_unreachable"})
_RETRIES_WHILE_AWAY = 1


class RequestPace:
    """How many requests the last minute saw: keeps a provider's limit before the provider has to."""

    def __init__(self) -> None:
        self._asked_at: deque[float] = deque()

    def wait_s(self, per_minute: int | None) -> float:
        """How long to wait before the next request."""
        now = asyncio.get_running_loop().time()
        while self._asked_at and self._asked_at[0] <= now - _MINUTE_S:
            self._asked_at.popleft()
        if per_minute is None or len(self._asked_at) < per_minute:
            return 0.0
        return self._asked_at[-per_minute] + _MINUTE_S - now

    def note(self) -> None:
        """One request more."""
        self._asked_at.append(asyncio.get_running_loop().time())


async def ask(
    question: Question, about: JsonObject, limits: ProviderLimits, pace: RequestPace
) -> AsyncGenerator[ProposedEvent | ModelResponse]:
    """The facts of one round, and the answer last. Asked again only while nothing has been said.

    Raises:
        AppError: there is no answer to be had.
    """
    for attempt in range(limits.max_retries + 1):
        while (wait_s := pace.wait_s(limits.requests_per_minute)) > 0:
            yield _limited("settings", wait_s, attempt, will_retry=True)
            await asyncio.sleep(wait_s)
        pace.note()
        try:
            async with aclosing(stream_round(question, about)) as told:
                async for each in told:
                    yield each
        except RoundFailedError as failed:
            failure = failed.failure
            wait_s = _wait_after(failure, attempt)
            will_retry = (
                failure.may_pass
                and not failed.has_output
                and attempt < _retries(failure, limits)
                and wait_s <= limits.max_retry_wait_s
            )
            for fact in _facts(failure, wait_s, attempt, will_retry=will_retry):
                yield fact
            if not will_retry:
                raise failure.error from failed
            await asyncio.sleep(wait_s)
        else:
            return


def _retries(failure: Failure, limits: ProviderLimits) -> int:
    """Who is not there at all comes back within a moment, or not while a person waits."""
    is_away = failure.reason in _AWAY
    return min(limits.max_retries, _RETRIES_WHILE_AWAY) if is_away else limits.max_retries


def _wait_after(failure: Failure, attempt: int) -> float:
    if failure.retry_after_s is not None:
        return failure.retry_after_s
    return _BACK_OFF.wait_s(attempt + 1)


def _facts(
    failure: Failure, wait_s: float, attempt: int, *, will_retry: bool
) -> list[ProposedEvent]:
    facts: list[ProposedEvent] = []
    if failure.reason == "rate_limited":
        facts.append(_limited("provider", wait_s, attempt, will_retry=will_retry))
    if failure.reason == "quota_exhausted":
        payload: JsonObject = {"source": "provider", "reasonCode": failure.reason}
        facts.append(ProposedEvent(type="quota.blocked", payload=payload))
    if failure.reason == "context_too_long":
        state: JsonObject = {"kind": "context", "state": "exceeded", "source": "provider"}
        facts.append(ProposedEvent(type="limit.changed", payload=state, limit_state=state))
    if will_retry:
        waiting: JsonObject = {
            "phase": "retrying",
            "reasonCode": failure.reason,
            "attempt": attempt + 1,
            "waitMs": round(wait_s * 1000),
        }
        facts.append(ProposedEvent(type="run.status", phase="retrying", payload=waiting))
    return facts


def _limited(source: str, wait_s: float, attempt: int, *, will_retry: bool) -> ProposedEvent:
    payload: JsonObject = {
        "source": source,
        "retryAfterMs": round(wait_s * 1000),
        "attempt": attempt + 1,
        "willRetry": will_retry,
    }
    return ProposedEvent(type="rate_limit.hit", payload=payload)
