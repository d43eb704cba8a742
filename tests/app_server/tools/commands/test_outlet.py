"""A command's network is its own: the sites that were granted are reached through the host's proxy and counted, nothing else is."""

import asyncio
import os
import socket
import sys
import tempfile
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import SecretStr

from lime_desktop.app_server.tools.commands.facts import violation_facts
from lime_desktop.app_server.tools.commands.running import (
    Command,
    CommandEnd,
    CommandLimits,
    run_command,
)
from lime_desktop.app_server.tools.commands.sandbox import Sandbox
from lime_desktop.host.proxy.access import AgentNetwork, ProxyAccess
from lime_desktop.host.proxy.destination import Verdict
from lime_desktop.host.proxy.ledger import CarriedConnection
from lime_desktop.host.proxy.server import start_proxy
from lime_desktop.policy.domain_grants import DomainGrants
from lime_desktop.protocol.calls.apps import RegisteredNetwork
from tests.app_server.bounded import run

PYTHON = os.path.realpath(sys.executable)
FETCH = """
import sys, urllib.request, urllib.error
for url in sys.argv[1:]:
    try:
        print(urllib.request.urlopen(url, timeout=10).read().decode())
    except urllib.error.HTTPError as error:
        print(error.code)
    except OSError as error:
        print(type(error).__name__)
"""


class Site:
    """A site of the tests, and everything that the host's proxy wrote down."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.heads: list[bytes] = []
        self.recorded: list[CarriedConnection] = []

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.heads.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello")
        await writer.drain()
        writer.close()

    async def record(self, connection: CarriedConnection) -> None:
        self.recorded.append(connection)

    async def dial(
        self, address: str, port: int
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        assert (address, port) == ("93.184.215.14", 80)
        return await asyncio.open_connection("127.0.0.1", self.port)


async def look_up(host: str, port: int) -> Sequence[str]:
    del host, port
    return ["93.184.215.14"]


@asynccontextmanager
async def a_site(*granted: str) -> AsyncGenerator[tuple[Site, RegisteredNetwork]]:
    """The host's own proxy over a site on this machine, and the way to it for commands of an app with these grants."""
    site = Site(0)
    serving = await asyncio.start_server(site.answer, "127.0.0.1", 0)
    site.port = serving.sockets[0].getsockname()[1]
    access = ProxyAccess()
    async with serving:
        proxy = await start_proxy(access, site.record, look_up, site.dial)
        async with proxy:
            ways = AgentNetwork(access)
            ways.open(proxy.sockets[0].getsockname()[1])
            network = ways.for_commands("notes", DomainGrants.of(granted))
            assert network is not None
            yield site, network


async def python(
    script: str,
    folder: Path,
    sandbox: Sandbox,
    network: RegisteredNetwork | None,
    *words: str,
) -> CommandEnd:
    command = Command((PYTHON, "-I", "-c", script, *words), folder, network=network)
    return await run_command(command, CommandLimits(time_s=60), sandbox)


def test_a_granted_site_is_reached_through_the_proxy_and_counted(
    tmp_path: Path, bubblewrap: Sandbox
) -> None:
    async def scene() -> None:
        async with a_site("good.example") as (site, network):
            urls = ("http://good.example/a", "http://other.example/b", "http://good.example:81/")
            end = await python(FETCH, tmp_path / "w", bubblewrap, network, *urls)
            assert end.stdout.decode().split() == ["hello", "403", "403"], end.stderr
            assert [(each.app_id, each.host, each.verdict) for each in site.recorded] == [
                ("notes", "good.example", Verdict.CARRIED),
                ("notes", "other.example", Verdict.NOT_GRANTED),
                ("notes", "good.example", Verdict.NOT_GRANTED),
            ]
            assert site.recorded[0].bytes_received > 5
            # What the app proves itself with stays between the host's two processes.
            assert b"authorization" not in site.heads[0].lower()
            assert network.proof.get_secret_value().encode() not in end.stdout + end.stderr

    run(scene())


@pytest.mark.requirement("RT-21")
def test_a_site_that_was_refused_is_known_and_is_a_violation_of_what_failed(
    tmp_path: Path, bubblewrap: Sandbox
) -> None:
    """The standard: the boundary and the target of a violation are facts."""

    async def scene() -> None:
        async with a_site("good.example") as (_, network):
            script = f"{FETCH}\nsys.exit(3)"
            end = await python(script, tmp_path / "w", bubblewrap, network, "https://bad.example/")
            assert (end.refused_sites, end.exit_code) == (("bad.example",), 3)
            [told] = violation_facts("call_1", end)
            assert told.payload == {
                "boundary": "network",
                "target": "bad.example",
                "reasonCode": "site_not_granted",
            }
            assert violation_facts("call_1", replace(end, exit_code=0)) == []

    run(scene())


