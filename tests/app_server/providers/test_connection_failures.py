"""The way to a provider carries real turns: through a company's proxy, by its own authority; where it ends, it says why."""

import asyncio
import errno
import socket
import ssl
from pathlib import Path
from typing import Any

import httpx2
import pytest

from lime_desktop.app_server.providers.connection_failures import (
    REASONS,
    unreachable,
    why_unreachable,
)
from lime_desktop.protocol.runtime.events import RuntimeEvent
from tests.app_server.execution.model_runtime import open_model_runtime, say
from tests.app_server.model_server import ModelServer, text
from tests.app_server.providers.certificates import NAME, self_signed, serving
from tests.app_server.providers.kept import SECRET
from tests.app_server.providers.tunnel import tunnel_to


async def turn(folder: Path, server: ModelServer, **provider: Any) -> list[RuntimeEvent]:
    async with open_model_runtime(folder, server, key=SECRET, **provider) as runtime:
        return await say(runtime)


def answer(events: list[RuntimeEvent]) -> object:
    return next(e.payload["text"] for e in events if e.type == "model.completed")


def test_a_turn_goes_through_the_proxy_to_a_server_of_the_companys_own_authority(
    tmp_path: Path,
) -> None:
    """The issue: proxy and custom CA settings work; here they carry a whole streamed answer at once."""
    certificate = self_signed(tmp_path)

    async def scenario(server: ModelServer) -> None:
        async with tunnel_to(server.port) as tunnel:
            network = {
                "proxyUrl": f"http://127.0.0.1:{tunnel.port}",
                "caFile": str(certificate),
            }
            address = f"https://{NAME}/v1"
            events = await turn(tmp_path / "data", server, base_url=address, network=network)
            assert answer(events) == "one two"
            assert tunnel.asked == [f"{NAME}:443"]

    with ModelServer([text("one ", "two")], tls=serving(certificate)) as server:
        asyncio.run(scenario(server))
    assert server.asked[0].headers["authorization"] == f"Bearer {SECRET}"


def test_a_turn_does_not_talk_to_a_server_that_nobody_vouches_for(tmp_path: Path) -> None:
    """Ours: no key reaches it, nothing is tried twice, and the way on is told."""
    with ModelServer(otherwise=text("x"), tls=serving(self_signed(tmp_path))) as server:
        events = asyncio.run(turn(tmp_path / "data", server))
    assert server.asked == []
    assert [e.type for e in events].count("model.requested") == 1
    [failed] = [e.payload for e in events if e.type == "turn.failed"]
    assert failed["reasonCode"] == "certificate_untrusted"
    assert "CA" in str(failed["recoveryHint"])


def test_a_turn_says_that_nothing_answers_at_the_address(tmp_path: Path) -> None:
    with ModelServer() as server, socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{closed.getsockname()[1]}/v1"
        limits = {"maxRetries": 0}
        events = asyncio.run(turn(tmp_path, server, base_url=address, limits=limits))
    [failed] = [e.payload for e in events if e.type == "turn.failed"]
    assert failed["reasonCode"] == "connection_refused"


@pytest.mark.parametrize(
    ("beneath", "reason"),
    [
        (socket.gaierror(socket.EAI_NONAME, "no such name"), "address_unknown"),
        (OSError(errno.ENETUNREACH, "no network"), "network_unreachable"),
        (ConnectionRefusedError(), "connection_refused"),
        (ssl.SSLCertVerificationError(), "certificate_untrusted"),
        (ssl.SSLError(1, "wrong version number"), "tls_failed"),
        (httpx2.ConnectTimeout("slow"), "timeout"),
        (httpx2.ProxyError("407"), "proxy_failed"),
        (ExceptionGroup("two addresses", [ConnectionRefusedError()]), "connection_refused"),
        (OSError(errno.ECONNRESET, "reset"), "connection_failed"),
    ],
)
def test_what_the_system_reported_is_told_apart(beneath: Exception, reason: str) -> None:
    """The issue: a failed connection says what to do."""
    failure = httpx2.ConnectError("All connection attempts failed")
    failure.__cause__ = beneath
    assert why_unreachable(failure) == reason
    assert reason in REASONS
    assert unreachable(reason).details["setupAction"]
