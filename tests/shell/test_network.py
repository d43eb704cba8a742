"""What an app with a granted domain reaches, and what one without does not, in a real engine (the standard)."""

import asyncio
import socket
from collections.abc import Coroutine, Iterator, Sequence
from pathlib import Path
from threading import Thread
from typing import Any, TypeVar

import pytest
from PySide6.QtWidgets import QApplication

from lime_desktop.host.proxy.access import ProxyAccess
from lime_desktop.host.proxy.destination import Verdict
from lime_desktop.host.proxy.ledger import HostTotal
from lime_desktop.host.proxy.server import Streams
from lime_desktop.host.proxy.thread import ProxyThread
from lime_desktop.shell.app_view.engine import carry_network_through
from tests.shell.conftest import ShowApp

T = TypeVar("T")
PAGE = '<!doctype html><script type="module" src="/app.js"></script>'
REACH = (
    "const reach = url => fetch(url).then(() => 'answered', () => 'failed');"
    "const live = url => new Promise(done => { try { const s = new WebSocket(url);"
    "s.onopen = () => done('answered'); s.onerror = () => done('failed'); } catch { done('failed'); } });"
)


class Network:
    """A proxy, and behind every name the same server, which speaks no TLS and ends what it hears."""

    def __init__(self, access: ProxyAccess, ledger_file: Path) -> None:
        self.heard: list[bytes] = []
        self._server = socket.create_server(("127.0.0.1", 0))
        self._answering = Thread(target=self._answer, daemon=True)
        self._answering.start()
        self.proxy = ProxyThread(access, ledger_file, self._look_up, self._dial)
        carry_network_through(self.proxy.start())

    def close(self) -> None:
        carry_network_through(9)
        self.proxy.stop()
        self._server.close()

    def totals(self, app_id: str) -> tuple[HostTotal, ...]:
        return self._run(self.proxy.ledger.totals(app_id))

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self.proxy._bound.result()[0]).result(30)

    def _answer(self) -> None:
        while True:
            try:
                connection, _ = self._server.accept()
            except OSError:
                return
            with connection:
                self.heard.append(connection.recv(65_536))

    async def _look_up(self, _host: str, _port: int) -> Sequence[str]:
        return ["93.184.216.34"]

    async def _dial(self, _address: str, _port: int) -> Streams:
        return await asyncio.open_connection("127.0.0.1", self._server.getsockname()[1])


@pytest.fixture
def network(qapp: QApplication, proxy_access: ProxyAccess, tmp_path: Path) -> Iterator[Network]:
    del qapp  # the engine takes no proxy that is set before the application
    network = Network(proxy_access, tmp_path / "network.db")
    yield network
    network.close()


@pytest.mark.requirement("APP-60")
def test_a_granted_host_is_reached_through_the_proxy_and_counted(
    network: Network, show_app: ShowApp
) -> None:
    script = (
        f"{REACH} parent.postMessage([await reach('https://api.example.com/'),"
        "await live('wss://api.example.com/')], '*');"
    )
    files = {"index.html": PAGE, "app.js": script}
    shown = show_app(files, "notes", domains=["api.example.com"])
    # Nobody has a certificate for a made-up name: what counts is that the engine came that far, and only there.
    assert shown.say() == ["failed", "failed"]
    shown.wait(lambda: sum(total.connections for total in network.totals("notes")) >= 2)
    (total,) = network.totals("notes")
    assert (total.host, total.verdict) == ("api.example.com", Verdict.CARRIED)
    assert total.bytes_sent > 0
    assert all(network.heard)


@pytest.mark.requirement("APP-60")
def test_an_app_without_a_network_permission_has_zero_bytes(
    network: Network, show_app: ShowApp
) -> None:
    script = (
        f"{REACH} parent.postMessage([await reach('https://api.example.com/'),"
        "await live('wss://api.example.com/'), await reach('https://other.example.com/')], '*');"
    )
    shown = show_app({"index.html": PAGE, "app.js": script}, "silent")
    assert shown.say() == ["failed"] * 3
    assert network.totals("silent") == ()
    assert network.heard == []


def test_two_apps_are_told_apart(network: Network, show_app: ShowApp) -> None:
    script = f"{REACH} parent.postMessage(await reach('https://api.example.com/'), '*');"
    files = {"index.html": PAGE, "app.js": script}
    for app_id in ("first", "second"):
        shown = show_app(files, app_id, domains=["api.example.com"])
        shown.hear()
        shown.wait(lambda app_id=app_id: bool(network.totals(app_id)))
    assert [len(network.totals(app_id)) for app_id in ("first", "second")] == [1, 1]
