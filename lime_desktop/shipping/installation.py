"""The folder that a person's own installation lies in: its versions, which one is current, and what waits for a restart.

    bin/lime-desktop        the launcher
    current                 a link to one of …
    versions/1.4.0/         … these, each a whole program
    update/pending          "NEW OLD": NEW is complete; the launcher switches to it, and back to OLD if it does not come up
    update/attempts         how often the launcher has started NEW since; a line each
    update/returned         "NEW OLD": the launcher went back by itself
    update/state.json       what this computer remembers: channel, versions seen, the version before
    update/install-id       random, and never sent

`pending` is removed when the new version has shown that it works. It is the only word between this module and the
launcher, and every state that a power cut leaves is one that either of them can go on from.
"""

import os
import secrets
import shutil
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from lime_desktop.durable_files.changing import locked_file
from lime_desktop.executables import is_frozen
from lime_desktop.product import worn_product
from lime_desktop.protocol.errors import DatabaseBusy
from lime_desktop.resources import resources_folder
from lime_desktop.shipping.disk import Disk
from lime_desktop.shipping.refusals import UpdateCode, UpdateRefused
from lime_desktop.shipping.versions import is_version, parse_version

SOURCE_FILE = "update-source.json"
"""In a version's tree: where its updates come from."""
ROOT_FILE = "update-root.json"
"""In a version's tree: whose signature they need."""
PARTIAL = ".partial"


