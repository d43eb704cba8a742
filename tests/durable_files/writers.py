"""Real processes that write the same files at the same moment, as command line and App Server do.

Run as a program it is one of them: `python -m tests.durable_files.writers KIND FOLDER NAME COUNT` waits for a line, then
writes as often as it was told, each time something of its own.
"""

import asyncio
import contextlib
import subprocess
import sys
from collections.abc import Callable, Generator
from pathlib import Path

from pydantic import SecretStr

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.execution.acp.agents import agents_in
from lime_desktop.app_server.providers.store import open_provider_store
from lime_desktop.app_server.secrets.sealed_file import SealedFile
from lime_desktop.app_server.secrets.store import open_secret_store
from lime_desktop.app_server.tools.mcp.store import McpServerStore
from lime_desktop.host.models.provider_changes import (
    MONTHLY_COST,
    ORDER,
    PER_MINUTE,
    TASK_COST,
    changed,
)
from lime_desktop.protocol.calls.external_agents import AddAgentParams, ExternalAgent
from lime_desktop.protocol.calls.mcp_servers import McpServerSettings
from lime_desktop.protocol.ids import TraceId

REPOSITORY = Path(__file__).resolve().parents[2]
WAIT_S = 60.0
"""Generous: a process starts slowly on a busy machine. No test waits that long in vain."""
CONTEXT = CallContext(trace_id=TraceId("test"), client_name="test")


def write_sealed(folder: Path, name: str, count: int) -> None:
    """Seal values, the first of which needs a key."""
    for number in range(count):
        SealedFile(folder).write(f"{name}-{number}", f"value of {name}-{number}")


def write_servers(folder: Path, name: str, count: int) -> None:
    """Set tool servers up."""
    for number in range(count):
        settings = McpServerSettings(server_id=f"{name}-{number}", command=("true",))
        McpServerStore(folder).put(settings)


def write_agents(folder: Path, name: str, count: int) -> None:
    """Set external agents up."""

    async def write() -> None:
        for number in range(count):
            agent = ExternalAgent(agent_id=f"{name}-{number}", title="One", command=("true",))
            await agents_in(folder).add(AddAgentParams(agent=agent), CONTEXT)

    asyncio.run(write())


def fill_slots(folder: Path, name: str, count: int) -> None:
    """Open the databases of a folder in which there are none yet, and fill slots of secrets."""

    async def write() -> None:
        secrets = open_secret_store(folder, lambda: None)
        providers = open_provider_store(folder, secrets)
        try:
            for number in range(count):
                await secrets.put(f"app:{name}", f"slot-{number}", SecretStr(f"{name}-{number}"))
                await secrets.put("app:shared", f"slot-{number}", SecretStr(f"{name}-{number}"))
        finally:
            providers.close()
            secrets.close()

    asyncio.run(write())


def change_provider(folder: Path, name: str, count: int) -> None:
    """Change a provider that is set up already, each writer another field, as `providers set` does."""
    field = PROVIDER_FIELDS[name]

    async def write() -> None:
        secrets = open_secret_store(folder, lambda: None)
        providers = open_provider_store(folder, secrets)
        try:
            for number in range(1, count + 1):
                await providers.change(
                    "p1", lambda settings, number=number: changed(settings, {field: number})
                )
        finally:
            providers.close()
            secrets.close()

    asyncio.run(write())


PROVIDER_FIELDS = {"w0": ORDER, "w1": PER_MINUTE, "w2": MONTHLY_COST, "w3": TASK_COST}
KINDS: dict[str, Callable[[Path, str, int], None]] = {
    "sealed": write_sealed,
    "servers": write_servers,
    "agents": write_agents,
    "slots": fill_slots,
    "provider": change_provider,
}


@contextlib.contextmanager
def begun_writers(
    kind: str, folder: Path, writers: int, count: int
) -> Generator[list[subprocess.Popen[str]]]:
    """Start processes and let them go at the same moment, once all are ready. None is left afterwards."""
    processes = [
        subprocess.Popen(  # noqa: S603 - our own program
            [
                *(sys.executable, "-m", "tests.durable_files.writers"),
                *(kind, str(folder), f"w{number}", str(count)),
            ],
            cwd=REPOSITORY,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(writers)
    ]
    try:
        for process in processes:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n", process.communicate(timeout=WAIT_S)
        for process in processes:
            assert process.stdin is not None
            process.stdin.write("\n")
            process.stdin.flush()
        yield processes
    finally:
        for process in processes:
            process.kill()
            process.communicate(timeout=WAIT_S)


def write_at_once(kind: str, folder: Path, writers: int, count: int) -> None:
    """Let several processes write, and see that each of them could."""
    with begun_writers(kind, folder, writers, count) as processes:
        failures = [process.communicate(timeout=WAIT_S)[1] for process in processes]
        assert [process.returncode for process in processes] == [0] * writers, failures


def main(kind: str, folder: str, name: str, count: str) -> None:
    """Be one of the writers."""
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()
    KINDS[kind](Path(folder), name, int(count))


if __name__ == "__main__":
    main(*sys.argv[1:])
