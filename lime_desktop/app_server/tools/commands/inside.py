"""The first thing in the sandbox: ``python -I -S inside.py PROCESSES OUTLET COMMAND...``, with ``-`` for no way out.

Some limits count only from inside: how many processes there may be is counted for each user of a namespace, and a socket
belongs to the network it was made in. So this sets the one and makes the other, hands the listening socket to whoever waits
at OUTLET, and becomes the command. Standard library only.
"""

import contextlib
import os
import signal
import socket
import sys
import time
from typing import NoReturn

PROXY_PORT = 3128
"""On the sandbox's own loopback, where nobody else listens."""
TOO_MANY_PROCESSES = 125
TOO_MANY_SAID = "More processes than a command may start."
_COUNTED_SINCE = (5, 14)
"""The Linux that counts processes by namespace; older ones count all that the person runs."""
_LOOK_EVERY_S = 0.02


def main(processes: int, outlet: str, command: list[str]) -> NoReturn:
    """Limit, open the way out, and run the command."""
    if outlet != "-":
        _hand_over(outlet)
    if os.getuid() == 0:
        # The kernel holds root to no number of processes, so somebody has to look.
        _watch(processes, command)
    if _linux() >= _COUNTED_SINCE:
        import resource  # noqa: PLC0415 - not on Windows, where nobody starts this

        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NPROC, (processes, processes))
    _become(command)


def _hand_over(outlet: str) -> None:
    with (
        socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listening,
        socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as waiting,
    ):
        listening.bind(("127.0.0.1", PROXY_PORT))
        listening.listen(64)
        waiting.connect(outlet)
        socket.send_fds(waiting, [b"."], [listening.fileno()])


def _watch(processes: int, command: list[str]) -> NoReturn:
    child = os.fork()
    if child == 0:
        _become(command)
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            code = os.waitstatus_to_exitcode(status)
            os._exit(code if code >= 0 else 128 - code)
        if sum(name.isdigit() for name in os.listdir("/proc")) > processes:  # noqa: PTH208 - paths are not loaded here
            # Everything in this namespace but its first process and this one.
            os.kill(-1, signal.SIGKILL)
            sys.stderr.write(f"{TOO_MANY_SAID}\n")
            sys.stderr.flush()
            os._exit(TOO_MANY_PROCESSES)
        time.sleep(_LOOK_EVERY_S)


def _become(command: list[str]) -> NoReturn:
    # Python ignores it; the command is to be ended by it, so that others see why.
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    try:
        os.execvp(command[0], command)  # noqa: S606 - what our caller chose, without a shell
    except FileNotFoundError:
        os._exit(127)
    except OSError:
        os._exit(126)


def _linux() -> tuple[int, ...]:
    release = os.uname().release.split("-")[0].split(".")[:2]
    return tuple(int(part) for part in release if part.isdigit())


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], sys.argv[3:])
