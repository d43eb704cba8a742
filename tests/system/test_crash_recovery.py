"""Kill the process under load, start again, compare: nothing acknowledged is lost, nothing is there twice.

A few kills run with the suite. Many by hand:
``LIME_CRASH_COUNT=200 python -m pytest tests/system/test_crash_recovery.py``.
"""

import itertools
import json
import os
import random
import subprocess
import sys
import threading
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, cast

import pytest

from tests.system.crash_checks import Promise, kept_promises

KILLS = int(os.environ.get("LIME_CRASH_COUNT", "3"))
WINDOW = 16
LINES = (5, 600)
"""From just after the introduction to a few hundred answers and events."""
SCRIPT = [
    {"type": "model.requested", "payload": {"model": "m"}},
    *({"type": "model.delta", "payload": {"delta": f"word {n} "}} for n in range(30)),
    {"type": "model.completed", "payload": {"text": "done"}},
    {"type": "turn.completed"},
]

pytestmark = [pytest.mark.system, pytest.mark.timeout(60 + 30 * KILLS)]


def promises_until_killed(folder: Path, seed: int, lines: int, repository: Path) -> list[Promise]:
    """RuntimeCore alone: the child prints what its subscriber heard."""
    child = start(repository, "tests.system.crash_child", str(folder), str(seed))
    said = killed_while_reading(child, lines)
    return [Promise(*cast("tuple[str, int, str, int]", json.loads(line))) for line in said]


def notified_until_killed(folder: Path, seed: int, lines: int, repository: Path) -> list[Promise]:
    """The whole App Server over stdio: what its notifications and answers said."""
    scripts = folder.parent / "scripts.json"
    scripts.write_text(json.dumps({"work": SCRIPT}))
    child = start(
        repository,
        "lime_desktop",
        *("app-server", "--stdio", "--data-dir", str(folder), "--test-scripts", str(scripts)),
    )
    assert child.stdin is not None
    answered = threading.Semaphore(1)
    writer = threading.Thread(target=feed, args=(child.stdin, f"session_{seed}", answered))
    writer.start()
    found: list[Promise] = []
    for line in killed_while_reading(child, lines):
        message = json.loads(line)
        found += promised_by(message)
        if "id" in message:
            # One call at a time until the session is there, then a few at once.
            answered.release(WINDOW if message["id"] == 2 else 1)
    answered.release(WINDOW)
    writer.join(100)
    return found


def start(repository: Path, *arguments: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(  # noqa: S603 - our own modules
        [sys.executable, "-m", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=repository,
    )


def killed_while_reading(child: "subprocess.Popen[bytes]", lines: int) -> Iterator[bytes]:
    """Its whole lines until the end. What was cut off in the middle was promised to nobody.

    Killed after so many lines, wherever its own work has come to by then: a time would mean another thing on every
    machine.
    """
    assert child.stdout is not None
    for number, line in enumerate(child.stdout, start=1):
        if number == lines:
            child.kill()
        if line.endswith(b"\n"):
            yield line
    child.stdout.close()
    assert child.wait(100) == -9, "the process ended by itself"
    if child.stdin is not None:
        close_quietly(child.stdin)


def close_quietly(stream: IO[bytes]) -> None:
    try:
        stream.close()
    except BrokenPipeError:
        return


def feed(stdin: IO[bytes], session_id: str, answered: threading.Semaphore) -> None:
    """Send calls as fast as the server answers them, until it is gone."""
    try:
        for call in calls(session_id):
            if "id" in call and not answered.acquire(timeout=100):
                return
            stdin.write(json.dumps(call).encode() + b"\n")
            stdin.flush()
    except (BrokenPipeError, ValueError):
        return


def calls(session_id: str) -> Iterator[dict[str, Any]]:
    yield {"id": 1, "method": "initialize", "params": {"clientInfo": {"name": "crash"}}}
    yield {"method": "initialized"}
    start_params = {"appId": "app", "sessionId": session_id}
    yield {"id": 2, "method": "agentSession/start", "params": start_params}
    for number in itertools.count(3):
        if number % 10 == 0:
            turn = {"sessionId": session_id, "input": {"text": "work"}, "queueIfBusy": True}
            yield {"id": number, "method": "agentSession/turn/start", "params": turn}
            continue
        said = [{"type": "runtime.warning", "payload": {"code": "n", "number": number}}] * 3
        batch = {"sessionId": session_id, "runtimeEvents": said}
        yield {"id": number, "method": "agentSession/runtimeEvents/append", "params": batch}


def promised_by(message: dict[str, Any]) -> list[Promise]:
    params, result = message.get("params", {}), message.get("result", {})
    events = [params["event"]] if "event" in params else result.get("events", [])
    return [
        Promise(event["sessionId"], event["sequence"], event["eventId"], checksum(event))
        for event in events
    ]


def checksum(event: dict[str, Any]) -> int:
    return zlib.crc32(json.dumps(event, separators=(",", ":"), ensure_ascii=False).encode())


@pytest.mark.parametrize(
    "live", [promises_until_killed, notified_until_killed], ids=["core", "server"]
)
def test_nothing_acknowledged_is_lost_by_a_kill(
    tmp_path: Path, repository: Path, live: Any
) -> None:
    chance = random.Random()  # noqa: S311 - a moment, not a secret
    total = 0
    for number in range(KILLS):
        # Every twentieth kill begins a new folder; the others hit what the last one left.
        folder = tmp_path / str(number // 20)
        promised = live(folder, number, chance.randint(*LINES), repository)
        total += kept_promises(folder, promised)
    assert total >= KILLS
