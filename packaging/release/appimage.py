"""The AppImage: the tree in one file that runs where it lies. Its first part comes from elsewhere and is given by path."""

import platform
import shutil
import subprocess
from pathlib import Path

from newcomer.console import StoppedError

from lime_desktop.stamping.archives import Entry
from release.checkout import Checkout
from release.desktop_files import desktop_entries

_MAGIC = b"AI\x02"
_RUN = """#!/bin/sh
exec "$(dirname -- "$(readlink -f -- "$0")")/usr/lib/lime-desktop/lime-desktop" "$@"
"""


def why_no_appimage(runtime: Path | None) -> str | None:
    """What stands in the way of one, and what helps; None if nothing does."""
    if runtime is None:
        return (
            "An AppImage begins with the type 2 runtime of the AppImage project, which is in no package index.\n"
            "Fetch it from that project's releases (runtime-x86_64) and name it: --appimage-runtime FILE"
        )
    try:
        head = runtime.read_bytes()[:11]
    except OSError as error:
        return f"The AppImage runtime cannot be read: {error.strerror}: {runtime}"
    if not head.startswith(b"\x7fELF") or head[8:11] != _MAGIC:
        return (
            f"{runtime} is not an AppImage type 2 runtime: its head says neither ELF nor AI\\x02."
        )
    if shutil.which("mksquashfs") is None:
        return "An AppImage needs mksquashfs: sudo apt-get install squashfs-tools"
    return None


def build_appimage(
    checkout: Checkout, tree: Path, icons: dict[int, Path], runtime: Path, out: Path
) -> Path:
    """Write the AppImage and give its path.

    Raises:
        StoppedError: the payload could not be packed.
    """
    folder = tree.parent / "AppDir"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(tree, folder / "usr/lib/lime-desktop", symlinks=True)
    extra = [
        *desktop_entries(checkout, icons),
        Entry("AppRun", 0o755, content=_RUN.encode()),
        Entry("lime-desktop.png", source=icons[256]),
        Entry(".DirIcon", source=icons[256]),
    ]
    for entry in extra:
        _put(folder, entry)
    shutil.copyfile(
        folder / "usr/share/applications/lime-desktop.desktop", folder / "lime-desktop.desktop"
    )
    payload = tree.parent / "payload.squashfs"
    payload.unlink(missing_ok=True)
    squash = [
        *("mksquashfs", folder, payload, "-noappend", "-all-root", "-no-xattrs", "-comp", "zstd"),
        *(
            "-mkfs-time",
            str(checkout.epoch),
            "-all-time",
            str(checkout.epoch),
            "-quiet",
            "-no-progress",
        ),
    ]
    done = subprocess.run(squash, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise StoppedError(f"The AppImage's payload could not be packed:\n{done.stderr}")
    target = out / f"lime-desktop-{checkout.version}-{platform.machine()}.AppImage"
    target.write_bytes(runtime.read_bytes() + payload.read_bytes())
    target.chmod(0o755)
    return target


def _put(folder: Path, entry: Entry) -> None:
    path = folder / entry.name
    path.parent.mkdir(parents=True, exist_ok=True)
    content = entry.source.read_bytes() if entry.source is not None else entry.content
    path.write_bytes(content or b"")
    path.chmod(entry.mode)
