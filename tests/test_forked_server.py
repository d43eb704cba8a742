"""A forked App Server is a process like a started one: its own streams, its own end, a child of who asked (ours)."""

import json
import os
import signal
import sys
from pathlib import Path

import pytest

from lime_desktop.own_programs import program_command
from tests.forked_server import ForkedProcess, Template

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(sys.platform != "linux", reason="forks, and hands streams over"),
]
WAIT_S = 30.0


def _start(template: Template, data: Path) -> ForkedProcess:
    command = program_command("app-server", "--stdio", "--data-dir", str(data))
    return template.fork(command, os.environ)


def _answers(server: ForkedProcess) -> bool:
    params = {"clientInfo": {"name": "test"}}
    request = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
    server.stdin.write(json.dumps(request).encode() + b"\n")
    return "serverInfo" in json.loads(server.stdout.readline())["result"]


def _close(server: ForkedProcess) -> None:
    for stream in (server.stdin, server.stdout, server.stderr):
        stream.close()


def test_it_answers_and_ends_with_its_input_while_a_later_one_runs_on(
    server_template: Template, tmp_path: Path
) -> None:
    first, second = (_start(server_template, tmp_path / name) for name in ("first", "second"))
    assert _answers(first)
    assert _answers(second)
    first.stdin.close()
    assert first.wait(WAIT_S) == 0
    assert second.poll() is None
    second.stdin.close()
    assert second.wait(WAIT_S) == 0
    for each in (first, second):
        _close(each)


def test_it_is_killed_like_any_child_and_leaves_no_process(
    server_template: Template, tmp_path: Path
) -> None:
    server = _start(server_template, tmp_path / "data")
    assert _answers(server)
    assert Path(f"/proc/{server.pid}/stat").read_text().split()[3] == str(os.getpid())
    server.kill()
    assert server.wait(WAIT_S) == -signal.SIGKILL
    assert not Path(f"/proc/{server.pid}").exists()
    _close(server)


def test_why_it_does_not_start_is_said_on_its_own_stream(
    server_template: Template, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    server = _start(server_template, tmp_path / "file")
    assert server.wait(WAIT_S) != 0
    assert b"file" in server.stderr.read()
    _close(server)
