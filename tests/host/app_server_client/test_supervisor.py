"""The desktop keeps its App Server running, and fails closed without one (the standard)."""

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path

import pytest

from lime_desktop.host.app_server_client.sidecar import Sidecar, scrubbed_environment
from lime_desktop.host.app_server_client.supervisor import (
    AppServerSupervisor,
    Down,
    Running,
    ServerState,
    Starting,
    Stopped,
)
from lime_desktop.protocol.calls.capabilities import LIST_CAPABILITIES, ListCapabilitiesParams
from lime_desktop.protocol.calls.sessions import READ_SESSION, ReadSessionParams
from lime_desktop.protocol.errors import AppServerUnavailable, InstallationBroken, SessionNotFound
from lime_desktop.protocol.ids import SessionId

SERVER = str(Path(__file__).parent / "small_server.py")
READ = ReadSessionParams(session_id=SessionId("s1"))
WAIT_S = 60.0


def start(behaviour: str) -> Awaitable[Sidecar]:
    return Sidecar.start((sys.executable, SERVER, behaviour))


def run(scenario: Callable[[], Coroutine[None, None, None]]) -> None:
    """Run a scenario, bounded."""
    asyncio.run(asyncio.wait_for(scenario(), WAIT_S))


class Kept:
    """A supervisor whose states can be awaited."""

    def __init__(self, *behaviours: str) -> None:
        self.states: asyncio.Queue[ServerState] = asyncio.Queue()
        self.sidecars: list[Sidecar] = []
        self._behaviours = list(behaviours)
        self.supervisor = AppServerSupervisor(self._start, jitter=lambda: 0.0)
        self.supervisor.watch(self.states.put_nowait)

    async def _start(self) -> Sidecar:
        behaviour = self._behaviours.pop(0) if len(self._behaviours) > 1 else self._behaviours[0]
        sidecar = await start(behaviour)
        self.sidecars.append(sidecar)
        return sidecar

    async def until(self, kind: type[ServerState]) -> ServerState:
        while not isinstance(state := await self.states.get(), kind):
            pass
        return state


@pytest.mark.requirement("RT-05")
def test_a_call_reaches_the_server_and_its_errors_come_back_by_name() -> None:
    async def scenario() -> None:
        sidecar = await start("steady")
        with pytest.raises(SessionNotFound, match="No such session") as caught:
            await sidecar.connection.call(READ_SESSION, READ)
        assert caught.value.details == {"sessionId": "s1"}
        assert await sidecar.stop() == 0

    run(scenario)


def test_an_unreadable_answer_is_an_absent_server() -> None:
    async def scenario() -> None:
        sidecar = await start("steady")
        with pytest.raises(AppServerUnavailable):
            await sidecar.connection.call(LIST_CAPABILITIES, ListCapabilitiesParams())
        await sidecar.stop()

    run(scenario)


def test_a_server_that_ends_at_once_is_reported_with_its_reason() -> None:
    async def scenario() -> None:
        kept = Kept("die")
        kept.supervisor.start()
        down = await kept.until(Down)
        assert isinstance(down, Down)
        with pytest.raises(AppServerUnavailable):
            await kept.supervisor.call(READ_SESSION, READ)
        await kept.supervisor.stop()
        assert kept.supervisor.state == Stopped()

    run(scenario)


def test_a_program_that_is_not_there_is_reported() -> None:
    async def scenario() -> None:
        with pytest.raises(InstallationBroken, match="could not be started"):
            await Sidecar.start(("/nowhere/app-server",))

    run(scenario)


def test_a_killed_server_comes_back() -> None:
    async def scenario() -> None:
        kept = Kept("steady")
        kept.supervisor.start()
        await kept.until(Running)
        os.kill(kept.sidecars[0].pid, signal.SIGKILL)
        down = await kept.until(Down)
        assert isinstance(down, Down)
        kept.supervisor.retry()
        await kept.until(Running)
        with pytest.raises(SessionNotFound):
            await kept.supervisor.call(READ_SESSION, READ)
        await kept.supervisor.stop()

    run(scenario)


def test_a_call_under_way_fails_when_the_server_dies() -> None:
    async def scenario() -> None:
        kept = Kept("die-on-read", "steady")
        kept.supervisor.start()
        await kept.until(Running)
        with pytest.raises(AppServerUnavailable, match="went away"):
            await kept.supervisor.call(READ_SESSION, READ)
        await kept.supervisor.stop()

    run(scenario)


def test_waits_grow_from_failure_to_failure() -> None:
    async def scenario() -> None:
        kept = Kept("die")
        kept.supervisor.start()
        waits: list[float] = []
        for _ in range(3):
            down = await kept.until(Down)
            assert isinstance(down, Down)
            waits.append(down.retry_in_s)
            kept.supervisor.retry()
        assert waits == [0.25, 0.5, 1.0]
        await kept.supervisor.stop()

    run(scenario)


def test_the_first_state_is_starting() -> None:
    async def scenario() -> None:
        kept = Kept("steady")
        kept.supervisor.start()
        assert await kept.states.get() == Starting(1)
        await kept.supervisor.stop()

    run(scenario)


def test_what_a_person_typed_waits_for_a_server_that_starts() -> None:
    async def scenario() -> None:
        kept = Kept("steady")
        kept.supervisor.start()
        await kept.until(Starting)
        with pytest.raises(AppServerUnavailable, match="still starting"):
            await kept.supervisor.call(READ_SESSION, READ)
        with pytest.raises(SessionNotFound):
            await kept.supervisor.call_once_started(READ_SESSION, READ)
        await kept.supervisor.stop()

    run(scenario)


@pytest.mark.requirement("RT-36")
def test_nothing_named_like_a_secret_reaches_the_server() -> None:
    given = {
        "PATH": "/bin",
        "OPENAI_API_KEY": "k",
        "GITHUB_TOKEN": "t",
        "db_password": "p",
        "LANG": "C",
    }
    assert scrubbed_environment(given) == {"PATH": "/bin", "LANG": "C"}
