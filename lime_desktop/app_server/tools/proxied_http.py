"""Requests in an app's name, through the host's proxy: each is judged there once more, and counted in the person's ledger.

Where the host gave no way to its proxy, nothing is sent. No cookie is kept and no redirect is followed.
"""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lime_desktop import __version__
from lime_desktop.app_server.secrets.opened_values import OpenedValues
from lime_desktop.protocol.calls.apps import RegisteredNetwork
from lime_desktop.protocol.errors import (
    AppError,
    CapabilityNotAvailable,
    PermissionDenied,
    ToolCallFailed,
    UntrustedUrl,
)

if TYPE_CHECKING:
    import httpcore

MAX_BODY_BYTES = 2 * 1024 * 1024
TIMEOUT_S = 30.0
NO_WAY_OUT = "The host gave no way to the network, and past its ledger nothing is fetched."
_AGENT = f"lime-desktop/{__version__}"


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """What is sent."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes | None = None

    def with_headers(self, headers: Mapping[str, str]) -> "HttpRequest":
        """The same with these headers."""
        return replace(self, headers=headers)


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """What came back, with headers by their names in small letters."""

    status: int
    headers: dict[str, str]
    body: bytes
    is_cut: bool

    @property
    def media_type(self) -> str:
        """What the body is, without its details."""
        return self.headers.get("content-type", "text/plain").partition(";")[0].strip().lower()

    def text(self) -> str:
        """The body as text, whatever it is."""
        return self.body.decode(_charset(self.headers), "replace")


class ProxiedHttp:
    """One exchange, which may have several requests."""

    def __init__(self, pool: "httpcore.AsyncConnectionPool") -> None:
        self._pool = pool

    async def send(self, request: HttpRequest) -> HttpAnswer:
        """Send one request.

        Raises:
            PermissionDenied: the proxy does not let the app reach this place.
            UntrustedUrl: it leads into the own machine or network.
        """
        named = {"User-Agent": _AGENT, **request.headers}
        headers = [(name.encode(), value.encode()) for name, value in named.items()]
        async with self._pool.stream(
            request.method, request.url, headers=headers, content=request.body
        ) as response:
            body = bytearray()
            async for piece in response.aiter_stream():
                body += piece
                if len(body) > MAX_BODY_BYTES:
                    break
            found = {
                name.decode("latin-1").lower(): value.decode("latin-1")
                for name, value in response.headers
            }
            is_cut = len(body) > MAX_BODY_BYTES
            answer = HttpAnswer(response.status, found, bytes(body[:MAX_BODY_BYTES]), is_cut)
        if (said := answer.headers.get("proxy-status", "")).startswith("lime-desktop;"):
            raise _refused_by_proxy(said)
        return answer


@asynccontextmanager
async def proxied_http(
    network: RegisteredNetwork | None, shown: OpenedValues
) -> AsyncGenerator[ProxiedHttp]:
    """Open the way out, for a limited time. What fails says nothing of what was shown to the other side.

    Raises:
        CapabilityNotAvailable: there is no way out.
        ToolCallFailed: the other side could not be reached, or did not answer.
    """
    # Imported here: every start of the server would pay for it, and few turns fetch anything.
    import httpcore  # noqa: PLC0415

    if network is None:
        raise CapabilityNotAvailable(NO_WAY_OUT)
    try:
        async with (
            asyncio.timeout(TIMEOUT_S),
            httpcore.AsyncHTTPProxy(
                proxy_url=f"http://127.0.0.1:{network.proxy_port}",
                proxy_auth=(network.user, network.proof.get_secret_value()),
            ) as pool,
        ):
            yield ProxiedHttp(pool)
    except TimeoutError:
        raise ToolCallFailed(f"The server did not answer within {TIMEOUT_S:g} s.") from None
    except httpcore.ProxyError as error:
        raise _refused_by_proxy(str(error)) from None
    except (httpcore.NetworkError, httpcore.ProtocolError) as error:
        said = shown.hide(str(error))
        raise ToolCallFailed(f"The server could not be reached: {said}") from None


def _refused_by_proxy(said: str) -> AppError:
    """What the host's proxy said instead of the server: as a status of a tunnel, or in a header of its own."""
    words = said.lower().replace(" ", "-")
    if "not-granted" in words:
        return PermissionDenied("The host's proxy does not let the app reach this address.")
    if "private-address" in words:
        return UntrustedUrl("This address leads into the own machine or network.")
    return ToolCallFailed("The server could not be reached.")


def _charset(headers: Mapping[str, str]) -> str:
    stated = headers.get("content-type", "").partition("charset=")[2].strip(" \"'") or "utf-8"
    try:
        "".encode(stated)
    except (LookupError, UnicodeError):
        return "utf-8"
    return stated
