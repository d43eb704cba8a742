"""A Debian in a folder, entered so that it is the whole file system: in a mere chroot, namespaces are refused.

Everything is mounted in a mount namespace of its own, which ends with the command; nothing is left to unmount.
"""

import subprocess
from collections.abc import Sequence
from pathlib import Path

from newcomer.console import StoppedError

USER = 1000
_ENTER = """
set -e
root=$1 user=$2; shift 2
mount --bind "$root" "$root"
cd "$root"
mount -t proc proc proc
mount --rbind /dev dev
mount -t tmpfs -o mode=1777 tmpfs dev/shm
mkdir -p tmp/.X11-unix
mount --bind /tmp/.X11-unix tmp/.X11-unix
pivot_root . .
umount -l .
cd /
exec setpriv --reuid="$user" --regid="$user" --clear-groups "$@"
"""


class CleanSystem:
    """One Debian, and who is at work in it."""

    def __init__(self, root: Path, display: int) -> None:
        if not (root / "etc/debian_version").is_file():
            raise StoppedError(
                f"{root} holds no Debian. Make one: debootstrap --variant=minbase SUITE {root}"
            )
        self.root = root
        self.version = (root / "etc/debian_version").read_text("ascii").strip()
        self._display = display

    @property
    def home(self) -> Path:
        """The ordinary user's home, seen from outside."""
        return self.root / "home/person"

    def command(self, words: Sequence[str], *, is_root: bool) -> list[str]:
        """The command line that runs these words inside."""
        setting = {
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "LANG": "C.UTF-8",
            "DEBIAN_FRONTEND": "noninteractive",
            "HOME": "/root" if is_root else "/home/person",
            **(
                {}
                if is_root
                else {"DISPLAY": f":{self._display}", "XDG_RUNTIME_DIR": "/home/person/.run"}
            ),
        }
        settings = [f"{name}={value}" for name, value in setting.items()]
        enter = ["unshare", "--mount", "--propagation", "private", "sh", "-c", _ENTER, "sh"]
        user = "0" if is_root else str(USER)
        return [*enter, str(self.root), user, "env", "-i", *settings, *words]

    def run(self, *words: str, is_root: bool = False) -> str:
        """Run to the end and give what it said.

        Raises:
            StoppedError: it failed.
        """
        done = subprocess.run(
            self.command(words, is_root=is_root), capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise StoppedError(
                f"In Debian {self.version}: {' '.join(words)} failed\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
            )
        return done.stdout

    def start(self, *words: str, log: Path) -> "subprocess.Popen[bytes]":
        """Start as the ordinary user, and leave it running."""
        with log.open("wb") as file:
            return subprocess.Popen(
                self.command(words, is_root=False), stdout=file, stderr=subprocess.STDOUT
            )

    def make_person(self) -> None:
        """See to it that there is an ordinary user with an empty home."""
        if not self.home.is_dir():
            self.run("useradd", "--uid", str(USER), "--create-home", "person", is_root=True)
        self.run("sh", "-c", "rm -rf ~/.[!.]* ~/*; mkdir -m 700 ~/.run")

    def files(self) -> set[str]:
        """Everything outside of homes and of what apt and dpkg keep for themselves."""
        own = (
            "home",
            "proc",
            "dev",
            "sys",
            "tmp",
            "var/cache",
            "var/lib/apt",
            "var/lib/dpkg",
            "var/log",
            "root",
        )
        found: set[str] = set()
        for folder in sorted(self.root.iterdir()):
            if folder.name in own or folder.is_symlink() or not folder.is_dir():
                continue
            for path in folder.rglob("*"):
                name = path.relative_to(self.root).as_posix()
                if not name.startswith(own):
                    found.add(name)
        return found
