"""The AppImage of Lime Desktop: the tree in one file that runs where it lies."""

from pathlib import Path

from newcomer.console import StoppedError

from lime_desktop.stamping.appimage import AppImageFailed, write_appimage
from lime_desktop.stamping.program_tree import ProgramTree
from release.checkout import Checkout
from release.desktop_files import SOURCES, desktop_entries


def build_appimage(
    checkout: Checkout, tree: Path, icons: dict[int, Path], runtime: Path, out: Path
) -> Path:
    """Write the AppImage and give its path.

    Raises:
        StoppedError: the payload could not be packed.
    """
    try:
        return write_appimage(
            ProgramTree("lime-desktop", checkout.version, tree, checkout.epoch),
            desktop_entries(checkout, icons),
            (SOURCES / "lime-desktop.desktop").read_bytes(),
            icons[256].read_bytes(),
            runtime,
            out,
        )
    except AppImageFailed as failed:
        raise StoppedError(str(failed)) from failed
