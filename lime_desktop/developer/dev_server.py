"""Which dev servers may stand in for a bundle? Those of this machine, and no other."""

import socket
from dataclasses import dataclass
from urllib.parse import urlsplit

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")


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
        return _authority(self.host, self.port)

    @property
    def origin(self) -> str:
        """Where its pages are fetched."""
        return f"http://{self.authority}"

    @property
    def socket_origins(self) -> tuple[str, ...]:
        """Where it says what changed, by every name of this machine.

        A page's reloader takes the name that its server was told, which may not be the one that the developer wrote.
        A content security policy knows no address of IPv6; `localhost` leads there as well.
        """
        return tuple(f"ws://{name}:{self.port}" for name in ("localhost", "127.0.0.1"))


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


def resolver_rules(server: DevServer) -> str:
    """How a web engine finds this server and nothing else of this machine. Looks where it listens; blocks for a moment."""
    address = server.host if server.host != "localhost" else _listening_address(server.port)
    target = _authority(address, server.port)
    return " , ".join(f"MAP {_authority(name, server.port)} {target}" for name in LOOPBACK_NAMES)


def _authority(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _listening_address(port: int) -> str:
    """Servers that were told `localhost` listen at one of its two addresses only, and which differs by machine."""
    for address in ("127.0.0.1", "::1"):
        try:
            socket.create_connection((address, port), timeout=1).close()
        except OSError:
            continue
        return address
    return "127.0.0.1"
