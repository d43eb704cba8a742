"""Clients come in over streams and sockets, and the service ends when it should."""

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from lime_desktop.app_server.server import serving
from lime_desktop.app_server.server.authentication import Token
from lime_desktop.app_server.server.serving import serve_socket, serve_streams
from lime_desktop.jsonrpc.messages import ConnectionLostError, RpcError
from lime_desktop.jsonrpc.peer import Peer
from lime_desktop.jsonrpc.sockets import AddressInUseError, dial
from lime_desktop.protocol.ids import AppId, SessionId
from tests.app_server.server.door import Door, event
from tests.jsonrpc.conversation import Recorder, run

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Unix sockets and pipes")

HELLO = {"id": 1, "method": "initialize", "params": {"clientInfo": {"name": "t"}}}
REQUESTS = [HELLO, {"method": "initialized"}, {"id": 2, "method": "agentSession/list"}]


class Socket:
    """A served socket and its token file."""

    def __init__(self, folder: Path) -> None:
        self.address = str(folder / "socket")
        self.token_file = folder / "token"
        self.door = Door()
        self.stop, self.ready = asyncio.Event(), asyncio.Event()
        self.service = asyncio.create_task(
            serve_socket(self.door.services, self.address, self.token_file, self.stop, self.ready)
        )

    async def client(self, recorder: Recorder | None = None, **introduction: object) -> Peer:
        await self.ready.wait()
        peer = await dial(self.address, Peer(recorder or Recorder()))
        if introduction:
            await peer.request("initialize", {"clientInfo": {"name": "t"}, **introduction})
            await peer.notify("initialized")
        return peer

    def proof(self) -> str:
        return self.token_file.read_text()

    async def end(self) -> None:
        self.stop.set()
        await self.service


def test_streams_serve_one_client_until_it_stops_talking() -> None:
    async def scene() -> list[dict[str, Any]]:
        to_server, from_server = os.pipe(), os.pipe()
        os.write(to_server[1], b"".join(json.dumps(line).encode() + b"\n" for line in REQUESTS))
        os.close(to_server[1])
        with os.fdopen(to_server[0], "rb", 0) as source, os.fdopen(from_server[1], "wb", 0) as sink:
            await serve_streams(Door().services, source, sink, asyncio.Event())
        with os.fdopen(from_server[0], "rb") as answers:
            return [json.loads(line) for line in answers]

    assert [answer["id"] for answer in run(scene())] == [1, 2]


def test_streams_end_when_told_to() -> None:
    async def scene() -> None:
        to_server, from_server = os.pipe(), os.pipe()
        stop = asyncio.Event()
        with os.fdopen(to_server[0], "rb", 0) as source, os.fdopen(from_server[1], "wb", 0) as sink:
            service = asyncio.create_task(serve_streams(Door().services, source, sink, stop))
            stop.set()
            await service
        os.close(to_server[1])
        os.close(from_server[0])

    run(scene())


def test_a_socket_serves_whoever_shows_the_token(tmp_path: Path) -> None:
    async def scene() -> None:
        socket = Socket(tmp_path)
        stranger = await socket.client()
        with pytest.raises(RpcError) as refusal:
            await stranger.request("initialize", {"clientInfo": {"name": "t"}, "proof": "guess"})
        assert "APP_E042" in str(refusal.value.data)
        client = await socket.client(proof=socket.proof())
        assert await client.request("agentSession/list") == {"sessions": []}
        await socket.end()

    run(scene())
    assert list(tmp_path.iterdir()) == []


def test_several_clients_hear_only_what_their_app_may(tmp_path: Path) -> None:
    async def scene() -> None:
        socket = Socket(tmp_path)
        await socket.client()
        token = Token(socket.proof())
        mine, other = Recorder(), Recorder()
        socket.door.owners = {SessionId("s1"): AppId("mine"), SessionId("s2"): AppId("other")}
        for recorder, app_id, session in ((mine, "mine", "s1"), (other, "other", "s2")):
            proof = token.proof_for(AppId(app_id))
            client = await socket.client(recorder, appId=app_id, proof=proof)
            await client.request("agentSession/compact", {"sessionId": session})
        socket.door.services.fan_out.publish(AppId("mine"), [event("s1", 1)])
        await mine.heard.wait()
        assert other.notifications == []
        await socket.end()

    run(scene())


def test_a_second_server_does_not_take_the_address(tmp_path: Path) -> None:
    async def scene() -> None:
        socket = Socket(tmp_path)
        client = await socket.client(proof=await _proof(socket))
        with pytest.raises(AddressInUseError):
            await serve_socket(Door().services, socket.address, tmp_path / "other", asyncio.Event())
        assert await client.request("agentSession/list") == {"sessions": []}
        await socket.end()

    async def _proof(socket: Socket) -> str:
        await socket.client()
        return socket.proof()

    run(scene())


def test_a_client_that_never_introduces_itself_loses_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "HANDSHAKE_S", 0.05)

    async def scene() -> None:
        socket = Socket(tmp_path)
        silent = await socket.client()
        polite = await socket.client(proof=socket.proof())
        await silent.wait_closed()
        assert await polite.request("agentSession/list") == {"sessions": []}
        await socket.end()

    run(scene())


def test_one_client_too_many_is_sent_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "MAX_CLIENTS", 1)

    async def scene() -> None:
        socket = Socket(tmp_path)
        first = await socket.client()
        second = await socket.client()
        with pytest.raises(ConnectionLostError):
            await second.request("initialize", {"clientInfo": {"name": "t"}})
        assert not first.is_closing
        await socket.end()

    run(scene())
