"""The desktop keeps its App Server running, and fails closed without one (the standard)."""

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path

import pytest

from lime_desktop.host.app_server_client.connection import AppServerConnection
from lime_desktop.host.app_server_client.sidecar import Sidecar, scrubbed_environment
from lime_desktop.host.app_server_client.supervisor import (
    AppServerSupervisor,
    Down,
    Prepare,
    Running,
    ServerState,
    Starting,
    Stopped,
)
from lime_desktop.protocol.app_call import APP_CALL, AppCaller, AppCallParams
from lime_desktop.protocol.calls.apps import UNREGISTER_APP, UnregisterAppParams
from lime_desktop.protocol.calls.capabilities import LIST_CAPABILITIES, ListCapabilitiesParams
from lime_desktop.protocol.calls.sessions import READ_SESSION, ReadSessionParams
from lime_desktop.protocol.errors import (
    AppServerUnavailable,
    InstallationBroken,
    InternalError,
    SessionNotFound,
    TimedOut,
)
from lime_desktop.protocol.ids import AppId, SessionId
from tests.app_server.agent_tasks.tasks_at_work import PROVENANCE

SERVER = str(Path(__file__).parent / "small_server.py")
READ = ReadSessionParams(session_id=SessionId("s1"))
CHANGE = UnregisterAppParams(app_id=AppId("notes"))
WAIT_S = 60.0


def start(behaviour: str) -> Awaitable[Sidecar]:
    return Sidecar.start((sys.executable, SERVER, behaviour))