class UpdateSource(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """What a build says of its updates."""

    product: str
    url: str
    channel: str = "stable"


class UpdateState(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """What an installation remembers."""

    channel: str | None = None
    """Which the person chose; None is what the build says."""
    previous: str | None = None
    """The version before, to go back to."""
    floors: dict[str, str] = {}
    """By channel, the highest version that was ever offered: nothing below it is taken."""
    left: tuple[str, ...] = ()
    """Versions that did not come up or that the person went back from; not offered by themselves."""
    minimum: str | None = None
    """Versions below it are withdrawn."""


@dataclass(frozen=True, slots=True)
class Pending:
    """A version that waits for a restart, or is on trial since."""

    new: str
    old: str


@dataclass(frozen=True, slots=True)
class Installation:
    """A folder with versions in it."""

    root: Path

    @property
    def versions_folder(self) -> Path:
        """Where the versions lie."""
        return self.root / "versions"

    @property
    def update_folder(self) -> Path:
        """What updates keep."""
        return self.root / "update"

    def version_folder(self, version: str) -> Path:
        """A version's tree."""
        parse_version(version)
        return self.versions_folder / version

    @property
    def current(self) -> str:
        """The version that the next start begins with, unless another waits.

        Raises:
            UpdateRefused: there is none.
        """
        try:
            name = (self.root / "current").readlink().name
        except OSError as error:
            raise UpdateRefused(UpdateCode.NOT_INSTALLED, "no version is current") from error
        if not is_version(name):
            raise UpdateRefused(UpdateCode.NOT_INSTALLED, "no version is current")
        return name

    def complete_versions(self) -> tuple[str, ...]:
        """Every version that is there as a whole, the newest first."""
        if not self.versions_folder.is_dir():
            return ()
        found = [each.name for each in self.versions_folder.iterdir() if is_version(each.name)]
        return tuple(sorted(found, key=parse_version, reverse=True))

    @property
    def pending(self) -> Pending | None:
        """What waits for a restart or is on trial."""
        return self._read_pair("pending")

    @property
    def returned(self) -> Pending | None:
        """What the launcher went back from."""
        return self._read_pair("returned")

    def _read_pair(self, name: str) -> Pending | None:
        try:
            words = (self.update_folder / name).read_text("utf-8").split()
        except (OSError, UnicodeDecodeError):
            return None
        if len(words) != 2 or not all(map(is_version, words)):
            return None
        return Pending(*words)

    def source(self) -> UpdateSource:
        """Where this build's updates come from.

        Raises:
            UpdateRefused: it does not say.
        """
        try:
            body = (self.version_folder(self.current) / SOURCE_FILE).read_bytes()
            return msgspec.json.decode(body, type=UpdateSource)
        except (OSError, msgspec.DecodeError) as error:
            raise UpdateRefused(UpdateCode.NO_SOURCE, "this build names no updates") from error

    def first_root(self) -> bytes:
        """Whose signature this build's updates need.

        Raises:
            UpdateRefused: it does not say.
        """
        try:
            return (self.version_folder(self.current) / ROOT_FILE).read_bytes()
        except OSError as error:
            raise UpdateRefused(UpdateCode.NO_SOURCE, "this build names no keys") from error

    def state(self) -> UpdateState:
        """What is remembered; what cannot be read is forgotten, and TUF's own memory still holds."""
        try:
            return msgspec.json.decode(
                (self.update_folder / "state.json").read_bytes(), type=UpdateState
            )
        except (OSError, msgspec.DecodeError):
            return UpdateState()

    def save_state(self, state: UpdateState, disk: Disk) -> None:
        """Remember."""
        body = msgspec.json.format(msgspec.json.encode(state), indent=1)
        disk.make_folder(self.update_folder)
        disk.write_whole(self.update_folder / "state.json", body)

    def install_id(self, disk: Disk) -> str:
        """A random name of this installation, which never leaves it."""
        path = self.update_folder / "install-id"
        try:
            found = path.read_text("ascii").strip()
        except (OSError, UnicodeDecodeError):
            found = ""
        if len(found) != 32:
            found = secrets.token_hex(16)
            disk.make_folder(self.update_folder)
            disk.write_whole(path, f"{found}\n".encode())
        return found

    @contextmanager
    def locked(self) -> Generator[None]:
        """One update at a time.

        Raises:
            UpdateRefused: another process is at it.
        """
        try:
            with locked_file(self.update_folder / "work", wait_s=1.0):
                yield
        except DatabaseBusy as busy:
            raise UpdateRefused(UpdateCode.BUSY, "another process is updating") from busy

    def prepare(self, new: str, disk: Disk) -> None:
        """Have the launcher start another version from the next start on, and watch it."""
        current, pending = self.current, self.pending
        # A current version that is still on trial is nothing to fall back on.
        old = pending.old if pending and pending.new == current else current
        disk.make_folder(self.update_folder)
        disk.remove(self.update_folder / "attempts")
        disk.remove(self.update_folder / "returned")
        disk.write_whole(self.update_folder / "pending", f"{new} {old}\n".encode())

    def withdraw_pending(self, disk: Disk) -> None:
        """What waited for a restart waits no more."""
        disk.remove(self.update_folder / "pending")
        disk.remove(self.update_folder / "attempts")

    def sweep(self, disk: Disk, but: str = "") -> None:
        """Remove what nobody goes back to: all but the current version, the one before, and what is pending."""
        pending = self.pending
        kept = {self.current, self.state().previous, but}
        kept |= {pending.new, pending.old} if pending else set()
        for folder in sorted(self.versions_folder.iterdir()):
            if folder.name not in kept:
                disk.remove_tree(folder)


def lay_out(tree: Path, root: Path, version: str, name: str = "lime-desktop") -> Installation:
    """Install a tree for this user: its first version, the link to it and the launcher. Blocks.

    For installers; what is there of the version is replaced.
    """
    disk, installation = Disk(), Installation(root)
    place = installation.version_folder(version)
    partial = place.with_name(f".{version}{PARTIAL}")
    disk.make_folder(installation.update_folder)
    installation.update_folder.chmod(0o700)
    disk.make_folder(installation.versions_folder)
    shutil.rmtree(partial, ignore_errors=True)
    shutil.copytree(tree, partial, symlinks=True)
    disk.remove_tree(place)
    disk.replace(partial, place)
    disk.point(root / "current", f"versions/{version}")
    place_launcher(installation, name, disk)
    return installation


def place_launcher(installation: Installation, name: str, disk: Disk) -> None:
    """Put the launcher that came with this program in its place, if another is there."""
    body = (resources_folder() / "launcher" / "lime-desktop.sh").read_bytes()
    place = installation.root / "bin" / name
    if place.is_file() and place.read_bytes() == body:
        return
    disk.make_folder(place.parent)
    disk.write_whole(place, body, mode=0o755)


def find_installation(executable: Path | None = None) -> Installation:
    """The installation that this program runs from, if it is the person's own.

    Raises:
        UpdateRefused: it is not one that updates itself.
    """
    if executable is None and worn_product() is not None:
        raise UpdateRefused(UpdateCode.RUNTIME_BACKED, "this product runs on another program")
    if executable is None and not is_frozen():
        raise UpdateRefused(UpdateCode.NOT_INSTALLED, "this program runs from source")
    program = (executable or Path(sys.executable)).resolve()
    folder = program.parent
    root = folder.parent.parent
    if folder.parent.name != "versions" or not (root / "current").is_symlink():
        if _is_own(folder):
            raise UpdateRefused(UpdateCode.NO_SOURCE, "installed without a folder of versions")
        raise UpdateRefused(UpdateCode.SYSTEM_PACKAGE, "installed for the whole computer")
    return own_installation(root)


def own_installation(root: Path) -> Installation:
    """A folder as an installation of this user's own.

    Raises:
        UpdateRefused: it belongs to somebody else, or is none.
    """
    installation = Installation(root.resolve())
    _ = installation.current
    if not _is_own(root):
        raise UpdateRefused(UpdateCode.SYSTEM_PACKAGE, "installed by another user")
    if not os.access(root, os.W_OK):
        raise UpdateRefused(UpdateCode.NOT_WRITABLE, "the installation cannot be written")
    return installation


def _is_own(folder: Path) -> bool:
    return not hasattr(os, "getuid") or folder.stat().st_uid == os.getuid()
