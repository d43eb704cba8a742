"""The AppImage of a product."""

import platform
from collections.abc import Mapping
from pathlib import Path

from lime_desktop.stamping.appimage import join_appimage
from lime_desktop.stamping.archives import Entry
from lime_desktop.stamping.brand import Brand
from lime_desktop.stamping.formats.desktop_files import desktop_entries, menu_entry

_ICON_SIDE = 256
_RUN = """#!/bin/sh
exec "$(dirname -- "$(readlink -f -- "$0")")/usr/lib/@ID@/@ID@" "$@"
"""


def write_appimage(
    brand: Brand, tree: Path, icons: Mapping[int, bytes], runtime: Path, epoch: int, out: Path
) -> Path:
    """Write the AppImage of a product and give its path.

    Raises:
        AppImageFailed: the payload could not be packed.
    """
    entries = [
        *desktop_entries(brand, icons, "usr/share"),
        Entry("AppRun", 0o755, content=_RUN.replace("@ID@", brand.id).encode()),
        Entry(f"{brand.id}.desktop", content=menu_entry(brand).encode()),
        Entry(f"{brand.id}.png", content=icons[_ICON_SIDE]),
        Entry(".DirIcon", content=icons[_ICON_SIDE]),
    ]
    target = out / f"{brand.id}-{brand.version}-{platform.machine()}.AppImage"
    join_appimage(tree, f"usr/lib/{brand.id}", entries, runtime=runtime, epoch=epoch, target=target)
    return target
