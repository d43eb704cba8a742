"""One program per data folder: a lock decides, a private socket carries what later starts were asked for (ours)."""

import asyncio
import os
import socket
import stat
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from lime_desktop.host.startup import single_instance
from lime_desktop.host.startup.later_starts import LaterStarts
from lime_desktop.host.startup.single_instance import NoAnswerError, be_first_or_hand_over
from lime_desktop.jsonrpc import peer_user

needs_unix = pytest.mark.skipif(sys.platform == "win32", reason="has no Unix sockets in Python")
WAIT_S = 5.0


@asynccontextmanager
async def first_of(data: Path) -> AsyncGenerator[list[str]]:
    """A first instance that keeps what it hears."""
    first = be_first_or_hand_over(data, "")
    assert first is not None
    heard: list[str] = []
    later_starts = LaterStarts(first, heard.append)
    await later_starts.hear()
    try:
        yield heard
    finally:
        later_starts.close()
        first.release()


async def later(data: Path, message: str, wait_s: float = WAIT_S) -> object:
    return await asyncio.to_thread(be_first_or_hand_over, data, message, wait_s)


def address_of(data: Path) -> tuple[str, str]:
    address, word = (data / "desktop.address").read_text("utf-8").splitlines()[:2]
    return address, word


@pytest.fixture(params=["unix", "tcp"])
def transport(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways to listen; the second is what a system without Unix sockets has."""
    if request.param == "unix" and sys.platform == "win32":
        pytest.skip("has no Unix sockets in Python")
    if request.param == "tcp":

        def no_file(_data: Path) -> None:
            return None

        monkeypatch.setattr(single_instance, "_socket_file", no_file)
    return request.param


@pytest.mark.usefixtures("transport")
@pytest.mark.parametrize(
    "message",
    [
        "lime://app/hello-lime",
        "",
        "/a folder\nwith two lines",
        f"/päckage/{'x' * 4_000}",
        "/\udce4",
    ],
)
def test_what_a_later_start_was_asked_for_is_heard(tmp_path: Path, message: str) -> None:
    async def run() -> None:
        async with first_of(tmp_path) as heard:
            assert await later(tmp_path, message) is None
            assert heard == [message]

    asyncio.run(run())


@pytest.mark.usefixtures("transport")
def test_what_is_handed_over_while_the_first_loads_waits_for_it(tmp_path: Path) -> None:
    async def run() -> None:
        first = be_first_or_hand_over(tmp_path, "")
        assert first is not None
        waiting = [asyncio.create_task(later(tmp_path, f"lime://app/a{each}")) for each in range(3)]
        heard: list[str] = []
        later_starts = LaterStarts(first, heard.append)
        await later_starts.hear()
        assert await asyncio.gather(*waiting) == [None] * 3
        assert sorted(heard) == [f"lime://app/a{each}" for each in range(3)]
        later_starts.close()
        first.release()

    asyncio.run(run())


def test_one_that_holds_the_folder_and_never_answers_is_named(tmp_path: Path) -> None:
    first = be_first_or_hand_over(tmp_path, "")
    assert first is not None
    with pytest.raises(NoAnswerError):
        be_first_or_hand_over(tmp_path, "", 0.3)
    first.release()


def test_who_waits_for_one_that_ends_is_the_next_first(tmp_path: Path) -> None:
    async def run() -> None:
        first = be_first_or_hand_over(tmp_path, "")
        assert first is not None
        first.stop_listening()
        waiting = asyncio.create_task(later(tmp_path, "lime://app/x"))
        await asyncio.sleep(0)
        first.release()
        second = await waiting
        assert isinstance(second, single_instance.FirstInstance)
        second.release()

    asyncio.run(run())


def test_each_data_folder_has_its_own_first(tmp_path: Path) -> None:
    firsts = [be_first_or_hand_over(tmp_path / name, "") for name in ("a", "b")]
    for each in firsts:
        assert each is not None
        each.release()


@pytest.mark.usefixtures("transport")
@pytest.mark.parametrize(
    "said", [b"x" * (2 * single_instance.LONGEST_MESSAGE), b"wrong\0lime://app/x\0", b"\0\0"]
)
def test_a_guest_without_the_word_or_with_too_many_is_shown_out(
    tmp_path: Path, said: bytes
) -> None:
    async def run() -> None:
        async with first_of(tmp_path) as heard:
            address, _ = address_of(tmp_path)
            reader, writer = await (
                asyncio.open_connection("127.0.0.1", int(address))
                if address.isdecimal()
                else asyncio.open_unix_connection(address)
            )
            writer.write(said)
            assert await asyncio.wait_for(_rest(reader), WAIT_S) == b""
            writer.close()
            assert heard == []

    asyncio.run(run())


async def _rest(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.read()
    except ConnectionError:
        return b""


# Who may come near.


@needs_unix
def test_the_socket_lies_in_the_runtime_folder_with_nothing_open_to_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runtime = Path("/dev/shm") if Path("/dev/shm").is_dir() else Path("/tmp")  # noqa: S108 - short
    runtime = runtime / f"lime-test-{os.getpid()}"
    runtime.mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    data = tmp_path / "data"
    first = be_first_or_hand_over(data, "")
    assert first is not None
    address, _ = address_of(data)
    assert Path(address).parent == runtime
    modes = {
        path.name: stat.S_IMODE(path.stat().st_mode)
        for path in (data, data / "desktop.address", Path(address))
    }
    assert modes == {"data": 0o700, "desktop.address": 0o600, Path(address).name: 0o600}
    first.release()
    assert list(runtime.iterdir()) == []
    runtime.rmdir()


@needs_unix
@pytest.mark.parametrize("is_there", [True, False])
def test_a_runtime_folder_that_is_not_ours_alone_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_there: bool
) -> None:
    runtime = tmp_path / "run"
    if is_there:
        runtime.mkdir()
        runtime.chmod(0o777)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    data = tmp_path / ("long" * 30)
    first = be_first_or_hand_over(data, "")
    assert first is not None
    folder = Path(address_of(data)[0]).parent
    assert folder != runtime
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    first.release()
    assert not folder.exists()


@needs_unix
def test_neither_end_talks_to_another_users_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def somebody(_connected: object) -> int:
        return os.geteuid() + 1

    async def run() -> None:
        async with first_of(tmp_path) as heard:
            address, word = address_of(tmp_path)
            monkeypatch.setattr(peer_user, "peer_user", somebody)
            # The guest that does not look: the first one does.
            reader, writer = await asyncio.open_unix_connection(address)
            writer.write(f"{word}\0lime://app/x\0".encode())
            assert await asyncio.wait_for(_rest(reader), WAIT_S) == b""
            writer.close()
            with pytest.raises(NoAnswerError):
                await later(tmp_path, "lime://app/x", 0.3)
            assert heard == []

    asyncio.run(run())


@needs_unix
def test_a_later_start_says_nothing_to_another_users_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[bytes] = []

    async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        said.append(await _rest(reader))
        writer.close()

    def somebody(_connected: object) -> int:
        return os.geteuid() + 1

    async def run() -> None:
        first = be_first_or_hand_over(tmp_path, "")
        assert first is not None
        address, _word = address_of(tmp_path)
        # Somebody else takes the place of the first one's socket.
        async with await asyncio.start_unix_server(listen, address):
            monkeypatch.setattr(peer_user, "peer_user", somebody)
            with pytest.raises(NoAnswerError):
                await later(tmp_path, "lime://app/x", 0.3)
        first.release()

    asyncio.run(run())
    assert said
    assert not any(said)


@needs_unix
def test_the_kernel_names_our_own_user() -> None:
    one, other = socket.socketpair(socket.AF_UNIX)
    with one, other:
        assert peer_user.is_own_user(one)
