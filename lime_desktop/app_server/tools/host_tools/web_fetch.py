"""Reads a page for an agent: only from the domains that the app declared and a person granted, through the host's proxy.

The proxy counts every byte in the app's name; where the host gave no way to it, nothing is fetched. No cookie and no
credential is sent. A redirect to another host is not followed but told: the agent may ask for that
address, and policy is asked with it.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from lime_desktop import __version__
from lime_desktop.app_server.apps.registered import RegisteredApp
from lime_desktop.app_server.runtime_core.backend import TurnRequest
from lime_desktop.app_server.tools.answer_mailbox import AnswerMailbox
from lime_desktop.app_server.tools.catalogue import PolicyAsk, Tool, ToolRow
from lime_desktop.app_server.tools.host_tools.page_text import text_of_page
from lime_desktop.app_server.tools.tooling import ToolCall, ToolOutcome
from lime_desktop.network.hosts import parse_host
from lime_desktop.policy.call import Target
from lime_desktop.protocol.calls.apps import RegisteredNetwork
from lime_desktop.protocol.errors import (
    AppError,
    CapabilityNotAvailable,
    PermissionDenied,
    ToolCallFailed,
    UntrustedUrl,
)
from lime_desktop.protocol.ids import JsonObject

if TYPE_CHECKING:
    import httpcore

MAX_BODY_BYTES = 2 * 1024 * 1024
MAX_REDIRECTS = 5
TIMEOUT_S = 30.0
_READABLE = ("text/", "application/json", "application/xml", "application/xhtml+xml")
_HEADERS = [
    (b"User-Agent", f"lime-desktop/{__version__}".encode()),
    (b"Accept", b"text/html, application/xhtml+xml, application/json, text/*;q=0.9, */*;q=0.1"),
]

_ROW = ToolRow(
    name="web_fetch",
    title="Read a web page",
    description="Fetch a web page or document by its address and give its text. Only domains granted to the app work.",
    input_schema={
        "type": "object",
        "properties": {"url": {"type": "string", "pattern": "^https?://", "maxLength": 4_000}},
        "required": ["url"],
        "additionalProperties": False,
    },
    keywords=("web", "http", "page", "download", "网页", "网站"),
    is_read_only=True,
    is_declared=False,
)


@dataclass(frozen=True, slots=True)
class _Answer:
    status: int
    headers: dict[str, str]
    body: bytes
    is_cut: bool


_NO_WAY_OUT = "The host gave no way to the network, and past its ledger nothing is fetched."


class WebFetch:
    """The tool in the hands of one app."""

    def __init__(self, network: RegisteredNetwork | None) -> None:
        self._network = network
        self.row = _ROW if network else replace(_ROW, unavailable_reason=_NO_WAY_OUT)

    def asks(self, arguments: JsonObject) -> PolicyAsk:
        """The right to invoke tools, and the domain."""
        url = arguments.get("url")
        targets = (Target("domain", url),) if isinstance(url, str) else ()
        return PolicyAsk(capability="lime.tools", method="invoke", targets=targets)

    async def run(self, call: ToolCall, mailbox: AnswerMailbox) -> AsyncIterator[ToolOutcome]:
        """Fetch, follow redirects on the same host, and give the text."""
        # Imported here: every start of the server would pay for it, and few turns fetch a page.
        import httpcore  # noqa: PLC0415

        del mailbox
        url = str(call.arguments["url"])
        try:
            async with asyncio.timeout(TIMEOUT_S), self._pool() as pool:
                outcome = await self._fetch(pool, call.call_id, url)
        except TimeoutError:
            raise ToolCallFailed(f"The page did not come within {TIMEOUT_S:g} s.") from None
        except httpcore.ProxyError as error:
            raise _refused_by_proxy(str(error)) from None
        except (httpcore.NetworkError, httpcore.ProtocolError) as error:
            raise ToolCallFailed(f"The page could not be fetched: {error}") from None
        yield outcome

    async def _fetch(
        self, pool: "httpcore.AsyncConnectionPool", call_id: str, url: str
    ) -> ToolOutcome:
        for _ in range(MAX_REDIRECTS):
            answer = await _get(pool, url)
            if (said := answer.headers.get("proxy-status", "")).startswith("lime-desktop;"):
                raise _refused_by_proxy(said)
            if not 300 <= answer.status < 400 or "location" not in answer.headers:
                # A long page takes a while to be read, and others have questions too.
                return await asyncio.to_thread(_outcome, call_id, url, answer)
            following = _redirect(url, answer.headers["location"])
            if parse_host(following) != parse_host(url):
                text = f"{url} leads to {following}, on another host. Fetch that address if it is wanted."
                return ToolOutcome(call_id, text, refs=(url,))
            url = following
        return _failed(call_id, "The page leads from one address to the next without end.")

    def _pool(self) -> "httpcore.AsyncHTTPProxy":
        import httpcore  # noqa: PLC0415 - likewise

        if self._network is None:
            raise CapabilityNotAvailable(_NO_WAY_OUT)
        return httpcore.AsyncHTTPProxy(
            proxy_url=f"http://127.0.0.1:{self._network.proxy_port}",
            proxy_auth=(self._network.user, self._network.proof.get_secret_value()),
        )


async def _get(pool: "httpcore.AsyncConnectionPool", url: str) -> _Answer:
    async with pool.stream("GET", url, headers=_HEADERS) as response:
        body = bytearray()
        async for piece in response.aiter_stream():
            body += piece
            if len(body) > MAX_BODY_BYTES:
                break
        headers = {
            name.decode("latin-1").lower(): value.decode("latin-1")
            for name, value in response.headers
        }
        is_cut = len(body) > MAX_BODY_BYTES
        return _Answer(response.status, headers, bytes(body[:MAX_BODY_BYTES]), is_cut)


def _redirect(url: str, location: str) -> str:
    try:
        return urljoin(url, location)
    except ValueError:
        raise ToolCallFailed("The page leads to something that is no address.") from None


def _refused_by_proxy(said: str) -> AppError:
    """What the host's proxy said instead of the server: as a status of a tunnel, or in a header of its own."""
    words = said.lower().replace(" ", "-")
    if "not-granted" in words:
        return PermissionDenied("The host's proxy does not let the app reach this address.")
    if "private-address" in words:
        return UntrustedUrl("This address leads into the own machine or network.")
    return ToolCallFailed("The server could not be reached.")


