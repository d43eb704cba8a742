"""May this app reach that host, and at which address?

Names are looked up once, judged by what they led to, and that very address is dialled: see `network.destinations`. A host of
the own network must be local by its own name *and* be named in a grant, without a star.
"""

from enum import StrEnum

from lime_desktop.host.proxy.access import AuthenticatedApp
from lime_desktop.network.destinations import (
    LookUp,
    PrivateAddress,
    UnknownHost,
    find_destinations,
)

WEB_PORTS = frozenset({80, 443})


class Verdict(StrEnum):
    """What became of a connection."""

    CARRIED = "carried"
    NOT_GRANTED = "not-granted"
    """The app has no granted permission for this host, or not for this port."""
    PRIVATE_ADDRESS = "private-address"
    """It leads to this machine or a private network, and is no local name that the manifest names."""
    UNKNOWN_HOST = "unknown-host"
    UNREACHABLE = "unreachable"


class Refused(Exception):
    """The connection is not made, for this reason."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(verdict.value)
        self.verdict = verdict


async def find_addresses(
    guest: AuthenticatedApp, host: str, port: int, look_up: LookUp | None
) -> tuple[str, ...]:
    """The addresses to connect to, in their order; raises `Refused`."""
    if port not in WEB_PORTS or not guest.grants.covers(host):
        raise Refused(Verdict.NOT_GRANTED)
    allows_local = guest.grants.names(host)
    try:
        return await find_destinations(host, port, allows_local=allows_local, look_up=look_up)
    except UnknownHost:
        raise Refused(Verdict.UNKNOWN_HOST) from None
    except PrivateAddress:
        raise Refused(Verdict.PRIVATE_ADDRESS) from None
