"""Read the host out of a domain or web address, and tell whether its very name is one of the own network.

Two programs that read one address differently are how filters are fooled, so whatever is open to two readings is
refused, not repaired: user names before ``@``, backslashes, blanks, percent signs, numbers that only some readers take for an address.
"""

import os
import re
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address

from lime_desktop.network.addresses import is_loopback, is_public, parse_address

WEB_SCHEMES = frozenset({"http", "https", "ws", "wss"})
_AMBIGUOUS = re.compile(r"[\s\x00-\x20\x7f\\%@<>^`{|}\"]")
_LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
# Reserved for own networks, or used there alone: nobody can register them on the Internet.
_LOCAL_SUFFIXES = tuple(
    f".{name}"
    for name in [
        "localhost",
        "local",
        "internal",
        "home.arpa",
        "lan",
        "home",
        "corp",
        "intranet",
        "private",
    ]
)

OWN_NETWORK_VARIABLE = "LIME_DESKTOP_OWN_NETWORK"
"""Names of the Internet that lead into the own network here, parted by commas; each with all below it. No app can set it."""


@lru_cache(maxsize=1024)
def parse_host(text: str) -> str | None:
    """Give the one host that an address or ``host[:port]`` names, in its plain form, or None where it is open to doubt."""
    scheme, found, rest = text.partition("://")
    if found and scheme.lower() not in WEB_SCHEMES:
        return None
    authority = re.split(r"[/?#]", rest, maxsplit=1)[0] if found else text
    if _AMBIGUOUS.search(authority):
        return None
    return _parse_bracketed(authority) if authority.startswith("[") else _parse_named(authority)


def _parse_bracketed(authority: str) -> str | None:
    inside, closed, port = authority[1:].partition("]")
    if not closed or (port and not _is_port(port.removeprefix(":"))):
        return None
    try:
        address = IPv6Address(inside)
    except ValueError:
        return None
    return str(address.ipv4_mapped or address)


def _parse_named(authority: str) -> str | None:
    name, colon, port = authority.partition(":")
    if colon and not _is_port(port):
        return None
    name = _to_ascii(name)
    labels = name.removesuffix(".").split(".")
    if len(name) > 253 or not all(_LABEL.fullmatch(label) for label in labels):
        return None
    if _NUMBER.fullmatch(labels[-1]):
        return _parse_dotted_quad(".".join(labels))
    return ".".join(labels)


def _is_port(text: str) -> bool:
    return text.isascii() and text.isdigit() and int(text[:6]) <= 65535


def _to_ascii(name: str) -> str:
    if name.isascii():
        return name.lower()
    import idna  # noqa: PLC0415 its tables are large, and most names are ASCII

    try:
        return idna.encode(name, uts46=True).decode("ascii").lower()
    except idna.IDNAError:
        return ""


def _parse_dotted_quad(text: str) -> str | None:
    # Browsers also read 127.1 and 0x7f000001 as addresses: only the plain spelling is beyond doubt.
    try:
        return str(IPv4Address(text))
    except ValueError:
        return None


def is_localhost(host: str) -> bool:
    """Tell whether a name means this very machine, whatever anybody answers for it."""
    return host == "localhost" or host.endswith(".localhost")


def is_local(host: str) -> bool:
    """Tell whether a host, as `parse_host` gives it, is by its own name of this machine or a private network."""
    return _is_local(host, _own_suffixes(os.environ.get(OWN_NETWORK_VARIABLE, "")))


def _is_local(host: str, named: tuple[str, ...]) -> bool:
    address = parse_address(host)
    if address is not None:
        return not is_public(address)
    return "." not in host or f".{host}".endswith((*_LOCAL_SUFFIXES, *named))


def is_here(address: str) -> bool:
    """Tell whether an address is by its own name on this machine: what is sent there does not leave it."""
    host = parse_host(address) or ""
    found = parse_address(host)
    return is_localhost(host) if found is None else is_loopback(found)


def is_near(address: str) -> bool:
    """Tell whether an address is by its own name on this machine or in its own network."""
    host = parse_host(address)
    return host is not None and is_local(host)


def may_carry_secrets(address: str) -> bool:
    """Tell whether what is sent to an address arrives as it was sent and unread: encrypted, or within the own network."""
    return address.startswith("https://") or is_near(address)


def is_near_anywhere(address: str) -> bool:
    """Tell the same of every machine: what the keeper of this one calls their own counts for nothing."""
    host = parse_host(address)
    return host is not None and _is_local(host, ())


@lru_cache(maxsize=16)
def _own_suffixes(text: str) -> tuple[str, ...]:
    """What the machine's keeper calls their own; a name that can't be read is left out."""
    read = (parse_host(each.strip()) for each in text.split(","))
    return tuple(f".{host}" for host in read if host and parse_address(host) is None)
