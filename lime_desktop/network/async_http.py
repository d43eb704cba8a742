"""The HTTP transport of whoever talks with models and tool servers: it dials nothing that was not judged.

Made with the library that the engines bring, so it is imported by them alone.
"""

import asyncio
import ssl

import httpx2

from lime_desktop.network.destinations import LookUp, find_destinations
from lime_desktop.network.judged_requests import RequestTarget, read_target, system_proxy


class JudgedAsyncTransport(httpx2.AsyncBaseTransport):
    """Looks a request's host up, judges the answer, and sends it to that very address.

    For one server and its address, which a person chose: connections are kept, so two names must not share it. A host
    of the own network may be that server where the address says so itself.
    """

    def __init__(
        self,
        verify: ssl.SSLContext | None = None,
        proxy_url: str | None = None,
        look_up: LookUp | None = None,
    ) -> None:
        """`proxy_url` is a proxy of the person's; without one the machine's settings decide."""
        self._verify = verify or ssl.create_default_context()
        self._proxy_url = proxy_url
        self._look_up = look_up
        self._direct = httpx2.AsyncHTTPTransport(verify=self._verify, trust_env=False)
        self._proxied: dict[str, httpx2.AsyncHTTPTransport] = {}
        self._host: str | None = None

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send it where its name leads, if that may be."""
        try:
            target = read_target(str(request.url), allows_local=True)
            self._require_same(target.host)
            if proxy := await self._proxy_for(target):
                return await self._by_proxy(proxy).handle_async_request(request)
            return await self._send(request, target)
        except OSError as error:
            raise httpx2.ConnectError(str(error), request=request) from error

    async def aclose(self) -> None:
        """Let go of every connection."""
        for each in (self._direct, *self._proxied.values()):
            await each.aclose()

    def _require_same(self, host: str) -> None:
        self._host = self._host or host
        if host != self._host:
            raise OSError("This client talks with one server")

    async def _proxy_for(self, target: RequestTarget) -> str | None:
        if self._proxy_url is not None:
            return self._proxy_url
        # Some systems ask their settings, and a resolver, about it.
        return await asyncio.to_thread(system_proxy, target.scheme, target.host)

    def _by_proxy(self, proxy: str) -> httpx2.AsyncHTTPTransport:
        if proxy not in self._proxied:
            self._proxied[proxy] = httpx2.AsyncHTTPTransport(verify=self._verify, proxy=proxy)
        return self._proxied[proxy]

    async def _send(self, request: httpx2.Request, target: RequestTarget) -> httpx2.Response:
        addresses = await find_destinations(
            target.host, target.port, allows_local=target.allows_local, look_up=self._look_up
        )
        for address in addresses[:-1]:
            try:
                return await self._direct.handle_async_request(_sent_to(address, request, target))
            except (httpx2.ConnectError, httpx2.ConnectTimeout):
                continue
        return await self._direct.handle_async_request(_sent_to(addresses[-1], request, target))


def _sent_to(address: str, request: httpx2.Request, target: RequestTarget) -> httpx2.Request:
    return httpx2.Request(
        request.method,
        request.url.copy_with(host=address),
        headers=request.headers,
        stream=request.stream,
        extensions={**request.extensions, **target.extensions()},
    )
