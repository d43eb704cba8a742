"""Ears on this machine: TCP, UDP and, where port 53 can be had, DNS. Nothing may reach them."""

import socket
from threading import Thread


class Ears:
    """Everything that was heard, by which ear."""

    def __init__(self, dns: socket.socket | None = None) -> None:
        self.heard: dict[str, list[str]] = {"tcp": [], "udp": [], "dns": []}
        self._tcp = socket.create_server(("127.0.0.1", 0))
        self._udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._udp.bind(("127.0.0.1", 0))
        self.tcp_port: int = self._tcp.getsockname()[1]
        self.udp_port: int = self._udp.getsockname()[1]
        for listen in (self._hear_tcp, self._hear_udp):
            Thread(target=listen, daemon=True).start()
        if dns is not None:
            Thread(target=self._hear_dns, args=(dns,), daemon=True).start()

    def _hear_tcp(self) -> None:
        while True:
            connection, _ = self._tcp.accept()
            connection.settimeout(2)
            self.heard["tcp"].append("a connection")
            Thread(target=self._hear_connection, args=(connection,), daemon=True).start()

    def _hear_connection(self, connection: socket.socket) -> None:
        with connection:
            try:
                self.heard["tcp"].append(connection.recv(4_096).decode("latin-1")[:200])
                connection.sendall(
                    b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi"
                )
            except OSError:
                return

    def _hear_udp(self) -> None:
        while True:
            self.heard["udp"].append(self._udp.recv(4_096).hex()[:80])

    def _hear_dns(self, dns: socket.socket) -> None:
        while True:
            data, sender = dns.recvfrom(4_096)
            self.heard["dns"].append(question(data))
            # "No such name", so that nobody asks again and again.
            dns.sendto(data[:2] + b"\x81\x83" + data[4:6] + b"\x00" * 6 + data[12:], sender)


def question(message: bytes) -> str:
    """The name that a DNS message asks for."""
    labels: list[str] = []
    rest = message[12:]
    while rest and rest[0]:
        labels.append(rest[1 : 1 + rest[0]].decode("latin-1"))
        rest = rest[1 + rest[0] :]
    return ".".join(labels)
