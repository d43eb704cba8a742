"""A backend that tries to get at what is not its own. None of it may work, for root and for an ordinary user."""

import os
import socket
import subprocess
import sys
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.app_server.tools.backends.backend_app import ask, write_backend_app
from tests.host.bridged import Bridged, play
from tests.sandboxed import NEEDS_SANDBOX

pytestmark = NEEDS_SANDBOX

SECRET = "the other one's own"  # noqa: S105 - what nobody may read
ATTEMPTS = '''
import ctypes, glob, os, signal, socket, subprocess, sys
from lime_backend import Backend

backend = Backend()
libc = ctypes.CDLL(None, use_errno=True)


def reads(path):
    with open(path) as file:
        return file.read() or "(empty)"


def writes(path):
    with open(path, "a") as file:
        file.write("x")
    return "written"


def connects(family, address):
    with socket.socket(family, socket.SOCK_STREAM) as made:
        made.settimeout(3)
        made.connect(address)
        return "connected"


def sends(address):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as made:
        made.sendto(b"x", address)
        return "sent"


def call(name, *arguments):
    if getattr(libc, name)(*arguments) != 0:
        raise OSError(ctypes.get_errno(), name)
    return "done"


def others(given):
    """Processes that are none of this wall's."""
    found = []
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        with open(path, "rb") as file:
            words = file.read()
        if given["mark"].encode() in words:
            found.append(path)
    return found


def links(given):
    """A link in the own folder that leads out of it: whoever follows it from inside finds nothing."""
    os.symlink(given["private"], "out")
    return reads("out")


def env(given):
    return [name for name, value in os.environ.items() if given["shown"] in value]


def shared_memory(given):
    # The package itself may lie below it; nothing else does.
    return [name for name in os.listdir("/dev/shm") if name not in given["package"].split("/")]


def trace(given):
    PTRACE_ATTACH = 16
    if libc.ptrace(PTRACE_ATTACH, given["pid"], 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "ptrace")
    return "attached"


def kills(given):
    os.kill(given["pid"], 0)
    return reads(f"/proc/{given['pid']}/environ")


def mounts(given):
    return call("mount", b"tmpfs", b"/usr", b"tmpfs", 0, None)


def dbus(given):
    return [connects(socket.AF_UNIX, each) for each in
            ("/run/dbus/system_bus_socket", f"/run/user/{os.getuid()}/bus", given["unix"])]


TRIES = {
    "a private file": lambda g: reads(g["private"]),
    "the home folder": lambda g: os.listdir(g["home"]),
    "writing into the home": lambda g: writes(g["home"] + "/planted"),
    "another app's data": lambda g: os.listdir(g["data"] + "/apps"),
    "the App Server's data": lambda g: reads(g["data"] + "/evidence.db"),
    "the folder of another backend": lambda g: os.listdir(g["other"]),
    "the sealed secrets": lambda g: reads(g["data"] + "/secrets.sealed"),
    "changing the package": lambda g: writes(g["package"] + "/APP.md"),
    "a file into the package": lambda g: writes(g["package"] + "/more.py"),
    "the log": lambda g: os.listdir(g["data"] + "/backends/notes/logs"),
    "a link out of the own folder": links,
    "climbing out": lambda g: set(os.listdir("../../..")) - {"notes"},
    "the App Server's socket": lambda g: connects(socket.AF_UNIX, g["unix"]),
    "an abstract socket": lambda g: connects(socket.AF_UNIX, "\\0" + g["abstract"]),
    "the system bus": lambda g: connects(socket.AF_UNIX, "/run/dbus/system_bus_socket"),
    "the session bus": lambda g: connects(socket.AF_UNIX, f"/run/user/{os.getuid()}/bus"),
    "the X server": lambda g: connects(socket.AF_UNIX, "/tmp/.X11-unix/X0"),
    "a port of this machine": lambda g: connects(socket.AF_INET, ("127.0.0.1", g["port"])),
    "an address outside": lambda g: connects(socket.AF_INET, ("192.0.2.1", 80)),
    "the same by UDP": lambda g: sends(("192.0.2.1", 53)),
    "by IPv6": lambda g: connects(socket.AF_INET6, ("2001:db8::1", 80)),
    "by a name": lambda g: socket.getaddrinfo("example.org", 80),
    "the host's proxy": lambda g: connects(socket.AF_INET, ("127.0.0.1", 3128)),
    "processes of others": others,
    "the environment of others": kills,
    "tracing another process": trace,
    "the environment it was started with": env,
    "memory that others share": shared_memory,
    "a mount": mounts,
    "the host's name": lambda g: call("sethostname", b"mine", 4) and g["hostname"] == socket.gethostname() and "same",
    "a device": lambda g: reads("/dev/mem"),
    "a disk": lambda g: glob.glob("/dev/sd*") + glob.glob("/dev/vd*") + glob.glob("/dev/nvme*"),
    "the kernel's log": lambda g: reads("/dev/kmsg"),
    "settings of the kernel": lambda g: writes("/proc/sys/kernel/hostname"),
    "the system's programs": lambda g: writes("/usr/bin/env"),
    "passwords": lambda g: reads("/etc/shadow"),
    "the keys of ssh": lambda g: os.listdir(g["home"] + "/.ssh"),
    "the root folder": lambda g: writes("/planted"),
    "the terminal": lambda g: writes("/dev/tty"),
    "the outer root": lambda g: reads("/proc/1/root" + g["private"]),
}


@backend.method
def attempt(call, given):
    got = {}
    for name, tried in TRIES.items():
        try:
            found = tried(given)
        except BaseException as error:
            if not isinstance(error, (OSError, ValueError)):
                got[name] = "broken: " + repr(error)
            continue
        if found:
            got[name] = repr(found)[:200]
    return {"tried": len(TRIES), "got": got}


backend.serve()
'''


