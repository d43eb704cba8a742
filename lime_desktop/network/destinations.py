"""A name was looked up once: which of its addresses may be connected to?

The addresses given here are the ones to dial, as numbers, so that a name that answers differently a moment later gains
nothing by it. A name of the Internet never leads into the own network, however exactly it was allowed: whoever answers
for the name would choose the machine. Only a name that says itself that it is local may, and only where the asker agrees.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence

from lime_desktop.network.addresses import is_dialable, is_loopback, is_public, parse_address
from lime_desktop.network.hosts import is_local, is_localhost

LookUp = Callable[[str, int], Awaitable[Sequence[str]]]
"""The addresses of a host; raises OSError where there are none."""
MAX_ADDRESSES = 8
"""A name with more is not tried to its end."""


class PrivateAddress(OSError):
    """The host leads to this machine or a private network, or to no single machine at all, and may not."""


class UnknownHost(OSError):
    """Nobody knows an address of this host."""


def judge_addresses(
    host: str, found: Sequence[str], *, allows_local: bool = False
) -> tuple[str, ...]:
    """The addresses of a host, as `parse_host` gives it, that may be dialled.

    Raises:
        PrivateAddress: one of them may not. One among good ones is enough: which is used would be left to chance.
        UnknownHost: there are none.
    """
    if not found:
        raise UnknownHost(f"{host} has no address")
    may_be_local = allows_local and is_local(host)
    for text in found:
        if not _may_dial(host, text, may_be_local=may_be_local):
            raise PrivateAddress(f"{host} leads into the own machine or network")
    return tuple(dict.fromkeys(found))[:MAX_ADDRESSES]


def _may_dial(host: str, text: str, *, may_be_local: bool) -> bool:
    address = parse_address(text)
    if address is None or not is_dialable(address):
        return False
    if is_localhost(host):
        return may_be_local and is_loopback(address)
    return may_be_local or is_public(address)


async def find_destinations(
    host: str, port: int, *, allows_local: bool = False, look_up: LookUp | None = None
) -> tuple[str, ...]:
    """Look a host up and judge what was found.

    Raises:
        PrivateAddress: it may not be dialled.
        UnknownHost: there is nothing to dial.
    """
    try:
        found = await (look_up or look_up_here)(host, port)
    except (OSError, UnicodeError) as error:
        raise UnknownHost(f"{host} has no address") from error
    return judge_addresses(host, found, allows_local=allows_local)


async def look_up_here(host: str, port: int) -> Sequence[str]:
    """Ask this machine's resolver."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(address[0]) for *_, address in found]


def look_up_blocking(host: str, port: int) -> Sequence[str]:
    """The same for whoever has no loop. Blocks."""
    return [str(a[0]) for *_, a in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
