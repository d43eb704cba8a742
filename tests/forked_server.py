"""App Servers by a fork of one that is loaded already: real processes, without a second of imports each.

Hundreds of tests need a running App Server, and nearly all of its start is loading the same modules again. One process
per worker loads them once, the template, and forks for whoever asks. The new process has memory, arguments, environment,
folder and streams of its own, is a child of who asked for it, is killed and waited for like any other, and ends its
children as any other. What a fork cannot show needs a real start, and gets one in `tests/system` and `tests/security`:
how long loading takes, what a fresh interpreter meets, what stands in `/proc/PID/environ`.
"""

import ctypes
import gc
import importlib
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, cast

from lime_desktop.host.app_server_client.sidecar import scrubbed_environment

_REPOSITORY = Path(__file__).resolve().parents[1]
_LOADED = (
    "lime_desktop.cli.main",
    "lime_desktop.cli.server.app_server",
    "lime_desktop.app_server.assembly",
)
_PROGRAM = [sys.executable, "-m", "lime_desktop"]
_SUBREAPER = 36
"""PR_SET_CHILD_SUBREAPER of prctl(2)."""
_LARGEST_REQUEST = 1 << 20
_STREAMS = 3
_START_S = 60.0


class ForkedProcess:
    """What is used of `subprocess.Popen`, for a child that somebody else forked for us."""

    def __init__(self, pid: int, streams: Sequence[int]) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._handle = os.pidfd_open(pid)
        self.stdin: IO[bytes] = os.fdopen(streams[0], "wb", 0)
        self.stdout: IO[bytes] = os.fdopen(streams[1], "rb", 0)
        self.stderr: IO[bytes] = os.fdopen(streams[2], "rb", 0)

    def poll(self) -> int | None:
        return self._look(0)

    def wait(self, timeout: float | None = None) -> int:
        found = self._look(None if timeout is None else timeout * 1000)
        if found is None:
            raise subprocess.TimeoutExpired("app-server", timeout or 0)
        return found

    def kill(self) -> None:
        if self.poll() is None:
            signal.pidfd_send_signal(self._handle, signal.SIGKILL)

    def _look(self, wait_ms: float | None) -> int | None:
        if self.returncode is not None:
            return self.returncode
        waiting = select.poll()
        waiting.register(self._handle, select.POLLIN)
        if not waiting.poll(wait_ms):
            return None
        _, status = os.waitpid(self.pid, 0)
        self.returncode = os.waitstatus_to_exitcode(status)
        os.close(self._handle)
        return self.returncode


class Template:
    """The process that is loaded and forks."""

    def __init__(self) -> None:
        self._to, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._to.settimeout(_START_S)
        self._process = subprocess.Popen(  # noqa: S603 - this very file
            [sys.executable, "-m", "tests.forked_server", str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            cwd=_REPOSITORY,
        )
        theirs.close()

    def fork(self, command: Sequence[str], environment: Mapping[str, str]) -> ForkedProcess:
        """Have this command of ours running in a new process, a child of this one."""
        assert list(command[:3]) == _PROGRAM
        ours, theirs = _pipes()
        request = {
            "arguments": command[3:],
            "environment": dict(environment),
            "folder": str(Path.cwd()),
        }
        # Only while it is asked for: whoever else is left behind by its parent belongs to the system, as ever.
        _adopt(orphans=True)
        try:
            socket.send_fds(self._to, [json.dumps(request).encode()], theirs)
            pid = int(self._to.recv(64))
        finally:
            _adopt(orphans=False)
            for each in theirs:
                os.close(each)
        return ForkedProcess(pid, ours)

    def close(self) -> None:
        self._to.close()
        self._process.wait()


def spawn_by(
    template: Callable[[], Template], otherwise: Callable[..., subprocess.Popen[bytes]]
) -> Callable[..., subprocess.Popen[bytes]]:
    """How the window starts a program, with our own forked. The template is made when it is first needed."""

    def spawn(command: Sequence[str], *, is_apart: bool) -> subprocess.Popen[bytes]:
        if list(command[:3]) != _PROGRAM:
            return otherwise(command, is_apart=is_apart)
        forked = template().fork(command, scrubbed_environment(os.environ))
        return cast("subprocess.Popen[bytes]", forked)

    return spawn


def _pipes() -> tuple[list[int], list[int]]:
    """The ends of three pipes: ours, theirs."""
    (their_input, our_output), *back = (os.pipe() for _ in range(_STREAMS))
    return [our_output, *(read for read, _ in back)], [their_input, *(write for _, write in back)]


def _adopt(*, orphans: bool) -> None:
    ctypes.CDLL(None).prctl(_SUBREAPER, int(orphans), 0, 0, 0)


def _serve(requests: socket.socket) -> dict[str, Any] | None:
    """Fork for each request. Comes back in each child with what it is to be, and at the end with nothing."""
    while True:
        request, streams, _, _ = socket.recv_fds(requests, _LARGEST_REQUEST, _STREAMS)
        if not request:
            return None
        told, tell = os.pipe()
        between = os.fork()
        if between == 0:
            pid = os.fork()
            if pid != 0:
                # Its end makes the one that it forked a child of who asked.
                os.write(tell, str(pid).encode())
                os._exit(0)
            for each in (requests.detach(), told, tell):
                os.close(each)
            for number, stream in enumerate(streams):
                os.dup2(stream, number)
                os.close(stream)
            return cast("dict[str, Any]", json.loads(request))
        os.waitpid(between, 0)
        requests.send(os.read(told, 64))
        for each in (told, tell, *streams):
            os.close(each)


def _become(wanted: Mapping[str, Any]) -> None:
    """Be what was asked for, as a fresh interpreter would have found it."""
    os.environ.clear()
    os.environ.update(wanted["environment"])
    time.tzset()
    # What Python made for the template's own streams knows what those could do.
    sys.stdin, sys.stdout = open(0, closefd=False), open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", buffering=1, errors="backslashreplace", closefd=False)  # noqa: SIM115
    os.chdir(wanted["folder"])
    sys.argv = ["lime_desktop", *wanted["arguments"]]
    runpy.run_module("lime_desktop", run_name="__main__", alter_sys=True)


def main() -> None:
    """Be the template, and later one of its forks."""
    for each in _LOADED:
        importlib.import_module(each)
    gc.collect()
    gc.freeze()
    with socket.socket(fileno=int(sys.argv[1])) as requests:
        wanted = _serve(requests)
    if wanted is not None:
        _become(wanted)


if __name__ == "__main__":
    main()
