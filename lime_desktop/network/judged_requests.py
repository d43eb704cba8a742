"""What the clients of this program share: where a request goes, before anything is connected to.

A name is looked up once and judged; the request then goes to the number, with the name in its `Host` header and in the
TLS handshake, where the certificate must still be that name's. Behind a proxy of the machine's or the person's own the
name is judged alone: what it leads to is looked up there, and nobody here can know it.
"""

from dataclasses import dataclass
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from lime_desktop.network.addresses import parse_address
from lime_desktop.network.destinations import PrivateAddress, UnknownHost
from lime_desktop.network.hosts import is_local, parse_host

_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class RequestTarget:
    """Whom a request asks for."""

    scheme: str
    host: str
    port: int
    allows_local: bool

    def extensions(self) -> dict[str, str]:
        """What makes the handshake ask for the name, whatever number is dialled."""
        return {} if parse_address(self.host) else {"sni_hostname": self.host}


def read_target(url: str, *, allows_local: bool) -> RequestTarget:
    """Read and judge the name in an address.

    Raises:
        PrivateAddress: the name is of the own network, and may not be.
        UnknownHost: the address can't be read beyond doubt.
    """
    host = parse_host(url)
    if host is None:
        raise UnknownHost("The address is open to two readings")
    if is_local(host) and not allows_local:
        raise PrivateAddress(f"{host} is of the own machine or network")
    parts = urlsplit(url)
    return RequestTarget(parts.scheme, host, parts.port or _PORTS[parts.scheme], allows_local)


def system_proxy(scheme: str, host: str) -> str | None:
    """What stands between us and a host. What is near is reached directly: a proxy is for the world outside."""
    if is_local(host) or proxy_bypass(host):
        return None
    known = getproxies()
    found = known.get(scheme) or known.get("all")
    if not found:
        return None
    return found if "://" in found else f"http://{found}"
