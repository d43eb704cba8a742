"""Which dev servers may stand in for a bundle? Those of this machine, and no other."""

import socket
from dataclasses import dataclass
from urllib.parse import urlsplit

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})


class NotLoopback(ValueError):
    """An address that is not a dev server of this machine."""


@dataclass(frozen=True, slots=True)
class DevServer:
    """The origin of a dev server on this machine."""

    host: str
    """`localhost`, `127.0.0.1` or `::1`, as it was written."""
    port: int

    @property
    def authority(self) -> str:
        """Host and port as an address has them."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def origin(self) -> str:
        """Where its pages are fetched."""
        return f"http://{self.authority}"

    @property
    def socket_origin(self) -> str:
        """Where it says what changed."""
        return f"ws://{self.authority}"


def parse_dev_server(url: str) -> DevServer:
    """Read the address of a dev server.

    Raises:
        NotLoopback: it leads elsewhere, or says more than scheme, host and port.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise NotLoopback(f"{url} is not an address") from None
    if parts.scheme != "http" or host not in LOOPBACK_NAMES:
        raise NotLoopback(
            f"{url} is not a dev server of this machine, such as http://localhost:5173"
        )
    if parts.path not in {"", "/"} or parts.query or parts.fragment or parts.username is not None:
        raise NotLoopback(f"{url} says more than http://, a host and a port")
    return DevServer(host, port or 80)


def resolver_rule(server: DevServer) -> str:
    """How a web engine finds this server and nothing else of this machine. Looks where it listens; blocks for a moment."""
    address = server.host if server.host != "localhost" else _listening_address(server.port)
    shown = f"[{address}]" if ":" in address else address
    return f"MAP {server.authority} {shown}:{server.port}"


def _listening_address(port: int) -> str:
    """Servers that were told `localhost` listen at one of its two addresses only, and which differs by machine."""
    for address in ("127.0.0.1", "::1"):
        try:
            socket.create_connection((address, port), timeout=1).close()
        except OSError:
            continue
        return address
    return "127.0.0.1"
