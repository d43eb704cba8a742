"""The real App Server as a process of its own, and its client as bare lines."""

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

REPOSITORY = Path(__file__).resolve().parents[2]
WAIT_S = 30.0
"""Generous: a process starts slowly on a busy machine. No test waits that long in vain."""


class ServerProcess:
    """One run of ``lime-desktop app-server``."""

    def __init__(
        self,
        data_dir: Path,
        *options: str,
        scripts: Mapping[str, object] | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        command = [sys.executable, "-m", "lime_desktop", "app-server", "--data-dir", str(data_dir)]
        if scripts is not None:
            path = data_dir.parent / f"{data_dir.name}-scripts.json"
            path.write_text(json.dumps(scripts))
            command += ["--test-scripts", str(path)]
        self.process = subprocess.Popen(  # noqa: S603 - our own program
            [*command, *(options or ("--stdio",))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=REPOSITORY,
            env={**os.environ, **(environment or {})},
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        self._to = self.process.stdin
        self.errors: list[str] = []
        self._logged = threading.Condition()
        self._lines: queue.Queue[bytes | None] = queue.Queue()
        self._readers = [
            threading.Thread(target=self._read_output, args=(self.process.stdout,)),
            threading.Thread(target=self._read_errors, args=(self.process.stderr,)),
        ]
        for reader in self._readers:
            reader.start()
        self._next_id = 0
        self._kept: list[dict[str, Any]] = []

    def _read_output(self, stream: Any) -> None:
        for line in stream:
            self._lines.put(line)
        self._lines.put(None)

    def _read_errors(self, stream: Any) -> None:
        for line in stream:
            with self._logged:
                self.errors.append(line.decode())
                self._logged.notify_all()

    def await_log(self, message: str) -> None:
        """Wait until the server has logged this."""
        with self._logged:
            has_come = self._logged.wait_for(
                lambda: any(message in line for line in self.errors), WAIT_S
            )
        assert has_come, self.errors

    def say_bytes(self, data: bytes) -> None:
        self._to.write(data)
        self._to.flush()

    def say(self, message: Mapping[str, object]) -> None:
        self.say_bytes(json.dumps(message).encode() + b"\n")

    def hear(self) -> dict[str, Any] | None:
        """The next line; nothing once the server has closed its output."""
        line = self._lines.get(timeout=WAIT_S)
        return None if line is None else cast("dict[str, Any]", json.loads(line))

    def call(self, method: str, params: object = None) -> dict[str, Any]:
        """Ask and wait for the answer; events that come meanwhile are kept for `events`."""
        self._next_id += 1
        self.say({"id": self._next_id, "method": method, "params": params})
        while (heard := self.hear()) is not None:
            if heard.get("id") == self._next_id:
                return heard
            self._kept.append(heard)
        message = f"the server ended before answering {method}: {self.errors}"
        raise AssertionError(message)

    def introduce(self, **params: object) -> dict[str, Any]:
        answer = self.call("initialize", {"clientInfo": {"name": "test"}, **params})
        self.say({"method": "initialized"})
        return answer

    def events_until(self, event_type: str) -> list[dict[str, Any]]:
        """Every event not yet looked at, up to the first of this type."""
        seen: list[dict[str, Any]] = []
        while not seen or seen[-1]["type"] != event_type:
            heard = self._kept.pop(0) if self._kept else self.hear()
            assert heard is not None, f"the server ended before {event_type}: {self.errors}"
            if heard.get("method") == "agentSession/event":
                seen.append(heard["params"]["event"])
        return seen

    def close_input(self) -> None:
        self._to.close()

    def kill(self) -> None:
        self.process.kill()
        self.wait()

    def wait(self) -> int:
        code = self.process.wait(WAIT_S)
        for reader in self._readers:
            reader.join(WAIT_S)
        if not self._to.closed:
            with contextlib.suppress(BrokenPipeError):
                self._to.close()
        for stream in (self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()
        return code

    def rest(self) -> list[dict[str, Any]]:
        """Everything the server still says until it closes its output."""
        rest = list(self._kept)
        while (heard := self.hear()) is not None:
            rest.append(heard)
        return rest
