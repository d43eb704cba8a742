"""A vendor with keys, trees and a published folder; a customer with an installation; and the web server between them."""

import os
import random
import stat
import threading
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from lime_desktop.shipping.disk import Disk
from lime_desktop.shipping.health import confirm
from lime_desktop.shipping.installation import Installation, UpdateSource, lay_out
from lime_desktop.shipping.publishing.keys import KeyFolder
from lime_desktop.shipping.publishing.publish import (
    Offer,
    Published,
    publish_shell,
    write_update_source,
)
from lime_desktop.shipping.publishing.repository import Repository
from lime_desktop.shipping.sources import HttpSource, Limits
from lime_desktop.shipping.updates import Updates

PLATFORM = "linux-x86_64"
PRODUCT = "lime-desktop"
IMPATIENT = Limits(idle_s=20.0, window_s=0.3, least_bytes=100_000)
# What stands for the program: it says its version, does what its tree tells it, and is as healthy as that.
PROGRAM = """#!/bin/sh
PATH=/usr/bin:/bin
here=$(cd -P "$(dirname "$0")" && pwd)
root=${here%/versions/*}
version=$(cat "$here/version")
echo "$version $*" >> "$root/started"
echo "$version"
new=
[ -f "$root/update/pending" ] && read -r new _ < "$root/update/pending"
if [ -f "$here/healthy" ] && [ "$new" = "$version" ]; then
    rm -f "$root/update/pending" "$root/update/attempts"
fi
exit "$(cat "$here/code")"
"""


@dataclass
class Vendor:
    """Who publishes."""

    folder: Path
    url: str = "http://127.0.0.1:1"

    @property
    def repository(self) -> Repository:
        return Repository(self.folder / "web")

    @property
    def keys(self) -> KeyFolder:
        return KeyFolder(self.folder / "keys")

    def start(self) -> "Vendor":
        (self.folder / "web").mkdir(parents=True)
        self.keys.create()
        return self

    def tree(
        self,
        version: str,
        files: Mapping[str, bytes] | None = None,
        *,
        code: int = 0,
        is_healthy: bool = True,
    ) -> Path:
        """A program's tree: a program, the sidecar, some files that never change, a link, an empty folder."""
        tree = self.folder / "trees" / version
        made = dict[str, bytes](
            {
                "version": f"{version}\n".encode(),
                "code": f"{code}\n".encode(),
                "_internal/steady.bin": steady_bytes(300_000, seed=1),
                "_internal/library.so.1": steady_bytes(20_000, seed=2),
                **(files or {}),
            }
        )
        if is_healthy:
            made["healthy"] = b""
        for path, body in made.items():
            place = tree / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(body)
        for name in ("lime-desktop", "lime-app-server"):
            (tree / name).write_text(PROGRAM)
            (tree / name).chmod(0o755)
        (tree / "_internal/library.so").symlink_to("library.so.1")
        (tree / "_internal/locales").mkdir()
        source = UpdateSource(product=PRODUCT, url=self.url)
        write_update_source(tree, self.keys, source)
        return tree

    def publish(
        self,
        version: str,
        tree: Path | None = None,
        *,
        channel: str = "stable",
        rollout: int = 100,
        is_paused: bool = False,
        minimum_version: str | None = None,
        notes: Mapping[str, str] | None = None,
        fresh_days: int = 30,
    ) -> Published:
        offer = Offer(version, channel, PLATFORM, rollout, is_paused, minimum_version, notes)
        place = tree or self.folder / "trees" / version
        if not place.exists():
            place = self.tree(version)
        return publish_shell(place, self.repository, self.keys, offer, fresh_days=fresh_days)

    def install(self, version: str) -> "Customer":
        """Somebody who has a version."""
        place = self.folder / "trees" / version
        tree = place if place.exists() else self.tree(version)
        return Customer(lay_out(tree, self.folder / "home" / "lime", version), self.url)


@dataclass
class Customer:
    """Who has an installation."""

    installation: Installation
    url: str

    def updates(self, disk: Disk | None = None, limits: Limits | None = None) -> Updates:
        source = HttpSource(self.url, limits)
        return Updates(self.installation, source, disk=disk, platform=PLATFORM)

    def confirm(self) -> None:
        """The current version came up: its window stands and its App Server answered."""
        with self.installation.locked():
            confirm(self.installation, Disk(), "lime-desktop")

    def tree_of(self, version: str) -> dict[str, object]:
        return read_tree(self.installation.version_folder(version))


def steady_bytes(size: int, seed: int) -> bytes:
    """The same bytes every time, as hard to pack as a program's."""
    return random.Random(seed).randbytes(size)  # noqa: S311 - no secret


def read_tree(tree: Path) -> dict[str, object]:
    """Everything in a tree: content and mode of files, targets of links, empty folders."""
    found: dict[str, object] = {}
    for parent, folders, files in os.walk(tree):
        for name in (*files, *folders):
            path = Path(parent) / name
            inside = path.relative_to(tree).as_posix()
            if path.is_symlink():
                found[inside] = path.readlink().as_posix()
            elif path.is_dir():
                found[inside] = "folder"
            else:
                found[inside] = (path.read_bytes(), stat.S_IMODE(path.stat().st_mode))
    return found


@dataclass
class Served:
    """What a server was asked for, and how it misbehaves."""

    url: str
    asked: list[str] = field(default_factory=list[str])
    sent: int = 0
    answers: dict[str, Callable[[SimpleHTTPRequestHandler], None]] = field(
        default_factory=dict[str, Callable[[SimpleHTTPRequestHandler], None]]
    )
    """By a part of the path: what is answered instead of the file."""

    def blobs(self) -> list[str]:
        return [path for path in self.asked if path.startswith("/blobs/")]


@contextmanager
def serve(folder: Path) -> Generator[Served]:
    """A real web server on this machine."""
    served = Served("")
    server = _Server(("127.0.0.1", 0), partial(_Handler, directory=str(folder)))
    server.served = served
    served.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    served: Served


class _Handler(SimpleHTTPRequestHandler):
    def do_GET(self) -> None:
        assert isinstance(self.server, _Server)
        served = self.server.served
        served.asked.append(self.path)
        for part, answer in served.answers.items():
            if part in self.path:
                answer(self)
                return
        place = Path(self.translate_path(self.path))
        served.sent += place.stat().st_size if place.is_file() else 0
        super().do_GET()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the library's
        pass


def endless(handler: SimpleHTTPRequestHandler) -> None:
    """Bytes without end, as fast as they are taken."""
    handler.send_response(200)
    handler.end_headers()
    try:
        while True:
            handler.wfile.write(b"{" * 65_536)
    except OSError:
        handler.close_connection = True


def dripping(handler: SimpleHTTPRequestHandler) -> None:
    """A byte every now and then: each wait is short, and there is no end to them."""
    handler.send_response(200)
    handler.end_headers()
    try:
        for _ in range(1_000):
            handler.wfile.write(b" ")
            handler.wfile.flush()
            time.sleep(0.02)
    except OSError:
        handler.close_connection = True


def body(data: bytes) -> Callable[[SimpleHTTPRequestHandler], None]:
    """Other bytes than those of the file."""

    def answer(handler: SimpleHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data)

    return answer
