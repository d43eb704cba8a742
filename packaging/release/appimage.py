"""The AppImage of Lime Desktop: the tree in one file that runs where it lies."""

import platform
from pathlib import Path

from newcomer.console import StoppedError

from lime_desktop.stamping.appimage import AppImageFailed, join_appimage
from lime_desktop.stamping.archives import Entry
from release.checkout import Checkout
from release.desktop_files import SOURCES, desktop_entries

_RUN = """#!/bin/sh
exec "$(dirname -- "$(readlink -f -- "$0")")/usr/lib/lime-desktop/lime-desktop" "$@"
"""


def build_appimage(
    checkout: Checkout, tree: Path, icons: dict[int, Path], runtime: Path, out: Path
) -> Path:
    """Write the AppImage and give its path.

    Raises:
        StoppedError: the payload could not be packed.
    """
    entries = [
        *desktop_entries(checkout, icons),
        Entry("AppRun", 0o755, content=_RUN.encode()),
        Entry("lime-desktop.png", source=icons[256]),
        Entry(".DirIcon", source=icons[256]),
        Entry("lime-desktop.desktop", source=SOURCES / "lime-desktop.desktop"),
    ]
    target = out / f"lime-desktop-{checkout.version}-{platform.machine()}.AppImage"
    place = "usr/lib/lime-desktop"
    try:
        join_appimage(tree, place, entries, runtime=runtime, epoch=checkout.epoch, target=target)
    except AppImageFailed as failed:
        raise StoppedError(str(failed)) from failed
    return target
