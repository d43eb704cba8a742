"""Connections that reach only where they were meant to: a public name must not lead into the own network.

The name is resolved and checked at the moment of connecting, so that a name server that answers differently the
second time gains nothing.
"""

import asyncio
import socket
from collections.abc import Callable, Iterable
from ipaddress import ip_address
from typing import Any, cast

import httpcore

from lime_desktop.protocol.errors import UntrustedUrl


class PublicNetwork(httpcore.AsyncNetworkBackend):
    """Connects to public addresses, and to private ones only for hosts that were named themselves."""

    def __init__(self, may_be_private: Callable[[str], bool]) -> None:
        self._may_be_private = may_be_private
        # httpcore types it as absent where anyio is.
        self._real = cast("httpcore.AsyncNetworkBackend", httpcore.AnyIOBackend())

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - as httpcore calls it
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Resolve, check, then connect to what was checked.

        Raises:
            UntrustedUrl: the name leads into the own machine or network.
        """
        addresses = await _resolve(host, port)
        if not self._may_be_private(host) and not all(map(_is_public, addresses)):
            raise UntrustedUrl("This address leads into the own machine or network.")
        return await self._real.connect_tcp(
            addresses[0], port, timeout, local_address, socket_options
        )

    async def sleep(self, seconds: float) -> None:
        """Wait, as the pool asks between attempts."""
        await self._real.sleep(seconds)


async def _resolve(host: str, port: int) -> list[str]:
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError:
        raise httpcore.ConnectError(f"{host} has no address") from None
    return [str(address[4][0]) for address in found]


def _is_public(address: str) -> bool:
    # A scope such as %eth0 marks an address of the own network.
    return "%" not in address and ip_address(address).is_global
