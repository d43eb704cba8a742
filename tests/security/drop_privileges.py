"""Become an ordinary user on a machine where we are root, then run a command: `drop_privileges.py HOME COMMAND…`.

The command gets a private view of the machine: a network of its own that is nothing but loopback, a name server that is
ours (its socket is handed over in LIME_TEST_DNS_FD), and a way to the interpreter where that lies in root's own folder.
Standard library only. What the kernel refuses ends it with code 77 and the reason on standard error.
"""

import ctypes
import fcntl
import os
import socket
import stat
import struct
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NoReturn

ORDINARY_USER = 12_345
REFUSED = 77
_REPOSITORY = str(Path(__file__).resolve().parents[2])
_NEW_MOUNTS, _NEW_NETWORK, _NEW_USERS = 0x00020000, 0x40000000, 0x10000000
_GET_FLAGS, _SET_FLAGS, _UP = 0x8913, 0x8914, 1


def main() -> None:
    """Prepare the machine's private view, step down, and become the command."""
    home, *command = sys.argv[1:]
    _unshare(_NEW_MOUNTS | _NEW_NETWORK, "private mounts and a private network")
    _mount("--make-rprivate", "/")
    _raise_loopback()
    dns = _own_name_server()
    _open_the_way([sys.prefix, sys.base_prefix, _REPOSITORY, home])
    os.chown(home, ORDINARY_USER, ORDINARY_USER)
    os.setgroups([])
    os.setgid(ORDINARY_USER)
    os.setuid(ORDINARY_USER)
    _check_user_namespaces()
    os.set_inheritable(dns.fileno(), True)  # noqa: FBT003 - its signature
    os.chdir(_REPOSITORY)
    os.environ.pop("QTWEBENGINE_DISABLE_SANDBOX", None)
    os.environ.update(
        HOME=home, XDG_RUNTIME_DIR=home, TMPDIR=home, LIME_TEST_DNS_FD=str(dns.fileno())
    )
    os.execv(command[0], command)  # noqa: S606 - the test names the command


def _unshare(flags: int, what: str) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(flags) != 0:
        _refuse(f"the kernel refuses {what}: {os.strerror(ctypes.get_errno())}")


def _check_user_namespaces() -> None:
    """Chromium's sandbox stands on them; ask in a child, for we want none ourselves."""
    child = os.fork()
    if child == 0:
        libc = ctypes.CDLL(None, use_errno=True)
        os._exit(ctypes.get_errno() if libc.unshare(_NEW_USERS) else 0)
    error = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if error:
        _refuse(f"the kernel refuses user namespaces to ordinary users: {os.strerror(error)}")


def _raise_loopback() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        asked = struct.pack("16sh22x", b"lo", 0)
        flags = struct.unpack("16sh22x", fcntl.ioctl(control, _GET_FLAGS, asked))[1]
        fcntl.ioctl(control, _SET_FLAGS, struct.pack("16sh22x", b"lo", flags | _UP))


def _own_name_server() -> socket.socket:
    with tempfile.NamedTemporaryFile("w", delete=False) as file:
        file.write("nameserver 127.0.0.1\n")
    Path(file.name).chmod(0o644)
    _mount("--bind", file.name, str(Path("/etc/resolv.conf").resolve()))
    dns = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    dns.bind(("127.0.0.1", 53))
    return dns


def _open_the_way(paths: list[str]) -> None:
    """Let others through folders that only root may enter, in our private mounts alone."""
    wanted = [Path(path).resolve() for path in paths]
    wanted += [path.parent for path in map(Path, paths) if path.is_symlink()]
    folders = sorted({above for path in wanted for above in path.parents})
    for folder in folders:
        if folder.stat().st_mode & stat.S_IXOTH:
            continue
        kept = tempfile.mkdtemp()
        _mount("--bind", str(folder), kept)
        _mount("-t", "tmpfs", "-o", "mode=755", "tmpfs", str(folder))
        for name in {
            path.relative_to(folder).parts[0] for path in wanted if folder in path.parents
        }:
            (folder / name).mkdir()
            _mount("--bind", f"{kept}/{name}", str(folder / name))


def _mount(*arguments: str) -> None:
    done = subprocess.run(["mount", *arguments], capture_output=True, text=True, check=False)  # noqa: S603, S607
    if done.returncode != 0:
        _refuse(f"mount {' '.join(arguments)}: {done.stderr.strip()}")


def _refuse(reason: str) -> NoReturn:
    sys.stderr.write(reason)
    sys.exit(REFUSED)


if __name__ == "__main__":
    main()
