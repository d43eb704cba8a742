"""An app's pages from a dev server: fetched by the host, and answered at the app's own origin behind its own headers.

The page never talks to the server except over the one socket that tells it what changed. Only the dev server's own
answers are taken: a redirect that leads elsewhere ends here.
"""

import contextlib
import json
import re
from collections.abc import Callable
from http.client import responses
from urllib.parse import urljoin

import httpcore

from lime_desktop.app_package.text.html_text import Text, read_html
from lime_desktop.developer.dev_server import DevServer
from lime_desktop.host.web_content.content_policy import mark_scripts
from lime_desktop.host.web_content.media_types import HTML
from lime_desktop.host.web_content.ui_bundle import Answer, PageRequest, UiBundle

_TIMEOUT_S = 30.0
"""A dev server may compile before it answers."""
_TIMEOUTS = {"connect": 5.0, "read": _TIMEOUT_S, "write": _TIMEOUT_S, "pool": _TIMEOUT_S}
_MOST_BYTES = 64 * 1024 * 1024
_MOST_HOPS = 5
_NO_ANSWER = "The dev server at {origin} does not answer."
_PLAIN = "text/plain; charset=utf-8"
_MESSAGE = re.compile(r'"message":("[^"\\]*+(?:\\.[^"\\]*+)*")')
"""Where Vite's page about an error has its words."""
_MOST_SAID_BYTES = 100_000
"""How much of a page about an error is looked through for its words."""
_MOST_WORDS = 400
_FAILURES = (httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException)


class DevServerPages:
    """Answers requests to an app's origin from its dev server."""

    def __init__(
        self,
        server: DevServer,
        tell_silent: Callable[[], None],
        tell_failed: Callable[[str, str], None],
    ) -> None:
        """Begin. `tell_silent` hears whenever the server does not answer; `tell_failed` of an error for a path, with its words."""
        self._server = server
        self._tell_silent = tell_silent
        self._tell_failed = tell_failed
        # Plain, and straight there: what the environment says of proxies is about the network, not this machine.
        self._pool = httpcore.AsyncConnectionPool(max_connections=16)

    async def answer(self, bundle: UiBundle, request: PageRequest) -> Answer:
        """Fetch what a page asks for."""
        try:
            response = await self._fetch(request)
        except _FAILURES:
            self._tell_silent()
            words = _NO_ANSWER.format(origin=self._server.origin)
            return bundle.answer_with(_PLAIN, words.encode(), request.byte_range)
        if response is None or response.status >= 400:
            self._tell_failed(request.target.partition("?")[0], _failure(response))
            return bundle.missing(request.byte_range)
        kind = _header(response, b"content-type") or _PLAIN
        body = response.content[:_MOST_BYTES]
        if not kind.startswith(HTML):
            return bundle.answer_with(kind, body, request.byte_range)
        marked, nonce = mark_scripts(body)
        return bundle.answer_with(kind, marked, request.byte_range, nonce)

    async def close(self) -> None:
        """Let go of the connections."""
        await self._pool.aclose()

    async def _fetch(self, request: PageRequest) -> httpcore.Response | None:
        url = f"{self._server.origin}{request.target}"
        for _ in range(_MOST_HOPS):
            response = await self._pool.request(
                "GET",
                url,
                headers={"Host": self._server.authority, "Accept": request.accept},
                extensions={"timeout": _TIMEOUTS},
            )
            onwards = _header(response, b"location") if 300 <= response.status < 400 else None
            if onwards is None:
                return response
            url = urljoin(url, onwards)
            if not url.startswith(f"{self._server.origin}/"):
                return None
        return None


def _failure(response: httpcore.Response | None) -> str:
    """What went wrong, in the server's own words: status and text."""
    if response is None:
        return "It leads away from the dev server."
    words = _words(response.content[:_MOST_SAID_BYTES].decode(errors="replace"))
    status = f"HTTP {response.status} {responses.get(response.status, '')}".rstrip()
    return f"{status}: {words[:_MOST_WORDS]}" if words else status


def _words(page: str) -> str:
    message = _MESSAGE.search(page)
    if message is not None:
        with contextlib.suppress(ValueError):
            return str(json.loads(message[1]))
    seen = (each.text for each in read_html(page) if isinstance(each, Text) and not each.is_raw)
    return " ".join(" ".join(seen).split())


def _header(response: httpcore.Response, wanted: bytes) -> str | None:
    found = (value for name, value in response.headers if name.lower() == wanted)
    return next((value.decode("latin-1") for value in found), None)
