"""Is this address public? Decided by tables of our own: what Python calls global differs from version to version.

For IPv6 only what the registries give out is public, and of that not what stands for something else. An address that
carries another one inside is never public: what lies behind it is decided by machines that nobody here can ask.
"""

from functools import lru_cache
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
)

Address = IPv4Address | IPv6Address

_LOOPBACK = (IPv4Network("127.0.0.0/8"), IPv6Network("::1/128"))
_NOT_PUBLIC_4 = tuple(
    IPv4Network(text)
    for text in (
        "0.0.0.0/8",  # this network; Linux takes 0.0.0.0 for itself
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # between a provider and its customers
        "127.0.0.0/8",  # this machine
        "169.254.0.0/16",  # this link; the metadata services of clouds
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocols
        "192.0.2.0/24",  # documentation
        "192.88.99.0/24",  # relays of 6to4
        "192.168.0.0/16",  # private
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # many at once
        "240.0.0.0/4",  # reserved, and everybody
    )
)
_GIVEN_OUT_6 = IPv6Network("2000::/3")
_NOT_PUBLIC_6 = tuple(
    IPv6Network(text)
    for text in (
        "2001::/23",  # protocols: Teredo, benchmarks, identifiers
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4
        "3fff::/20",  # documentation
    )
)
_NEVER_4 = tuple(IPv4Network(text) for text in ("0.0.0.0/8", "224.0.0.0/4", "240.0.0.0/4"))
_NEVER_6 = tuple(
    IPv6Network(text)
    for text in (
        "::/128",  # nobody
        "::/96",  # IPv4 inside, the oldest way; ::1 is judged before
        "::ffff:0:0/96",  # IPv4 inside, as one machine writes it for itself
        "::ffff:0:0:0/96",  # IPv4 translated
        "64:ff9b::/32",  # IPv4 behind a translator
        "2001::/32",  # IPv4 in Teredo
        "2002::/16",  # IPv4 in 6to4
        "ff00::/8",  # many at once
    )
)


@lru_cache(maxsize=1024)
def parse_address(text: str) -> Address | None:
    """The address that a text spells, without its zone; None where it spells none."""
    try:
        return ip_address(text.partition("%")[0])
    except ValueError:
        return None


def is_public(address: Address) -> bool:
    """Whether an address belongs to one machine of the Internet, and says itself which."""
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _NOT_PUBLIC_4)
    is_special = any(address in network for network in _NOT_PUBLIC_6)
    return address in _GIVEN_OUT_6 and not is_special


def is_loopback(address: Address) -> bool:
    """Whether an address is this very machine, spelled the plain way."""
    return any(address in network for network in _LOOPBACK)


def is_dialable(address: Address) -> bool:
    """Whether an address names one machine, without another address inside: nothing else is ever connected to."""
    if is_loopback(address):
        return True
    never = _NEVER_4 if isinstance(address, IPv4Address) else _NEVER_6
    return not any(address in network for network in never)