def test_a_command_cannot_bring_a_proof_of_its_own(tmp_path: Path, bubblewrap: Sandbox) -> None:
    asking = """
import socket
to = socket.create_connection(("127.0.0.1", 3128), 10)
to.sendall(b"GET http://good.example/ HTTP/1.1\\r\\nHost: good.example\\r\\nProxy-Authorization: Basic eA==\\r\\n\\r\\n")
print(to.makefile("rb").read().decode())
"""

    async def scene() -> None:
        async with a_site("good.example") as (site, network):
            end = await python(asking, tmp_path / "w", bubblewrap, network)
            assert "hello" in end.stdout.decode()
            assert len(site.recorded) == 1

    run(scene())


def test_what_is_no_request_gets_nothing(tmp_path: Path, bubblewrap: Sandbox) -> None:
    asking = """
import socket
to = socket.create_connection(("127.0.0.1", 3128), 10)
to.sendall(b"\\x05\\x01\\x00" + b"x" * 100000 + b"\\r\\n\\r\\n")
try:
    print(to.makefile("rb").read())
except OSError:
    print(b"")
"""

    async def scene() -> None:
        async with a_site("good.example") as (site, network):
            end = await python(asking, tmp_path / "w", bubblewrap, network)
            assert end.stdout == b"b''\n"
            assert site.recorded == []

    run(scene())


LOOK = """
import socket, sys
print(sorted(name for _, name in socket.if_nameindex()))
for family, address in (
    (socket.AF_INET, ("127.0.0.1", int(sys.argv[1]))),
    (socket.AF_UNIX, "\\0" + sys.argv[2]),
    (socket.AF_INET, ("169.254.169.254", 80)),
    (socket.AF_INET, ("93.184.215.14", 80)),
):
    try:
        with socket.socket(family) as to:
            to.settimeout(5)
            to.connect(address)
            print("reached")
    except OSError as error:
        print(type(error).__name__)
"""


def test_neither_this_machine_nor_anything_else_is_reached_past_the_proxy(
    tmp_path: Path, bubblewrap: Sandbox
) -> None:
    """A hole: one granted site gave a command the whole network, with what listens on this machine alone."""
    name = f"lime-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX) as abstract:
        abstract.bind(f"\0{name}")
        abstract.listen()

        async def scene() -> None:
            async with a_site("good.example", "*") as (site, network):
                for way in (network, None):
                    words = (str(site.port), name)
                    end = await python(LOOK, tmp_path / "w", bubblewrap, way, *words)
                    interfaces, *reached = end.stdout.decode().splitlines()
                    assert interfaces == "['lo']"
                    assert reached == [
                        "ConnectionRefusedError",
                        "ConnectionRefusedError",
                        "OSError",
                        "OSError",
                    ]

        run(scene())


def test_without_a_grant_there_is_no_way_out_and_a_grant_taken_back_closes_it(
    tmp_path: Path, bubblewrap: Sandbox
) -> None:
    access = ProxyAccess()
    ways = AgentNetwork(access)
    assert ways.for_commands("notes", DomainGrants.of(["good.example"])) is None
    ways.open(1)
    assert ways.for_commands("notes", DomainGrants.of([])) is None

    async def scene() -> None:
        end = await python(FETCH, tmp_path / "w", bubblewrap, None, "http://good.example/")
        assert end.stdout == b"URLError\n"

    run(scene())


def test_the_proof_of_commands_is_not_the_agents(tmp_path: Path) -> None:
    """What agents may ask for is judged before; what a program asks for is not."""
    del tmp_path
    access = ProxyAccess()
    ways = AgentNetwork(access)
    ways.open(1)
    agents = ways.for_app("notes", DomainGrants.of(["*"]))
    commands = ways.for_commands("notes", DomainGrants.of(["good.example"]))
    assert agents is not None
    assert commands is not None
    assert agents.proof != commands.proof
    assert isinstance(commands.proof, SecretStr)


def test_nothing_of_the_outlet_is_left(
    tmp_path: Path, bubblewrap: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Not below tmp_path: the address of a socket is short.
    with tempfile.TemporaryDirectory() as place:
        monkeypatch.setattr(tempfile, "tempdir", place)

        async def scene() -> None:
            async with a_site("good.example") as (_, network):
                await python("pass", tmp_path / "w", bubblewrap, network)

        run(scene())
        assert list(Path(place).iterdir()) == []
