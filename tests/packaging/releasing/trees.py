"""A frozen tree in small, and what a release knows beside it."""

import shutil
from pathlib import Path

from release.checkout import ROOT, Checkout

from tests.packaging.releasing.elf_files import write_elf

CHECKOUT = Checkout(Path(), "1.2.3", "0" * 40, 1_700_000_000)


def small_tree(folder: Path) -> Path:
    """Two programs that can be run, and a library that asks for one of the system's."""
    for name in ("lime-desktop", "lime-app-server"):
        program = folder / name
        program.parent.mkdir(parents=True, exist_ok=True)
        program.write_text('#!/bin/sh\necho "$0 $*"\n')
        program.chmod(0o755)
    write_elf(folder / "_internal/PySide6/QtCore.abi3.so", "libX11.so.6")
    (folder / "_internal/data.txt").write_text("data")
    (folder / "_internal/link").symlink_to("data.txt")
    launcher = folder / "_internal/lime_desktop/_resources/launcher/lime-desktop.sh"
    launcher.parent.mkdir(parents=True)
    shutil.copyfile(ROOT / "resources/launcher/lime-desktop.sh", launcher)
    return folder


def small_icons(folder: Path) -> dict[int, Path]:
    """Files in the place of icons."""
    folder.mkdir(parents=True, exist_ok=True)
    icons = {size: folder / f"{size}.png" for size in (16, 256)}
    for size, path in icons.items():
        path.write_bytes(b"\x89PNG" + bytes([size % 256]))
    return icons
