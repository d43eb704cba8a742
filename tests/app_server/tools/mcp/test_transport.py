"""What is left of a tool server once its transport is closed."""

import asyncio
from pathlib import Path

import pytest

from lime_desktop.app_server.children.leashed_process import LeashedProcess
from tests.app_server.bounded import run
from tests.app_server.tools.mcp.conftest import NEEDS_MCP, command_of

pytestmark = NEEDS_MCP
_DESCRIPTORS = Path("/proc/self/fd")
_LATE_S = 0.5
"""Longer than a server needs to say more than is kept for a reader."""


def open_files() -> int:
    return len(list(_DESCRIPTORS.iterdir()))


@pytest.mark.skipif(not _DESCRIPTORS.is_dir(), reason="open files cannot be counted here")
def test_a_server_that_says_too_much_until_its_end_leaves_no_pipe_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bug: nobody read on after the verdict, so a server that was ended late kept its pipe and what waited in it."""
    # Imported here: the module needs the mcp package, and collecting tests must not.
    from lime_desktop.app_server.tools.mcp.transport import (  # noqa: PLC0415
        ServerProcess,
        process_transport,
    )

    release = LeashedProcess.release

    def release_late(child: LeashedProcess) -> None:
        asyncio.get_running_loop().call_later(_LATE_S, release, child)

    monkeypatch.setattr(LeashedProcess, "release", release_late)
    command = command_of("raw_server.py", "endless")

    async def scene() -> None:
        process = ServerProcess()
        before = open_files()
        async with process_transport(command, tmp_path, {}, process):
            await process.ended.wait()
        assert process.failure == "tool_output_too_large"
        assert open_files() == before

    run(scene())