@contextmanager
def surroundings(tmp_path: Path) -> Generator[dict[str, Any]]:
    """What lies around a backend on this machine, each of it to be had by whoever stands outside the wall."""
    mark = f"outside-{tmp_path.name}"
    home = tmp_path / "home"
    other = tmp_path / "data" / "backends" / "other"
    for folder in (home / ".ssh", other, tmp_path / "data" / "apps" / "other"):
        folder.mkdir(parents=True)
    (home / "private.txt").write_text(SECRET)
    (tmp_path / "data" / "secrets.sealed").write_text(SECRET)
    place = tmp_path / "s"
    with ExitStack() as stack:
        unix, abstract, port = (
            stack.enter_context(socket.socket(family, socket.SOCK_STREAM))
            for family in (socket.AF_UNIX, socket.AF_UNIX, socket.AF_INET)
        )
        unix.bind(str(place))
        abstract.bind(f"\0{mark}")
        port.bind(("127.0.0.1", 0))
        for each in (unix, abstract, port):
            each.listen()
        sleeping = [sys.executable, "-c", "import time; time.sleep(3600)", mark]
        neighbour = stack.enter_context(subprocess.Popen(sleeping))  # noqa: S603 - our own code
        stack.callback(neighbour.kill)
        yield {
            "private": str(home / "private.txt"),
            "home": str(home),
            "data": str(tmp_path / "data"),
            "other": str(other),
            "package": str(tmp_path / "notes"),
            "unix": str(place),
            "abstract": mark,
            "port": port.getsockname()[1],
            "mark": mark,
            "pid": neighbour.pid,
            "shown": SECRET,
            "hostname": socket.gethostname(),
        }


@pytest.mark.requirement("APP-30")
def test_none_of_forty_attempts_on_what_is_not_its_own_succeeds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_API_KEY", SECRET)
    host = socket.gethostname()
    with surroundings(tmp_path) as given:

        async def scene(page: Bridged) -> None:
            found = (await ask(page, "attempt", **given))["output"]
            assert found == {"tried": 40, "got": {}}

        play(tmp_path / "data", write_backend_app(tmp_path, ATTEMPTS), scene)
    assert not list(tmp_path.rglob("planted"))
    assert not (tmp_path / "notes" / "more.py").exists()
    assert socket.gethostname() == host
    assert os.path.exists(given["private"])  # noqa: PTH110 - a text, as it was told