def _outcome(call_id: str, url: str, answer: _Answer) -> ToolOutcome:
    kind = answer.headers.get("content-type", "text/plain").partition(";")[0].strip().lower()
    if answer.status >= 400:
        return _failed(call_id, f"The server answered with status {answer.status}.")
    if not kind.startswith(_READABLE):
        return _failed(call_id, f"The address holds {kind}, which is no text.")
    text = answer.body.decode(_charset(answer.headers), "replace")
    if "html" in kind:
        text = text_of_page(text)
    if answer.is_cut:
        text += "\n(The rest was left out: the page is too long.)"
    return ToolOutcome(call_id, text, refs=(url,))


def _charset(headers: dict[str, str]) -> str:
    stated = headers.get("content-type", "").partition("charset=")[2].strip(" \"'") or "utf-8"
    try:
        "".encode(stated)
    except (LookupError, UnicodeError):
        return "utf-8"
    return stated


def _failed(call_id: str, text: str) -> ToolOutcome:
    return ToolOutcome(call_id, text, is_error=True)


class WebTools:
    """Gives the tool to apps that declare a network permission."""

    async def tools_for(self, app: RegisteredApp, request: TurnRequest) -> Sequence[Tool]:
        """One tool, or none."""
        del request
        is_online = any(permission.scope == "network" for permission in app.declared.permissions)
        return [WebFetch(app.registration.network)] if is_online else []
