"""The AppImage of a product."""

from collections.abc import Mapping
from pathlib import Path

from lime_desktop.stamping.appimage import write_appimage
from lime_desktop.stamping.brand import Brand
from lime_desktop.stamping.formats.desktop_files import desktop_entries, menu_entry
from lime_desktop.stamping.program_tree import ProgramTree

_ICON_SIDE = 256


def write_brand_appimage(
    brand: Brand, tree: Path, icons: Mapping[int, bytes], runtime: Path, epoch: int, out: Path
) -> Path:
    """Write the AppImage of a product and give its path.

    Raises:
        AppImageFailed: the payload could not be packed.
    """
    return write_appimage(
        ProgramTree(brand.id, brand.version, tree, epoch),
        desktop_entries(brand, icons, "usr/share"),
        menu_entry(brand).encode(),
        icons[_ICON_SIDE],
        runtime,
        out,
    )