def is_alive(pid: int) -> bool:
    """Tell whether a process is still there; one that ended and was not waited for counts as there."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def run(scenario: Callable[[], Coroutine[None, None, None]]) -> None:
    """Run a scenario, bounded."""
    asyncio.run(asyncio.wait_for(scenario(), WAIT_S))


async def need_nothing(_connection: AppServerConnection) -> None:
    """Most scenes prepare nothing."""


class Kept:
    """A supervisor whose states can be awaited."""

    def __init__(
        self, *behaviours: str, prepare: Prepare = need_nothing, hold_s: float = 0.0
    ) -> None:
        self.states: asyncio.Queue[ServerState] = asyncio.Queue()
        self.sidecars: list[Sidecar] = []
        self._behaviours = list(behaviours)
        self.supervisor = AppServerSupervisor(
            self._start, prepare=prepare, jitter=lambda: 0.0, hold_s=hold_s
        )
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
        kept = Kept("die-on-call", "steady")
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


def test_a_server_that_cannot_be_prepared_is_ended_and_tried_again() -> None:
    """A bug met while a server starts leaves no process behind, and no desktop that says "starting" for ever."""

    async def scenario() -> None:
        bugs = [RuntimeError("private words"), KeyError("unexpected")]

        async def prepare(_connection: AppServerConnection) -> None:
            if bugs:
                raise bugs.pop(0)

        kept = Kept("steady", prepare=prepare)
        kept.supervisor.start()
        waits: list[float] = []
        for sidecars in (1, 2):
            down = await kept.until(Down)
            assert isinstance(down, Down)
            assert isinstance(down.failure, InternalError)
            assert "private words" not in down.reason
            assert len(kept.sidecars) == sidecars
            assert not is_alive(kept.sidecars[-1].pid)
            with pytest.raises(AppServerUnavailable, match="not running"):
                await kept.supervisor.call(READ_SESSION, READ)
            waits.append(down.retry_in_s)
            kept.supervisor.retry()
        assert waits == [0.25, 0.5]
        await kept.until(Running)
        await kept.supervisor.stop()
        assert not is_alive(kept.sidecars[-1].pid)

    run(scenario)


def test_what_a_server_says_while_it_is_prepared_names_the_failure() -> None:
    async def scenario() -> None:
        async def prepare(connection: AppServerConnection) -> None:
            await connection.call(READ_SESSION, READ)

        kept = Kept("steady", prepare=prepare)
        kept.supervisor.start()
        down = await kept.until(Down)
        assert isinstance(down, Down)
        assert isinstance(down.failure, SessionNotFound)
        assert not is_alive(kept.sidecars[0].pid)
        await kept.supervisor.stop()

    run(scenario)


def test_a_start_that_fails_in_an_unexpected_way_is_tried_again() -> None:
    async def scenario() -> None:
        failures = [ValueError("unexpected")]

        async def begin() -> Sidecar:
            if failures:
                raise failures.pop()
            return await start("steady")

        supervisor = AppServerSupervisor(begin, jitter=lambda: 0.0)
        states: asyncio.Queue[ServerState] = asyncio.Queue()
        supervisor.watch(states.put_nowait)
        supervisor.start()
        kinds = [(await states.get()).kind for _ in range(4)]
        assert kinds == ["starting", "down", "starting", "running"]
        await supervisor.stop()

    run(scenario)


def test_a_wait_that_fails_ends_the_server_it_waited_for() -> None:
    async def scenario() -> None:
        class Forgetful(Sidecar):
            async def wait_ended(self) -> int:
                raise OSError("unexpected")

        sidecars: list[Sidecar] = []

        async def begin() -> Sidecar:
            sidecars.append(await Forgetful.start((sys.executable, SERVER, "steady")))
            return sidecars[-1]

        supervisor = AppServerSupervisor(begin, jitter=lambda: 0.0)
        states: asyncio.Queue[ServerState] = asyncio.Queue()
        supervisor.watch(states.put_nowait)
        supervisor.start()
        kinds = [(await states.get()).kind for _ in range(3)]
        assert kinds == ["starting", "running", "down"]
        assert not is_alive(sidecars[0].pid)
        await supervisor.stop()

    run(scenario)


def test_stopping_waits_for_a_server_that_is_being_ended() -> None:
    """A desktop that is left while it ends a server it could not prepare leaves no process behind."""

    async def scenario() -> None:
        is_ending = asyncio.Event()

        class Slow(Sidecar):
            async def stop(self) -> int:
                is_ending.set()
                await asyncio.sleep(0.1)
                return await super().stop()

        sidecars: list[Sidecar] = []

        async def begin() -> Sidecar:
            sidecars.append(await Slow.start((sys.executable, SERVER, "steady")))
            return sidecars[-1]

        async def prepare(_connection: AppServerConnection) -> None:
            raise RuntimeError("unexpected")

        supervisor = AppServerSupervisor(begin, prepare=prepare)
        supervisor.start()
        await is_ending.wait()
        await supervisor.stop()
        assert not is_alive(sidecars[0].pid)
        assert supervisor.state == Stopped()

    run(scenario)


def test_why_a_server_is_ended_is_told_though_it_cannot_be_ended() -> None:
    async def scenario() -> None:
        class Unstoppable(Sidecar):
            async def stop(self) -> int:
                await super().stop()
                raise OSError("unexpected")

        async def prepare(_connection: AppServerConnection) -> None:
            raise InstallationBroken("A part is missing")

        supervisor = AppServerSupervisor(
            lambda: Unstoppable.start((sys.executable, SERVER, "steady")), prepare=prepare
        )
        states: asyncio.Queue[ServerState] = asyncio.Queue()
        supervisor.watch(states.put_nowait)
        supervisor.start()
        _starting, down = [await states.get() for _ in range(2)]
        assert isinstance(down, Down)
        assert isinstance(down.failure, InstallationBroken)
        await supervisor.stop()

    run(scenario)


def test_a_watcher_that_fails_hurts_no_other_and_no_server() -> None:
    async def scenario() -> None:
        kept = Kept("steady")

        def fail(state: ServerState) -> None:
            raise RuntimeError(state.kind)

        heard: list[str] = []
        supervisor = kept.supervisor
        supervisor.watch(fail)
        supervisor.watch(lambda state: heard.append(state.kind))
        supervisor.start()
        await kept.until(Running)
        with pytest.raises(SessionNotFound):
            await supervisor.call(READ_SESSION, READ)
        await supervisor.stop()
        assert heard == ["starting", "running", "stopped"]
        assert not is_alive(kept.sidecars[0].pid)

    run(scenario)


def test_the_first_state_is_starting() -> None:
    async def scenario() -> None:
        kept = Kept("steady")
        kept.supervisor.start()
        assert await kept.states.get() == Starting(1)
        await kept.supervisor.stop()

    run(scenario)


def test_a_call_waits_for_a_server_that_starts_or_fails_the_first_time() -> None:
    """A bug: pages asked in the seconds of a start, were refused, and kept showing it."""

    async def scenario() -> None:
        kept = Kept("die", "steady", hold_s=WAIT_S)
        kept.supervisor.start()
        await kept.until(Starting)
        with pytest.raises(SessionNotFound):
            await kept.supervisor.call(READ_SESSION, READ)
        await kept.supervisor.stop()

    run(scenario)


def test_a_call_waits_for_a_server_that_is_expected_and_no_other() -> None:
    async def scenario() -> None:
        kept = Kept("steady", hold_s=WAIT_S)
        with pytest.raises(AppServerUnavailable, match="was stopped"):
            await kept.supervisor.call(READ_SESSION, READ)
        kept.supervisor.expect()
        asked = asyncio.ensure_future(kept.supervisor.call(READ_SESSION, READ))
        await asyncio.sleep(0)
        kept.supervisor.start()
        with pytest.raises(SessionNotFound):
            await asked
        await kept.supervisor.stop()

    run(scenario)


def test_a_call_waits_no_longer_than_whoever_asks() -> None:
    async def scenario() -> None:
        kept = Kept("die", hold_s=0.05)
        kept.supervisor.start()
        await kept.until(Down)
        with pytest.raises(AppServerUnavailable, match=r"not running|still starting"):
            await kept.supervisor.call(READ_SESSION, READ)
        await kept.supervisor.stop()

    run(scenario)


def test_what_only_reads_is_asked_again_and_nothing_else() -> None:
    """Of a change that was on its way when the server went nobody knows whether it was made."""

    async def scenario() -> None:
        kept = Kept("die-on-call", "steady", hold_s=WAIT_S)
        kept.supervisor.start()
        await kept.until(Running)
        with pytest.raises(SessionNotFound):
            await kept.supervisor.call(READ_SESSION, READ)
        assert len(kept.sidecars) == 2
        await kept.supervisor.stop()
        kept = Kept("die-on-call", "steady", hold_s=WAIT_S)
        kept.supervisor.start()
        await kept.until(Running)
        with pytest.raises(AppServerUnavailable, match="during the call"):
            await kept.supervisor.call(UNREGISTER_APP, CHANGE)
        await kept.until(Running)
        await kept.supervisor.stop()

    run(scenario)


@pytest.mark.parametrize(
    ("call", "outcome"),
    [
        ("lime.review.requestDecision", "asked again"),
        ("lime.storage.get", "asked again"),
        ("lime.storage.set", "went away"),
    ],
)
def test_an_apps_call_is_asked_again_where_that_does_no_more(call: str, outcome: str) -> None:
    """A bug: a page that waited for a review was told of a server that went, and its person of an error."""
    caller = AppCaller.model_validate({"provenance": PROVENANCE})

    async def scenario() -> None:
        kept = Kept("die-on-call", "steady", hold_s=WAIT_S)
        kept.supervisor.start()
        await kept.until(Running)
        try:
            await kept.supervisor.call(APP_CALL, AppCallParams(caller=caller, call=call))
            told = "asked again"
        except AppServerUnavailable:
            told = "went away"
        assert told == outcome
        await kept.supervisor.stop()

    run(scenario)


def test_a_server_that_went_is_not_asked_before_the_next_is_there() -> None:
    """What was never sent waits, whatever it would change."""

    async def scenario() -> None:
        kept = Kept("steady", hold_s=WAIT_S)
        kept.supervisor.start()
        running = await kept.until(Running)
        assert isinstance(running, Running)
        os.kill(kept.sidecars[0].pid, signal.SIGKILL)
        await running.connection.wait_ended()
        await kept.supervisor.call(UNREGISTER_APP, CHANGE)
        assert len(kept.sidecars) == 2
        await kept.supervisor.stop()

    run(scenario)


def test_a_call_waits_for_the_newest_changes_no_longer_than_for_an_answer() -> None:
    async def scenario() -> None:
        never = asyncio.Event()
        supervisor = AppServerSupervisor(lambda: start("steady"), pending_sync=never.wait)
        states: asyncio.Queue[ServerState] = asyncio.Queue()
        supervisor.watch(states.put_nowait)
        supervisor.start()
        while not isinstance(await states.get(), Running):
            pass
        with pytest.raises(TimedOut, match="newest changes"):
            await supervisor.call(READ_SESSION, READ, timeout_s=0.01)
        await supervisor.stop()

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
