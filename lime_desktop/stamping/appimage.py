"""One file of a tree that runs where it lies: the AppImage format. Its first part comes from elsewhere and is given by path."""

import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from lime_desktop.stamping.archives import Entry

_MAGIC = b"AI\x02"


class AppImageFailed(Exception):
    """The payload could not be packed."""


def why_no_appimage(runtime: Path | None) -> str | None:
    """What stands in the way of one, and what helps; None if nothing does."""
    if runtime is None:
        return (
            "An AppImage begins with the type 2 runtime of the AppImage project, which is in no package index.\n"
            "Fetch it from that project's releases (runtime-x86_64) and name it: --appimage-runtime FILE"
        )
    try:
        with runtime.open("rb") as file:
            head = file.read(11)
    except OSError as error:
        return f"The AppImage runtime cannot be read: {error.strerror}: {runtime}"
    if not head.startswith(b"\x7fELF") or head[8:11] != _MAGIC:
        return (
            f"{runtime} is not an AppImage type 2 runtime: its head says neither ELF nor AI\\x02."
        )
    if shutil.which("mksquashfs") is None:
        return "An AppImage needs mksquashfs: sudo apt-get install squashfs-tools"
    return None


def join_appimage(
    tree: Path,
    place: str,
    entries: Sequence[Entry],
    *,
    runtime: Path,
    epoch: int,
    target: Path,
) -> None:
    """Pack a tree at a place, with files beside it, behind the runtime.

    Raises:
        AppImageFailed: the payload could not be packed.
    """
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".appimage-") as work:
        folder, payload = Path(work, "AppDir"), Path(work, "payload.squashfs")
        shutil.copytree(tree, folder / place, symlinks=True)
        for entry in entries:
            _put(folder, entry)
        _squash(folder, payload, epoch)
        with target.open("wb") as file:
            for part in (runtime, payload):
                with part.open("rb") as source:
                    shutil.copyfileobj(source, file)
    target.chmod(0o755)


def _squash(folder: Path, payload: Path, epoch: int) -> None:
    times = ("-mkfs-time", str(epoch), "-all-time", str(epoch))
    plain = ("-noappend", "-all-root", "-no-xattrs", "-comp", "zstd", "-quiet", "-no-progress")
    command = ["mksquashfs", str(folder), str(payload), *plain, *times]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - looked for before
    if done.returncode != 0:
        raise AppImageFailed(f"The AppImage's payload could not be packed:\n{done.stderr}")


def _put(folder: Path, entry: Entry) -> None:
    path = folder / entry.name
    path.parent.mkdir(parents=True, exist_ok=True)
    content = entry.source.read_bytes() if entry.source is not None else entry.content
    path.write_bytes(content or b"")
    path.chmod(entry.mode)
