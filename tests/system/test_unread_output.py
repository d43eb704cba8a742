"""A client that stopped reading and then closes the server's input: the server ends, and what it said holds."""

import json
import os
import select
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from tests.system.server_process import WAIT_S, ServerProcess

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(sys.platform == "win32", reason="pipes that can be watched"),
]

FULL_S = 2.0
"""How long the server's input must take nothing more to count as full."""
MOST_ASKED = 200_000
"""Far more than a server holds for a client that does not read."""


class DeafClient(ServerProcess):
    """Reads what the server says until told to stop."""

    def __init__(self, data_dir: Path) -> None:
        self._hears = threading.Event()
        self._hears.set()
        super().__init__(data_dir)

    def _read_output(self, stream: Any) -> None:
        def lines() -> Any:
            while line := stream.readline():
                self._hears.wait(3 * WAIT_S)
                yield line

        super()._read_output(lines())

    def stop_reading(self) -> None:
        self._hears.clear()

    def read_on(self) -> None:
        self._hears.set()

    def whole_lines(self) -> list[dict[str, Any]]:
        """What the server said before it ended; the last line may be cut off."""
        lines: list[dict[str, Any]] = []
        while (line := self._lines.get(timeout=WAIT_S)) is not None:
            if line.endswith(b"\n"):
                lines.append(json.loads(line))
        return lines

    def fill(self, first: int) -> int:
        """Ask until the server takes nothing more; returns how much was asked."""
        to = self._to.fileno()
        os.set_blocking(to, False)
        for number in range(first, first + MOST_ASKED):
            rest = _asked(number)
            while rest:
                _, writable, _ = select.select([], [to], [], FULL_S)
                if not writable:
                    return number
                try:
                    rest = rest[os.write(to, rest) :]
                except BlockingIOError:
                    continue
        raise AssertionError("the server takes whatever it is given")


def _asked(number: int) -> bytes:
    """Mostly questions with a long answer, and among them facts to keep."""
    message: dict[str, object] = {"id": number, "method": "capability/list", "params": {}}
    if number % 10 == 0:
        params = {"appId": "app", "sessionId": f"s{number}"}
        message = {"id": number, "method": "agentSession/start", "params": params}
    return json.dumps(message).encode() + b"\n"


def _kept(server: ServerProcess, session_id: str) -> bool:
    return "result" in server.call("agentSession/read", {"sessionId": session_id})


def test_closing_the_input_ends_a_server_whose_output_is_full(tmp_path: Path) -> None:
    """A bug: a full output stopped the reading, so the end of input was never seen and the server stayed."""
    server = DeafClient(tmp_path / "data")
    try:
        server.introduce()
        acknowledged = [f"heard{number}" for number in range(20)]
        for each in acknowledged:
            start = {"appId": "app", "sessionId": each}
            assert "result" in server.call("agentSession/start", start)
        server.stop_reading()
        assert server.fill(1_000) > 1_000
        server.close_input()
        assert server.process.wait(WAIT_S) == 0, server.errors
    finally:
        server.read_on()
        server.kill()
    acknowledged += [
        f"s{said['id']}"
        for said in server.whole_lines()
        if said.get("id", 1) % 10 == 0 and "result" in said
    ]
    again = ServerProcess(tmp_path / "data")
    try:
        again.introduce()
        assert [each for each in acknowledged if not _kept(again, each)] == []
    finally:
        again.kill()
