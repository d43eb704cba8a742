"""The tar.gz of a product: its tree with a script that installs it for one person, and one that takes it away again.

The scripts are those of Lime Desktop, in the product's name.
"""

import platform
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from lime_desktop.resources import resources_folder
from lime_desktop.stamping.archives import (
    QUICK,
    Entry,
    PiecewiseGzip,
    entries_of,
    with_folders,
    write_tar,
)
from lime_desktop.stamping.brand import Brand
from lime_desktop.stamping.formats.desktop_files import apparmor_profile, desktop_entries
from lime_desktop.stamping.system_needs import elf_files, looking_script

_UNCHANGED: Mapping[str, str] = MappingProxyType({})


def write_tarball(
    brand: Brand, tree: Path, icons: Mapping[int, bytes], epoch: int, out: Path
) -> Path:
    """Write the archive and give its path.

    Raises:
        UnknownLibraries: the tree needs some that no package is known for.
    """
    name = f"{brand.id}-{brand.version}"
    profile = apparmor_profile(brand, f"@{{HOME}}/.local/lib/{brand.id}/versions/*").encode()
    looks = looking_script(elf_files(tree)).encode()
    entries = [
        *entries_of(tree, f"{name}/{brand.id}"),
        Entry(f"{name}/{brand.id}.apparmor", content=profile),
        Entry(f"{name}/missing-libraries.sh", 0o755, content=looks),
        *desktop_entries(brand, icons, f"{name}/share"),
        *(
            Entry(f"{name}/{each.name}", 0o755, content=in_the_name_of(brand, each).encode())
            for each in sorted((resources_folder() / "user_install").glob("*.sh"))
        ),
    ]
    target = out / f"{name}-linux-{platform.machine()}.tar.gz"
    with target.open("wb") as file, PiecewiseGzip(file, QUICK) as packed:
        write_tar(packed, with_folders(entries), epoch)  # pyright: ignore[reportArgumentType] - tarfile only writes
    return target


def in_the_name_of(brand: Brand, script: Path, first: Mapping[str, str] = _UNCHANGED) -> str:
    """One of the scripts as the product's own: its names, its folder, its links. What a brand is called is no code there.

    `first` is changed before the names are.
    """
    said = brand.name.replace("'", "’")
    variable = brand.id.replace("-", "_").upper()
    changes = {
        **first,
        # Where the launcher lies in every version, whatever it is called outside.
        "launcher/lime-desktop.sh": "launcher/@LAUNCHER@",
        "x-scheme-handler/lime": f"x-scheme-handler/{brand.scheme}",
        "LIME_DESKTOP_": f"{variable}_",
        "lime-desktop": brand.id,
        "Lime Desktop": said,
        "@LAUNCHER@": "lime-desktop.sh",
        "@VERSION@": brand.version,
    }
    text = script.read_text("utf-8")
    for old, new in changes.items():
        text = text.replace(old, new)
    return text
