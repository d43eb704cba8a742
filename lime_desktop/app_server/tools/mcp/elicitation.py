"""What a tool server asks of a person while it works, and which call it belongs to. Knows neither people nor servers."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import mcp_types

_current: ContextVar["CallChannel | None"] = ContextVar("current_mcp_call", default=None)
_MAX_WAITING = 32


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a call is."""

    progress: float
    total: float | None
    message: str | None


@dataclass(frozen=True, slots=True)
class Asked:
    """A question for a person."""

    params: "mcp_types.ElicitRequestParams"
    answer: "asyncio.Future[mcp_types.ElicitResult]"


@dataclass(frozen=True, slots=True)
class Finished:
    """The call is over; its task has the result."""


Item: TypeAlias = Progress | Asked | Finished


class CallChannel:
    """What one call says on its way."""

    def __init__(self) -> None:
        self.items: asyncio.Queue[Item] = asyncio.Queue()

    async def on_progress(self, progress: float, total: float | None, message: str | None) -> None:
        """Pass progress on; what nobody has read yet is enough."""
        if self.items.qsize() < _MAX_WAITING:
            self.items.put_nowait(Progress(progress, total, message))


class ActiveCalls:
    """The calls that one server is working on."""

    def __init__(self) -> None:
        self._channels: list[CallChannel] = []

    @contextmanager
    def running(self, channel: CallChannel) -> Generator[None]:
        """A call, from its start to its end."""
        self._channels.append(channel)
        try:
            yield
        finally:
            self._channels.remove(channel)

    async def elicit(self, params: "mcp_types.ElicitRequestParams") -> "mcp_types.ElicitResult":
        """Put a question to the person behind the call that caused it."""
        import mcp_types  # noqa: PLC0415 - loaded with the first server

        channel = _current.get() or (self._channels[0] if len(self._channels) == 1 else None)
        if channel is None:
            # An older server does not say which call it asks for: nobody else's person is asked on suspicion.
            return mcp_types.ElicitResult(action="cancel")
        answer: asyncio.Future[mcp_types.ElicitResult] = asyncio.get_running_loop().create_future()
        channel.items.put_nowait(Asked(params, answer))
        return await answer


def speak_for(channel: CallChannel) -> None:
    """Mark the current task as the one that carries out a call."""
    _current.set(channel)
