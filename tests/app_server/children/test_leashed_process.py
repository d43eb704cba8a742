"""No program that the App Server started outlives it, and none inherits a key (ours)."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from lime_desktop.app_server.children.leashed_process import (
    LeashedProcess,
    Streams,
    clean_environment,
)

ROOT = Path(__file__).resolve().parents[3]
PATIENCE_S = 60

# Starts a child of its own and says so; both hold standard output open for an hour.
FAMILY = (
    "import subprocess, sys, time;"
    "subprocess.Popen([sys.executable, '-c', 'import time; print(\"grandchild\", flush=True);"
    " time.sleep(3600)']);"
    "print('child', flush=True); time.sleep(3600)"
)
HOLDER = """
import asyncio, sys
from lime_desktop.app_server.children.leashed_process import LeashedProcess, Streams

async def hold():
    await LeashedProcess.start([sys.executable, "-c", sys.argv[1]], streams=Streams(stdout=1))
    await asyncio.Event().wait()

asyncio.run(hold())
"""

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the leash is a pipe of POSIX")


@pytest.mark.system
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_killed_server_leaves_neither_child_nor_grandchild(number: int) -> None:
    with subprocess.Popen(  # noqa: S603 - our own code
        [sys.executable, "-c", HOLDER, FAMILY], stdout=subprocess.PIPE, cwd=ROOT
    ) as holder:
        assert holder.stdout is not None
        assert {holder.stdout.readline(), holder.stdout.readline()} == {b"child\n", b"grandchild\n"}
        holder.send_signal(number)
        # Ends only when nobody holds the pipe any more.
        assert holder.stdout.read() == b""


@pytest.mark.system
def test_a_released_child_takes_its_own_children_along() -> None:
    async def scenario() -> None:
        child = await LeashedProcess.start(
            [sys.executable, "-c", FAMILY], streams=Streams(stdout=subprocess.PIPE)
        )
        assert child.process.stdout is not None
        async with asyncio.timeout(PATIENCE_S):
            await child.process.stdout.readline()
            await child.process.stdout.readline()
            child.release()
            assert await child.process.stdout.read() == b""
            assert await child.ended() == 128 + signal.SIGKILL

    asyncio.run(scenario())


@pytest.mark.system
def test_what_a_child_leaves_running_ends_with_it() -> None:
    async def scenario() -> None:
        orphaning = FAMILY.replace('; time.sleep(3600)"', '"').replace(
            "print('child', flush=True); time.sleep(3600)", "sys.stdin.read(); sys.exit(7)"
        )
        child = await LeashedProcess.start(
            [sys.executable, "-c", orphaning],
            streams=Streams(stdin=subprocess.PIPE, stdout=subprocess.PIPE),
        )
        assert child.process.stdout is not None
        assert child.process.stdin is not None
        async with asyncio.timeout(PATIENCE_S):
            assert await child.process.stdout.readline() == b"grandchild\n"
            child.process.stdin.close()
            assert await child.ended() == 7
            assert await child.process.stdout.read() == b""

    asyncio.run(scenario())


def test_a_program_that_is_not_there_is_an_ordinary_failure() -> None:
    async def scenario() -> int:
        child = await LeashedProcess.start(["/no/such/program"])
        return await child.ended()

    assert asyncio.run(scenario()) == 127


def test_a_child_sees_no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "sk-secret")
    monkeypatch.setenv("PLAIN", "kept")
    environment = clean_environment(MORE="yes")
    assert "SOME_API_KEY" not in environment
    assert (environment["PLAIN"], environment["MORE"]) == ("kept", "yes")
    assert os.environ["SOME_API_KEY"] == "sk-secret"
