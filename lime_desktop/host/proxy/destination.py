"""May this app reach that host, and at which address?

Names are looked up here, once, and the address found is the one used: a name that answers differently the second time
gains nothing by it.
"""

from collections.abc import Awaitable, Callable, Sequence
from enum import StrEnum

from lime_desktop.host.proxy.access import Guest
from lime_desktop.policy.domains import is_local, parse_host

WEB_PORTS = frozenset({80, 443})

LookUp = Callable[[str, int], Awaitable[Sequence[str]]]
"""The addresses of a host; raises OSError where there are none."""


class Verdict(StrEnum):
    """What became of a connection."""

    CARRIED = "carried"
    NOT_GRANTED = "not-granted"
    """The app has no granted permission for this host, or not for this port."""
    PRIVATE_ADDRESS = "private-address"
    """The name leads to this machine or a private network, and the manifest does not name that host."""
    UNKNOWN_HOST = "unknown-host"
    UNREACHABLE = "unreachable"


class Refused(Exception):
    """The connection is not made, for this reason."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(verdict.value)
        self.verdict = verdict


async def find_address(guest: Guest, host: str, port: int, look_up: LookUp) -> str:
    """The address to connect to; raises `Refused`."""
    if port not in WEB_PORTS or not guest.grants.covers(host):
        raise Refused(Verdict.NOT_GRANTED)
    try:
        addresses = await look_up(host, port)
    except OSError:
        raise Refused(Verdict.UNKNOWN_HOST) from None
    if not addresses:
        raise Refused(Verdict.UNKNOWN_HOST)
    # One private address among public ones is enough to refuse: which of them is used would be left to chance.
    is_private = any(_is_private(address) for address in addresses)
    if is_private and not guest.grants.names(host):
        raise Refused(Verdict.PRIVATE_ADDRESS)
    return addresses[0]


def _is_private(address: str) -> bool:
    plain = parse_host(f"[{address.partition('%')[0]}]" if ":" in address else address)
    return plain is None or is_local(plain)
