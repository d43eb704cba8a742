"""Read the host out of a domain or web address, and match it against a domain pattern.

Two programs that read one address differently are how filters are fooled, so whatever is open to two readings is
refused, not repaired: user names before ``@``, backslashes, blanks, percent signs, numbers that only some readers take for an address.

Patterns, in full:

- ``example.com``: this host, and no other (neither ``www.example.com`` nor ``evil-example.com``);
- ``*.example.com``: every host below it, at any depth, but not ``example.com`` itself;
- ``*``: every host. As a permission it leaves out hosts of the own machine or network, which must be named one by one.

Upper and lower case, one trailing dot, ports, and Unicode or punycode spelling make no difference. A pattern has no scheme, port or path.
"""

import re
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

WEB_SCHEMES = frozenset({"http", "https", "ws", "wss"})
_AMBIGUOUS = re.compile(r"[\s\x00-\x20\x7f\\%@<>^`{|}\"]")
_LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_LOCAL_SUFFIXES = (".localhost", ".local", ".internal", ".home.arpa")
# These carry an IPv4 address inside an IPv6 one, and could smuggle a private address out of sight.
_TRANSLATED = tuple(IPv6Network(text) for text in ("64:ff9b::/32", "2002::/16", "2001::/32"))


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


def is_local(host: str) -> bool:
    """Tell whether a host, as `parse_host` gives it, may be this machine or a private network."""
    try:
        address = ip_address(host)
    except ValueError:
        return "." not in host or host.endswith(_LOCAL_SUFFIXES)
    if isinstance(address, IPv6Address) and any(address in network for network in _TRANSLATED):
        return True
    return not address.is_global


@lru_cache(maxsize=1024)
def parse_domain_pattern(text: str) -> str | None:
    """Give a pattern in its plain form, or None where it can't be read."""
    if text == "*":
        return text
    below, name = ("*.", text[2:]) if text.startswith("*.") else ("", text)
    if set(name) & set(":/*?#["):
        return None
    host = parse_host(name)
    return None if host is None else below + host


def domain_matches(pattern: str, host: str, *, star_is_public: bool) -> bool:
    """Match a host with a pattern, both in plain form; a public star leaves out hosts of the own network."""
    if pattern == "*":
        return not (star_is_public and is_local(host))
    if pattern.startswith("*."):
        return host.endswith(pattern[1:])
    return host == pattern
