"""One file of a tree that runs where it lies: the AppImage format. Its first part comes from elsewhere and is given by path."""

import os
import shutil
import struct
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from lime_desktop.stamping.archives import Entry
from lime_desktop.stamping.elf import elf_size
from lime_desktop.stamping.program_tree import ProgramTree

_MAGIC = b"AI\x02"
_HEAD = 64
_RUN = """#!/bin/sh
exec "$(dirname -- "$(readlink -f -- "$0")")/usr/lib/@ID@/@ID@" "$@"
"""


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
        fault = _fault_of(runtime)
    except OSError as error:
        return f"The AppImage runtime cannot be read: {error.strerror}: {runtime}"
    if fault is not None:
        return f"{runtime} is not an AppImage type 2 runtime: {fault}"
    if shutil.which("mksquashfs") is None:
        return "An AppImage needs mksquashfs: sudo apt-get install squashfs-tools"
    return None


def _fault_of(runtime: Path) -> str | None:
    with runtime.open("rb") as file:
        head = file.read(_HEAD)
        size = os.fstat(file.fileno()).st_size

        def read(at: int, count: int) -> bytes:
            file.seek(at)
            return file.read(count)

        if not head.startswith(b"\x7fELF") or head[8:11] != _MAGIC:
            return "its head does not say ELF and AI\\x02."
        try:
            end = elf_size(head, read)
        except (struct.error, OSError, OverflowError):
            return "its head is damaged."
    # It looks for its files where it ends by its own word.
    return None if end == size else f"it ends at {end} of {size} bytes. Is it a whole AppImage?"


def write_appimage(
    tree: ProgramTree, share: Sequence[Entry], menu: bytes, icon: bytes, runtime: Path, out: Path
) -> Path:
    """Pack a program behind the runtime, with its menu entry, its icon and what goes below `usr/share`; give the path.

    Raises:
        AppImageFailed: the payload could not be packed.
    """
    program = tree.program
    entries = [
        *share,
        Entry("AppRun", 0o755, content=_RUN.replace("@ID@", program).encode()),
        Entry(f"{program}.desktop", content=menu),
        Entry(f"{program}.png", content=icon),
        Entry(".DirIcon", content=icon),
    ]
    target = out / f"{program}-{tree.version}-{tree.processor}.AppImage"
    with tempfile.TemporaryDirectory(dir=out, prefix=".appimage-") as work:
        folder, payload = Path(work, "AppDir"), Path(work, "payload.squashfs")
        whole = Path(work, target.name)
        shutil.copytree(tree.folder, folder / "usr/lib" / program, symlinks=True)
        for entry in entries:
            _put(folder, entry)
        _squash(folder, payload, tree.epoch)
        with whole.open("wb") as file:
            for part in (runtime, payload):
                with part.open("rb") as source:
                    shutil.copyfileobj(source, file)
        whole.chmod(0o755)
        # Only what is whole has the name: half of one would start, and find half of its files.
        whole.replace(target)
    return target


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
