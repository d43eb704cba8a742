"""Why a provider could not be reached, and what a person can do about it.

Told apart by what the system reported underneath. Its own words may quote an address, and stay out.
"""

import errno
import socket
import ssl
from collections.abc import Iterator, Sequence

import httpx2

from lime_desktop.network.destinations import PrivateAddress, UnknownHost
from lime_desktop.protocol.errors import ProviderFailed

LASTING = frozenset({"certificate_untrusted", "private_address", "proxy_failed", "tls_failed"})
"""What asking again does not mend."""

_UNREACHABLE = frozenset({errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN})


def why_unreachable(error: BaseException) -> str:
    """A stable word for it."""
    for each in _beneath(error):
        for kind, reason in _KINDS:
            if isinstance(each, kind):
                return reason
        if isinstance(each, OSError) and each.errno in _UNREACHABLE:
            return "network_unreachable"
    return "connection_failed"


def unreachable(reason: str) -> ProviderFailed:
    """The catalogue's error for such a word."""
    message, setup_action = _WORDS[reason]
    return ProviderFailed(message, details={"reasonCode": reason, "setupAction": setup_action})


def _beneath(error: BaseException) -> Iterator[BaseException]:
    """An error and all that led to it."""
    waiting: list[BaseException] = [error]
    seen: set[int] = set()
    while waiting:
        each = waiting.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        yield each
        several: Sequence[BaseException] = getattr(each, "exceptions", ())
        causes = (*several, each.__cause__, each.__context__)
        waiting.extend(cause for cause in causes if cause)


_KINDS: tuple[tuple[type[BaseException], str], ...] = (
    (httpx2.TimeoutException, "timeout"),
    (httpx2.ProxyError, "proxy_failed"),
    (PrivateAddress, "private_address"),
    (UnknownHost, "address_unknown"),
    (ssl.SSLCertVerificationError, "certificate_untrusted"),
    (ssl.SSLError, "tls_failed"),
    (socket.gaierror, "address_unknown"),
    (ConnectionRefusedError, "connection_refused"),
)
"""The narrow kinds before the wide ones."""

_WORDS = {
    "timeout": (
        "The provider did not answer in time.",
        "Check the address and the network, or try again later",
    ),
    "proxy_failed": (
        "The proxy refused the connection.",
        "Check the proxy in the provider's settings",
    ),
    "certificate_untrusted": (
        "The provider's certificate is not trusted here.",
        "Name the file of its CA in the provider's settings, if the server is known to you",
    ),
    "tls_failed": (
        "No secure connection to the provider's address could be made.",
        "Check the address; a server on this computer may want http:// instead of https://",
    ),
    "address_unknown": (
        "Nobody knows the name in the provider's address.",
        "Check how the address is spelt, and that this computer is online",
    ),
    "private_address": (
        "The provider's name leads into your own computer or network, and does not say so itself.",
        "If the server is your organisation's, name it in LIME_DESKTOP_OWN_NETWORK, or use its IP address",
    ),
    "connection_refused": (
        "Nothing answers at the provider's address.",
        "Check the address and its port, or start the server if it is your own",
    ),
    "network_unreachable": (
        "This computer has no way to the provider.",
        "Check the network connection",
    ),
    "connection_failed": (
        "The connection to the provider failed.",
        "Check the network and the address, then try again",
    ),
}
REASONS = frozenset(_WORDS)
