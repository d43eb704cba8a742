"""No provider's answer is without end: neither one line of it, nor the whole, nor what it would unpack to.

Whoever reads events gathers a line until it ends, and looks through what was gathered at each piece.
"""

from collections.abc import AsyncIterator

import httpx2

LONGEST_LINE_BYTES = 4 * 1024 * 1024
MOST_BYTES = 128 * 1024 * 1024


def bound_answers(client: httpx2.AsyncClient) -> None:
    """Break off every answer of this client that goes on for too long."""
    # What is packed cannot be measured as it comes.
    client.headers["Accept-Encoding"] = "identity"

    async def after(response: httpx2.Response) -> None:
        if response.headers.get("Content-Encoding", "identity").strip().lower() != "identity":
            raise httpx2.DecodingError("The answer is packed, unasked", request=response.request)
        if isinstance(response.stream, httpx2.AsyncByteStream):
            response.stream = _BoundedStream(response.stream, response.request)

    client.event_hooks["response"].append(after)


class _BoundedStream(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream, request: httpx2.Request) -> None:
        self._stream = stream
        self._request = request

    async def __aiter__(self) -> AsyncIterator[bytes]:
        line = whole = 0
        async for piece in self._stream:
            whole += len(piece)
            end = max(piece.rfind(b"\n"), piece.rfind(b"\r"))
            line = line + len(piece) if end < 0 else len(piece) - end - 1
            if line > LONGEST_LINE_BYTES or whole > MOST_BYTES:
                raise httpx2.ReadError("The answer goes on for too long", request=self._request)
            yield piece

    async def aclose(self) -> None:
        await self._stream.aclose()
