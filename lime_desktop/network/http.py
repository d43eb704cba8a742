"""The blocking HTTP client of this program: it dials nothing that was not judged. Loading it costs more than most commands."""

from collections.abc import Callable, Sequence

import httpx

from lime_desktop.network.destinations import judge_addresses, look_up_blocking
from lime_desktop.network.judged_requests import RequestTarget, read_target, system_proxy

BlockingLookUp = Callable[[str, int], Sequence[str]]


class JudgedTransport(httpx.BaseTransport):
    """Looks a request's host up, judges the answer, and sends it to that very address."""

    def __init__(
        self, *, allows_local: bool = False, look_up: BlockingLookUp = look_up_blocking
    ) -> None:
        self._allows_local = allows_local
        self._look_up = look_up
        # Nothing is kept open: two names may share a number, and each is proven by a handshake of its own.
        self._limits = httpx.Limits(max_keepalive_connections=0)
        self._direct = httpx.HTTPTransport(trust_env=False, limits=self._limits)
        self._proxied: dict[str, httpx.HTTPTransport] = {}

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send it where its name leads, if that may be."""
        try:
            target = read_target(str(request.url), allows_local=self._allows_local)
            if proxy := system_proxy(target.scheme, target.host):
                return self._by_proxy(proxy).handle_request(request)
            return self._send(request, target)
        except OSError as error:
            raise httpx.ConnectError(str(error), request=request) from error

    def close(self) -> None:
        """Let go of every connection."""
        for each in (self._direct, *self._proxied.values()):
            each.close()

    def _by_proxy(self, proxy: str) -> httpx.HTTPTransport:
        if proxy not in self._proxied:
            self._proxied[proxy] = httpx.HTTPTransport(proxy=proxy, limits=self._limits)
        return self._proxied[proxy]

    def _send(self, request: httpx.Request, target: RequestTarget) -> httpx.Response:
        found = self._look_up(target.host, target.port)
        addresses = judge_addresses(target.host, found, allows_local=target.allows_local)
        for address in addresses[:-1]:
            try:
                return self._direct.handle_request(_sent_to(address, request, target))
            except (httpx.ConnectError, httpx.ConnectTimeout):
                continue
        return self._direct.handle_request(_sent_to(addresses[-1], request, target))


def open_client(
    timeout_s: float, *, allows_local: bool = False, look_up: BlockingLookUp = look_up_blocking
) -> httpx.Client:
    """A client that follows no redirect by itself: each hop is for its caller to judge."""
    transport = JudgedTransport(allows_local=allows_local, look_up=look_up)
    return httpx.Client(transport=transport, timeout=timeout_s, follow_redirects=False)


def _sent_to(address: str, request: httpx.Request, target: RequestTarget) -> httpx.Request:
    return httpx.Request(
        request.method,
        request.url.copy_with(host=address),
        headers=request.headers,
        stream=request.stream,
        extensions={**request.extensions, **target.extensions()},
    )
