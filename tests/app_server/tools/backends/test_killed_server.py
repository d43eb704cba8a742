"""kill -9 of the App Server while backends run: nothing of them is left, whatever they ignore."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.app_server.bounded import run
from tests.app_server.tools.backends.backend_app import write_backend_app
from tests.app_server.tools.backends.main_program import MAIN
from tests.app_server.tools.commands.conftest import until_gone
from tests.sandboxed import NEEDS_SANDBOX

pytestmark = NEEDS_SANDBOX

ROOT = Path(__file__).resolve().parents[4]
SERVER = """
import asyncio, sys
from pathlib import Path
from tests.app_server.tools.backends.backend_app import ask
from tests.host.bridged import play

folder, mark = Path(sys.argv[1]), sys.argv[2]

async def scene(page):
    assert (await ask(page, "family", mark=mark))["output"]
    print("up", flush=True)
    await asyncio.Event().wait()

play(folder / "data", folder / "notes", scene)
"""


@pytest.mark.system
def test_neither_the_backend_nor_a_child_that_ignores_everything_outlives_a_killed_server(
    tmp_path: Path,
) -> None:
    write_backend_app(tmp_path, MAIN)
    mark = f"family-{tmp_path.name}-{tmp_path.parent.name}"
    command = [sys.executable, "-c", SERVER, str(tmp_path), mark]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT) as server:  # noqa: S603 - our own code
        assert server.stdout is not None
        assert server.stdout.readline() == b"up\n"
        server.send_signal(signal.SIGKILL)
        server.wait()
        run(until_gone(mark))
        run(until_gone(str(tmp_path / "notes" / "services/engine/main.py")))
