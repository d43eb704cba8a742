"""The same conversation over pipes, files and local sockets."""

import asyncio
import json
import os
import socket
import stat
import sys
import threading
from pathlib import Path
from typing import IO

import pytest

from lime_desktop.jsonrpc import peer_user, stdio
from lime_desktop.jsonrpc.outbox import Limits
from lime_desktop.jsonrpc.peer import Peer
from lime_desktop.jsonrpc.sockets import AddressInUseError, dial, listen
from lime_desktop.jsonrpc.stdio import connect_streams
from tests.jsonrpc.conversation import Recorder, echo, run, until

unix_only = pytest.mark.skipif(sys.platform == "win32", reason="Unix sockets and pipes")


@unix_only
def test_pipes_carry_requests_until_their_end() -> None:
    async def scene() -> bytes:
        to_peer, from_peer = os.pipe(), os.pipe()
        with os.fdopen(to_peer[0], "rb", 0) as source, os.fdopen(from_peer[1], "wb", 0) as sink:
            peer = Peer(Recorder(echo=echo))
            await connect_streams(peer, source, sink)
            os.write(to_peer[1], b'{"id":1,"method":"echo","params":"a"}\n')
            os.close(to_peer[1])
            await peer.wait_closed()
        with os.fdopen(from_peer[0], "rb") as answers:
            return answers.read()

    assert run(scene()) == b'{"id":1,"result":"a"}\n'


def test_files_are_read_and_written_by_threads(tmp_path: Path) -> None:
    requests = [{"id": n, "method": "echo", "params": "x" * 1_000} for n in range(500)]
    questions, answers = tmp_path / "in", tmp_path / "out"
    questions.write_text("".join(json.dumps(request) + "\n" for request in requests))

    async def scene() -> None:
        with questions.open("rb", 0) as source, answers.open("wb", 0) as sink:
            peer = Peer(Recorder(echo=echo), Limits(running_requests=1_000))
            await connect_streams(peer, source, sink)
            await peer.wait_closed()

    run(scene())
    heard = [json.loads(line)["id"] for line in answers.read_text().splitlines()]
    assert heard == list(range(500))


@unix_only
def test_a_reader_that_goes_away_ends_the_conversation() -> None:
    async def scene() -> None:
        to_peer, from_peer = os.pipe(), os.pipe()
        with os.fdopen(to_peer[0], "rb", 0) as source, os.fdopen(from_peer[1], "wb", 0) as sink:
            recorder = Recorder(echo=echo)
            peer = Peer(recorder, Limits(closing_s=0.05))
            await connect_streams(peer, source, sink)
            os.close(from_peer[0])
            os.write(to_peer[1], b'{"id":1,"method":"echo"}\n')
            await peer.wait_closed()
            assert recorder.losses == 1
        os.close(to_peer[1])

    run(scene())


@unix_only
def test_several_clients_share_a_socket_only_its_owner_can_open(tmp_path: Path) -> None:
    async def scene() -> None:
        address = str(tmp_path / "s")
        listener = await listen(address, lambda: Peer(Recorder(echo=echo)))
        mode = stat.S_IMODE((tmp_path / "s").stat().st_mode)
        assert mode & 0o077 == 0
        clients = [await dial(address, Peer(Recorder())) for _ in range(3)]
        assert await asyncio.gather(
            *(client.request("echo", n) for n, client in enumerate(clients))
        ) == [0, 1, 2]
        for client in clients:
            await client.close()
        listener.close()
        assert not (tmp_path / "s").exists()

    run(scene())


@unix_only
def test_an_address_in_use_is_not_taken_over_and_a_dead_one_is(tmp_path: Path) -> None:
    async def scene() -> None:
        address = str(tmp_path / "s")
        listener = await listen(address, lambda: Peer(Recorder()))
        with pytest.raises(AddressInUseError):
            await listen(address, lambda: Peer(Recorder()))
        listener.close()
        _leave_behind(address)
        again = await listen(address, lambda: Peer(Recorder(echo=echo)))
        client = await dial(address, Peer(Recorder()))
        assert await client.request("echo", 1) == 1
        await client.close()
        again.close()

    run(scene())


