"""The clients of this program dial what was judged, and still ask for the name (ours). No request leaves this machine."""

import asyncio
import ssl
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import httpx2
import pytest

from lime_desktop.app_server.providers.connection_failures import unreachable, why_unreachable
from lime_desktop.host.app_center.packages import fetching
from lime_desktop.network.async_http import JudgedAsyncTransport
from lime_desktop.network.destinations import PrivateAddress
from lime_desktop.network.hosts import OWN_NETWORK_VARIABLE
from lime_desktop.network.http import open_client
from lime_desktop.protocol.errors import UntrustedUrl, UpstreamFailed
from tests.app_server.providers.certificates import NAME, self_signed, serving

HERE = ["127.0.0.1"]


@dataclass
class Heard:
    port: int
    hosts: list[str] = field(default_factory=list[str])


@contextmanager
def listening(tls: ssl.SSLContext | None = None) -> Generator[Heard]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            heard.hosts.append(self.headers["Host"])
            self.send_response(302 if self.path.startswith("/to/") else 200)
            if self.path.startswith("/to/"):
                self.send_header("Location", self.path.removeprefix("/to/"))
            self.send_header("Content-Length", "4")
            self.end_headers()
            self.wfile.write(b"here")

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name
            del format, args

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    heard = Heard(server.server_address[1])
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield heard
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def look_up(host: str, port: int) -> Sequence[str]:
    del host, port
    return HERE


def look_up_two(host: str, port: int) -> Sequence[str]:
    return ["127.0.0.2", *look_up(host, port)]


async def look_up_soon(host: str, port: int) -> Sequence[str]:
    return look_up(host, port)


@pytest.mark.parametrize("host", ["api.example.com", "localhost", "nas.local", "127.0.0.1"])
def test_a_name_that_leads_here_is_not_asked(host: str) -> None:
    with (
        listening() as heard,
        open_client(5, look_up=look_up) as client,
        pytest.raises(httpx.ConnectError) as refused,
    ):
        client.get(f"http://{host}:{heard.port}/")
    assert isinstance(refused.value.__cause__, PrivateAddress)
    assert heard.hosts == []


@pytest.mark.parametrize("url", ["http://user@nas.local/", "http://0x7f.1/", "http://127.1/"])
def test_an_address_that_is_open_to_two_readings_is_not_asked(url: str) -> None:
    with (
        open_client(5, allows_local=True, look_up=look_up) as client,
        pytest.raises(httpx.ConnectError),
    ):
        client.get(url)


def test_a_local_name_is_asked_by_its_number_and_told_its_name() -> None:
    with listening() as heard, open_client(5, allows_local=True, look_up=look_up) as client:
        assert client.get(f"http://nas.local:{heard.port}/").text == "here"
    assert heard.hosts == [f"nas.local:{heard.port}"]


def test_the_next_number_is_tried_where_nobody_answers_at_the_first() -> None:
    with (
        listening() as heard,
        open_client(5, allows_local=True, look_up=look_up_two) as client,
    ):
        assert client.get(f"http://nas.local:{heard.port}/").text == "here"


def test_a_provider_or_tool_server_of_the_internet_never_leads_here() -> None:
    async def scenario(port: int) -> None:
        transport = JudgedAsyncTransport(look_up=look_up_soon)
        async with httpx2.AsyncClient(transport=transport) as client:
            with pytest.raises(httpx2.ConnectError) as refused:
                await client.get(f"http://api.example.com:{port}/")
        assert why_unreachable(refused.value) == "private_address"
        assert "LIME_DESKTOP_OWN_NETWORK" in str(
            unreachable("private_address").details["setupAction"]
        )

    with listening() as heard:
        asyncio.run(scenario(heard.port))
    assert heard.hosts == []


def test_what_the_machines_keeper_calls_their_own_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(OWN_NETWORK_VARIABLE, "corp.example.com, nonsense..")

    async def ask(host: str, port: int) -> str:
        transport = JudgedAsyncTransport(look_up=look_up_soon)
        async with httpx2.AsyncClient(transport=transport) as client:
            return (await client.get(f"http://{host}:{port}/")).text

    with listening() as heard:
        assert asyncio.run(ask("models.corp.example.com", heard.port)) == "here"
        with pytest.raises(httpx2.ConnectError):
            asyncio.run(ask("evilcorp.example.com", heard.port))


def test_the_certificate_must_be_the_names(tmp_path: Path) -> None:
    certificate = self_signed(tmp_path)
    trusting = ssl.create_default_context(cafile=certificate)

    async def ask(host: str, port: int) -> str:
        transport = JudgedAsyncTransport(trusting, look_up=look_up_soon)
        async with httpx2.AsyncClient(transport=transport) as client:
            return (await client.get(f"https://{host}:{port}/")).text

    with listening(serving(certificate)) as heard:
        assert asyncio.run(ask(NAME, heard.port)) == "here"
        with pytest.raises(httpx2.ConnectError):
            asyncio.run(ask("other.internal", heard.port))


def test_a_client_of_one_server_talks_with_no_other() -> None:
    async def scenario(port: int) -> None:
        transport = JudgedAsyncTransport(look_up=look_up_soon)
        async with httpx2.AsyncClient(transport=transport) as client:
            await client.get(f"http://nas.local:{port}/")
            with pytest.raises(httpx2.ConnectError):
                await client.get(f"http://other.local:{port}/")

    with listening() as heard:
        asyncio.run(scenario(heard.port))


def test_a_list_of_the_internet_cannot_name_a_neighbour(tmp_path: Path) -> None:
    """A person may type an address of this machine; a document from elsewhere, or its server, may not name one."""
    public = "https://apps.example.com/catalog.json"
    with listening() as heard:
        url = f"http://127.0.0.1:{heard.port}/notes.lapp"
        assert fetching.fetch_text(url) == "here"
        assert fetching.fetch_bytes(url, 4, named_by=f"http://localhost:{heard.port}/x") == b"here"
        heard.hosts.clear()
        with pytest.raises(UntrustedUrl):
            fetching.fetch_bytes(url, 4, named_by=public)
        with pytest.raises(UntrustedUrl):
            fetching.download(url, tmp_path / "notes.lapp", lambda _: None, named_by=public)
        with pytest.raises(UntrustedUrl):
            fetching.fetch_text("https://192.168.1.1.example.com@127.0.0.1/")
    assert heard.hosts == []


def test_a_redirect_within_this_machine_is_followed() -> None:
    with listening() as heard:
        url = f"http://127.0.0.1:{heard.port}/to/http://localhost:{heard.port}/x"
        assert fetching.fetch_text(url) == "here"
        with pytest.raises(UpstreamFailed):
            fetching.fetch_text(f"http://127.0.0.1:{heard.port}/to/")
