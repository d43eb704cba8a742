"""Reads one request from a stranger: a POST with a length, bounded in every part. Knows no app."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import urlsplit

MOST_HEAD_BYTES = 16 * 1024
MOST_BODY_BYTES = 256 * 1024
READ_S = 10.0
_LEAVE_S = 2.0
_KEPT_HEADERS = frozenset(
    {
        *("content-type", "date", "idempotency-key", "user-agent"),
        *("webhook-id", "webhook-timestamp", "x-request-id"),
    }
)
NEVER_KEPT = frozenset({"authorization", "cookie", "proxy-authorization", "set-cookie"})
"""Credentials of whoever sends: they are no business of the app's, whatever its manifest asks for."""
_LONGEST_HEADER = 500


class Refused(Exception):
    """The request is turned away; nothing of it is kept."""

    def __init__(self, status: HTTPStatus, retry_after_s: int | None = None) -> None:
        super().__init__(status.phrase)
        self.status = status
        self.retry_after_s = retry_after_s


@dataclass(frozen=True, slots=True)
class RequestHead:
    """The line and the headers; their names in small letters, a name that comes twice with its values joined."""

    method: str
    path: str
    headers: dict[str, str]

    @property
    def length(self) -> int:
        """How long the body is.

        Raises:
            Refused: it does not say, or is longer than a message may be.
        """
        written = self.headers.get("content-length", "")
        if "transfer-encoding" in self.headers or not (written.isascii() and written.isdigit()):
            raise Refused(HTTPStatus.LENGTH_REQUIRED)
        if len(written) > len(str(MOST_BODY_BYTES)) or int(written) > MOST_BODY_BYTES:
            raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        return int(written)

    def kept(self, wanted: tuple[str, ...], signature: str | None) -> dict[str, str]:
        """The headers that go into the queue: a few of everybody's and those that the manifest names."""
        names = _KEPT_HEADERS | {each.lower() for each in wanted}
        names -= NEVER_KEPT | ({signature.lower()} if signature else set())
        return {
            name: value[:_LONGEST_HEADER]
            for name, value in self.headers.items()
            if name in names and value.isprintable()
        }


async def read_head(reader: asyncio.StreamReader) -> RequestHead:
    """The beginning of a request.

    Raises:
        Refused: it is none, or takes too long.
    """
    try:
        async with asyncio.timeout(READ_S):
            raw = await reader.readuntil(b"\r\n\r\n")
    except TimeoutError:
        raise Refused(HTTPStatus.REQUEST_TIMEOUT) from None
    except asyncio.LimitOverrunError:
        raise Refused(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE) from None
    except (asyncio.IncompleteReadError, ConnectionError):
        raise Refused(HTTPStatus.BAD_REQUEST) from None
    first, *lines = raw.decode("latin-1").removesuffix("\r\n\r\n").split("\r\n")
    words = first.split(" ")
    if len(words) != 3 or not words[2].startswith("HTTP/1."):
        raise Refused(HTTPStatus.BAD_REQUEST)
    try:
        path = urlsplit(words[1]).path
    except ValueError:
        raise Refused(HTTPStatus.BAD_REQUEST) from None
    return RequestHead(words[0], path, _headers(lines))


async def read_body(reader: asyncio.StreamReader, length: int) -> bytes:
    """As many bytes as were announced.

    Raises:
        Refused: they did not come, or not in time.
    """
    try:
        async with asyncio.timeout(READ_S):
            return await reader.readexactly(length)
    except TimeoutError:
        raise Refused(HTTPStatus.REQUEST_TIMEOUT) from None
    except (asyncio.IncompleteReadError, ConnectionError):
        raise Refused(HTTPStatus.BAD_REQUEST) from None


async def discard(reader: asyncio.StreamReader) -> None:
    """Let a sender finish that goes on to send, for a while: cut off at once, it would not read why it was refused."""
    left = 4 * MOST_BODY_BYTES
    with suppress(TimeoutError):
        async with asyncio.timeout(_LEAVE_S):
            while left > 0 and (more := await reader.read(64 * 1024)):
                left -= len(more)


def _headers(lines: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon or not name or name != name.strip():
            raise Refused(HTTPStatus.BAD_REQUEST)
        name = name.lower()
        # Two lengths or signatures would be read as one by us and as the other by whoever stands before us.
        found[name] = f"{found[name]}, {value.strip()}" if name in found else value.strip()
    return found


def answer(status: HTTPStatus, retry_after_s: int | None = None) -> bytes:
    """What the sender hears: a number, and nothing of the inside."""
    lines = [
        f"HTTP/1.1 {status.value} {status.phrase}",
        "Content-Length: 0",
        "Cache-Control: no-store",
        "Connection: close",
    ]
    if retry_after_s is not None:
        lines.append(f"Retry-After: {retry_after_s}")
    return "\r\n".join((*lines, "", "")).encode()
