"""Who answers for one end of a conversation, and in which forms an answer may come."""

from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import msgspec


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer that needed no waiting."""

    result: object


Work: TypeAlias = Coroutine[Any, Any, object]
"""An answer on its way: its result can be encoded, and it raises `RpcError` to say no."""


class Receiver(Protocol):
    """Who answers for this end. Only ``request`` may raise, and only `RpcError`."""

    def request(self, method: str, params: msgspec.Raw) -> Work | Answered:
        """Answer a request with something `msgspec` can encode, at once or later; `read_value` reads its params.

        Called in the order of arrival; coroutines run beside each other.
        """
        ...

    def notification(self, method: str, params: object) -> None:
        """Take a notification. Called in the order of arrival, before any later request."""
        ...

    def room_returned(self) -> None:
        """Learn that `Peer.try_notify` will work again after it said no."""
        ...

    def connection_lost(self) -> None:
        """Learn that nothing more will come or go."""
        ...