def _leave_behind(address: str) -> None:
    """A socket without a listener, as a killed process leaves it."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as dead:
        dead.bind(address)


@unix_only
def test_neither_end_talks_to_another_users_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def somebody(_connected: object) -> int:
        return os.geteuid() + 1

    async def scene() -> None:
        address, recorder = str(tmp_path / "s"), Recorder(echo=echo)
        listener = await listen(address, lambda: Peer(recorder))
        monkeypatch.setattr(peer_user, "peer_user", somebody)
        with pytest.raises(PermissionError):
            await dial(address, Peer(Recorder()))
        # The client that does not look: the listener does, and lets it say nothing.
        reader, writer = await asyncio.open_unix_connection(address)
        assert await reader.read() == b""
        writer.close()
        assert recorder.losses == 0
        listener.close()

    run(scene())


@unix_only
def test_an_ordinary_file_at_the_address_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "s").write_text("somebody's notes")

    async def scene() -> None:
        with pytest.raises(AddressInUseError):
            await listen(str(tmp_path / "s"), lambda: Peer(Recorder()))

    run(scene())
    assert (tmp_path / "s").read_text() == "somebody's notes"


@unix_only
@pytest.mark.parametrize("by_threads", [False, True])
def test_a_flood_from_a_client_that_does_not_read_waits_in_its_own_pipe(
    monkeypatch: pytest.MonkeyPatch, *, by_threads: bool
) -> None:
    """Both ways of serving streams stop reading when output piles up, and go on afterwards."""
    if by_threads:
        monkeypatch.setattr(stdio, "_is_pipe", _is_never_a_pipe)
    count = 1_000
    question = b'{"id":%d,"method":"echo","params":"' + b"x" * 1_000 + b'"}\n'

    async def scene() -> None:
        to_peer, from_peer = os.pipe(), os.pipe()
        written = threading.Event()

        def write() -> None:
            with os.fdopen(to_peer[1], "wb") as questions:
                for number in range(count):
                    questions.write(question % number)
            written.set()

        writer = threading.Thread(target=write)
        with (
            os.fdopen(to_peer[0], "rb", 0) as source,
            os.fdopen(from_peer[1], "wb", 0) as sink,
            os.fdopen(from_peer[0], "rb") as answers,
        ):
            peer = Peer(Recorder(echo=echo), Limits(running_requests=count, queued_messages=50))
            await connect_streams(peer, source, sink)
            writer.start()
            await until(lambda: peer._is_read_paused)
            assert not written.is_set()
            lines = await asyncio.to_thread(lambda: [answers.readline() for _ in range(count)])
            await peer.wait_closed()
        writer.join()
        assert sorted(json.loads(line)["id"] for line in lines) == list(range(count))

    run(scene())


def _is_never_a_pipe(stream: IO[bytes]) -> bool:
    del stream
    return False


@unix_only
def test_a_pipe_to_a_slow_reader_loses_nothing() -> None:
    count = 5_000

    async def scene() -> list[int]:
        to_peer, from_peer = os.pipe(), os.pipe()
        heard: list[int] = []

        def read() -> None:
            with os.fdopen(from_peer[0], "rb") as answers:
                heard.extend(json.loads(line)["params"][0] for line in answers)

        reader = threading.Thread(target=read)
        with os.fdopen(to_peer[0], "rb", 0) as source, os.fdopen(from_peer[1], "wb", 0) as sink:
            peer = Peer(Recorder(), Limits(queued_messages=100))
            await connect_streams(peer, source, sink)
            reader.start()
            for number in range(count):
                await peer.notify("n", [number, "x" * 300])
            await peer.close()
        os.close(to_peer[1])
        await asyncio.to_thread(reader.join)
        return heard

    assert run(scene()) == list(range(count))


@unix_only
@pytest.mark.parametrize("is_by_threads", [False, True])
def test_a_reader_that_neither_reads_nor_talks_any_more_is_cut_off(
    monkeypatch: pytest.MonkeyPatch, *, is_by_threads: bool
) -> None:
    """A bug: input is not read while output is full, so its end was never seen."""
    if is_by_threads:
        monkeypatch.setattr(stdio, "_is_pipe", _is_never_a_pipe)

    async def scene() -> None:
        to_peer, from_peer = os.pipe(), os.pipe()
        with os.fdopen(to_peer[0], "rb", 0) as source, os.fdopen(from_peer[1], "wb", 0) as sink:
            peer = Peer(Recorder(echo=echo), Limits(queued_messages=10, closing_s=0.2))
            await connect_streams(peer, source, sink)
            await _ask_until_full(to_peer[1])
            os.close(to_peer[1])
            await peer.wait_closed()
            os.close(from_peer[0])

    run(scene())


async def _ask_until_full(descriptor: int) -> None:
    """Write until two looks find no room: what nobody reads is read no more."""
    asked = json.dumps({"id": 1, "method": "echo", "params": "x" * 4_000}).encode() + b"\n"
    os.set_blocking(descriptor, False)
    loop = asyncio.get_running_loop()
    rest = asked
    while True:
        can_write = asyncio.Event()
        loop.add_writer(descriptor, can_write.set)
        try:
            await asyncio.wait_for(can_write.wait(), 1)
        except TimeoutError:
            return
        finally:
            loop.remove_writer(descriptor)
        rest = rest[os.write(descriptor, rest) :] or asked


@unix_only
def test_a_slow_reader_hears_every_answer_after_the_last_question() -> None:
    """Ours: who reads on, however slowly, is not cut off for having nothing more to say."""
    count = 300

    async def scene() -> list[int]:
        to_peer, from_peer = os.pipe(), os.pipe()
        heard = bytearray()
        with os.fdopen(to_peer[0], "rb", 0) as source, os.fdopen(from_peer[1], "wb", 0) as sink:
            peer = Peer(Recorder(echo=echo), Limits(queued_messages=10, closing_s=0.5))
            await connect_streams(peer, source, sink)
            asking = asyncio.create_task(asyncio.to_thread(ask, to_peer[1]))
            while not peer.is_closing:
                heard += await asyncio.to_thread(os.read, from_peer[0], 2_000)
            await asking
            while chunk := await asyncio.to_thread(os.read, from_peer[0], 65_536):
                heard += chunk
            await peer.wait_closed()
        os.close(from_peer[0])
        return [json.loads(line)["id"] for line in bytes(heard).splitlines()]

    def ask(descriptor: int) -> None:
        with os.fdopen(descriptor, "wb") as requests:
            for number in range(count):
                said = {"id": number, "method": "echo", "params": "x" * 4_000}
                requests.write(json.dumps(said).encode() + b"\n")

    assert run(scene()) == list(range(count))
