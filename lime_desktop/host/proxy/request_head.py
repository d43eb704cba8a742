"""The head of a request to the proxy: read strictly, and written anew without what was meant for the proxy."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from lime_desktop.network.hosts import parse_host

MAX_HEAD_BYTES = 64 * 1024
_REQUEST = re.compile(r"([A-Z]+) (\S+) HTTP/1\.[01]\Z")
_HEADER = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+:")
_FOR_THE_PROXY = {"proxy-authorization", "proxy-connection", "connection", "keep-alive", "upgrade"}


class BadRequest(ValueError):
    """Not a request that a web engine would send to a proxy."""


@dataclass(frozen=True, slots=True)
class RequestHead:
    """What is asked, for which host."""

    method: str
    host: str
    port: int
    path: str
    """For plain requests: what the server is asked for. Empty for tunnels."""
    headers: Sequence[str]
    """The header lines as they came."""

    @property
    def is_tunnel(self) -> bool:
        """Whether everything after the head is passed on unread."""
        return self.method == "CONNECT"

    @property
    def authorization(self) -> str | None:
        """What the client shows of itself."""
        for line in self.headers:
            name, _, value = line.partition(":")
            if name.lower() == "proxy-authorization":
                return value.strip()
        return None

    def for_server(self) -> bytes:
        """The head as the server gets it: one request per connection, nothing of the proxy in it."""
        kept = [
            line for line in self.headers if line.partition(":")[0].lower() not in _FOR_THE_PROXY
        ]
        lines = [f"{self.method} {self.path} HTTP/1.1", *kept, "Connection: close", "", ""]
        return "\r\n".join(lines).encode("latin-1")


async def read_head(reader: asyncio.StreamReader) -> RequestHead | None:
    """Read one head; None when the client left without a word."""
    try:
        raw = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError as error:
        if not error.partial:
            return None
        raise BadRequest("half a head") from None
    except asyncio.LimitOverrunError:
        raise BadRequest("a head without end") from None
    return parse_head(raw.decode("latin-1"))


def parse_head(text: str) -> RequestHead:
    """Read the text of a head."""
    first, *headers = text.removesuffix("\r\n\r\n").split("\r\n")
    match = _REQUEST.match(first)
    if match is None or not all(_HEADER.match(line) for line in headers):
        raise BadRequest("not a request")
    method, target = match.groups()
    if method == "CONNECT":
        host, port = _read_authority(target)
        return RequestHead(method, host, port, "", headers)
    return _plain(method, target, headers)


def _plain(method: str, target: str, headers: Sequence[str]) -> RequestHead:
    parts = urlsplit(target)
    if parts.scheme.lower() != "http" or not parts.netloc:
        raise BadRequest("a plain request names its whole address")
    host, port = _read_authority(parts.netloc if ":" in parts.netloc else f"{parts.netloc}:80")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return RequestHead(method, host, port, path, headers)


def _read_authority(authority: str) -> tuple[str, int]:
    host, _, port = authority.rpartition(":")
    plain = parse_host(host)
    if plain is None or not (port.isascii() and port.isdigit() and int(port[:6]) <= 65535):
        raise BadRequest("not a host and a port")
    return plain, int(port)
