"""Counts what an HTTP client sends and receives in an app's name. Knows no protocol of models."""

from collections.abc import AsyncIterator
from typing import Any

import httpx2

from lime_desktop.app_server.traffic import CountTraffic, Traffic, place_of


def count_requests(client: httpx2.AsyncClient, app_id: str, count: CountTraffic) -> None:
    """From now on count every request of this client, heads and bodies, unless it stays on this machine."""

    async def before(request: httpx2.Request) -> None:
        place = place_of(str(request.url))
        if place is None:
            return

        async def on_trace(event: str, about: dict[str, Any]) -> None:
            # Only now: what reaches no server has not left. A proxy's own greeting is not the app's.
            if (
                event.endswith("send_request_body.started")
                and about["request"].method != b"CONNECT"
            ):
                await count(app_id, Traffic(place, requests=1, bytes_sent=_size_of(request)))

        request.extensions["trace"] = on_trace

    async def after(response: httpx2.Response) -> None:
        place = place_of(str(response.request.url))
        if place is not None and isinstance(response.stream, httpx2.AsyncByteStream):
            received = Traffic(place, bytes_received=_head_size(response.headers))
            response.stream = _CountedStream(response.stream, received, app_id, count)

    client.event_hooks["request"].append(before)
    client.event_hooks["response"].append(after)


class _CountedStream(httpx2.AsyncByteStream):
    """A body that is counted as it comes and told when it is closed, be it whole or not."""

    def __init__(
        self, stream: httpx2.AsyncByteStream, head: Traffic, app_id: str, count: CountTraffic
    ) -> None:
        self._stream = stream
        self._head = head
        self._app_id = app_id
        self._count = count
        self._size = 0

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self._stream:
            self._size += len(piece)
            yield piece

    async def aclose(self) -> None:
        """Let the connection go first: telling may wait for the disk."""
        await self._stream.aclose()
        received = self._head.bytes_received + self._size
        await self._count(self._app_id, Traffic(self._head.place, bytes_received=received))


def _size_of(request: httpx2.Request) -> int:
    return _head_size(request.headers) + int(request.headers.get("content-length", 0))


def _head_size(headers: httpx2.Headers) -> int:
    return sum(len(name) + len(value) + len(": \r\n") for name, value in headers.raw)
