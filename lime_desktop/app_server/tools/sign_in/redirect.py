"""Hears the browser come back from a sign-in: one address on this machine, open until the one answer that fits has come."""

import asyncio
import hmac
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

_PATH = "/callback"
_MOST_HEAD_BYTES = 16 * 1024
_READ_S = 10.0
_PAGE = (
    "<!doctype html><meta charset=utf-8><title>Lime</title>"
    "<p>You can close this page and go back to Lime.<p>你可以关闭此页面，回到 Lime。"
)


@dataclass(frozen=True, slots=True)
class BrowserAnswer:
    """What the browser brought: a code, or why there is none."""

    code: str | None
    error: str | None = None


class RedirectListener:
    """One address of this machine, for one sign-in."""

    def __init__(self, state: str) -> None:
        self._state = state
        self.port = 0
        self.answer: asyncio.Future[BrowserAnswer] = asyncio.get_running_loop().create_future()

    @property
    def url(self) -> str:
        """Where the browser is to come back to."""
        return f"http://127.0.0.1:{self.port}{_PATH}"

    async def hear(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one request. What does not carry the right state changes nothing: any page can call this address."""
        try:
            async with asyncio.timeout(_READ_S):
                head = await reader.readuntil(b"\r\n\r\n")
        except (TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            writer.close()
            return
        found = self._read(head)
        status = "200 OK" if found else "404 Not Found"
        body = _PAGE.encode() if found else b""
        lines = (
            f"HTTP/1.1 {status}",
            "Content-Type: text/html; charset=utf-8",
            "Content-Security-Policy: default-src 'none'",
            "Referrer-Policy: no-referrer",
            "Cache-Control: no-store",
            f"Content-Length: {len(body)}",
            "Connection: close",
        )
        writer.write("\r\n".join((*lines, "", "")).encode() + body)
        try:
            await writer.drain()
        except ConnectionError:
            pass
        finally:
            writer.close()
        if found is not None and not self.answer.done():
            self.answer.set_result(found)

    def _read(self, head: bytes) -> BrowserAnswer | None:
        method, _, rest = head.decode("latin-1").partition(" ")
        target = urlsplit(rest.partition(" ")[0])
        if method != "GET" or target.path != _PATH:
            return None
        given = {name: values[0] for name, values in parse_qs(target.query).items()}
        if not hmac.compare_digest(given.get("state", "").encode(), self._state.encode()):
            return None
        return BrowserAnswer(given.get("code"), given.get("error"))


@asynccontextmanager
async def listen_for_redirect(state: str) -> AsyncGenerator[RedirectListener]:
    """Listen on this machine alone, at a port that was free."""
    listener = RedirectListener(state)
    server = await asyncio.start_server(listener.hear, "127.0.0.1", 0, limit=_MOST_HEAD_BYTES)
    async with server:
        listener.port = server.sockets[0].getsockname()[1]
        yield listener
