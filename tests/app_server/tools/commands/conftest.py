"""Both ways of running a command: in the sandbox, where this machine has one, and without."""

import asyncio
import os
from pathlib import Path

import pytest

from lime_desktop.app_server.tools.commands.sandbox import Sandbox, find_sandbox

if os.name != "posix":
    pytest.skip("commands are confined on POSIX systems only", allow_module_level=True)

NO_SANDBOX = Sandbox("none", absence="The test wants none.", mend="sudo get a wall")


@pytest.fixture
def bubblewrap() -> Sandbox:
    found = find_sandbox()
    if found.mode != "bubblewrap":
        pytest.skip(f"there is no sandbox here: {found.absence}")
    return found


@pytest.fixture(params=["bubblewrap", "none"])
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    if request.param == "none":
        return NO_SANDBOX
    found: Sandbox = request.getfixturevalue("bubblewrap")
    return found


async def until_gone(word: str) -> None:
    """Wait until no process of this machine has this word on its command line."""
    while _is_running(word):  # noqa: ASYNC110 - the kernel tells nobody
        await asyncio.sleep(0.01)


def _is_running(word: str) -> bool:
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if word in process.read_text(errors="replace").split("\0"):
                return True
        except OSError:
            continue
    return False
