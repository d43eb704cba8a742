"""The .deb and the tar.gz of a product that runs on an installed Lime Desktop: a few files, for every kind of computer.

Both put the product's folder where Lime Desktop looks for it, and nowhere else: see `registration/places.py`.
"""

from collections.abc import Mapping
from pathlib import Path

from lime_desktop.product import LIME
from lime_desktop.registration.places import OWN, SYSTEM
from lime_desktop.registration.products import PRODUCTS
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
from lime_desktop.stamping.deb import write_deb
from lime_desktop.stamping.formats.debian import debian_version
from lime_desktop.stamping.formats.desktop_files import desktop_entries
from lime_desktop.stamping.formats.tarball import in_the_name_of
from lime_desktop.stamping.runtime_needs import RuntimeNeeds

_OWN_FOLDER = '${LIME_DESKTOP_FOLDER:-"$HOME/.local/lib/lime-desktop"}'


def write_backed_debian(
    brand: Brand,
    needs: RuntimeNeeds,
    tree: Path,
    icons: Mapping[int, bytes],
    epoch: int,
    out: Path,
) -> Path:
    """Write the package and give its path. Lime Desktop is recommended, not needed: a person's own will do."""
    folder = f"{SYSTEM.as_posix().removeprefix('/')}/{PRODUCTS}/{brand.id}"
    copyright_text = (
        f"{brand.name} runs on an installed Lime Desktop, which is under the Apache License 2.0.\n"
    )
    entries = [
        *entries_of(tree, folder),
        Entry(f"usr/bin/{brand.id}", 0o777, link=f"../../{folder}/bin/{brand.id}"),
        *desktop_entries(brand, icons, "usr/share"),
        Entry(f"usr/share/doc/{brand.id}/copyright", content=copyright_text.encode()),
    ]
    version = debian_version(brand.version)
    control = {
        "Package": brand.id,
        "Version": version,
        "Architecture": "all",
        "Maintainer": f"{brand.publisher or brand.name} <{brand.id}@example.invalid>",
        "Section": "utils",
        "Priority": "optional",
        "Recommends": f"{LIME.id} (>= {debian_version(needs.required.min_version)})",
        "Description": f"{brand.summary}\n This package runs on Lime Desktop, which it does not bring.",
    }
    target = out / f"{brand.id}_{version}_all.deb"
    write_deb(target, entries, control=control, scripts={}, epoch=epoch, level=QUICK)
    return target


def write_backed_tarball(
    brand: Brand, tree: Path, icons: Mapping[int, bytes], epoch: int, out: Path
) -> Path:
    """Write the archive with its installer for one person, and give its path."""
    name = f"{brand.id}-{brand.version}"
    scripts = resources_folder()
    entries = [
        *entries_of(tree, f"{name}/{brand.id}"),
        *desktop_entries(brand, icons, f"{name}/share"),
        *(
            Entry(f"{name}/{each.name}", 0o755, content=_script(brand, each).encode())
            for each in (
                scripts / "backed_install/install.sh",
                scripts / "user_install/placing.sh",
                scripts / "user_install/uninstall.sh",
            )
        ),
    ]
    target = out / f"{name}-runtime-backed.tar.gz"
    with target.open("wb") as file, PiecewiseGzip(file, QUICK) as packed:
        write_tar(packed, with_folders(entries), epoch)  # pyright: ignore[reportArgumentType] - tarfile only writes
    return target


def _script(brand: Brand, source: Path) -> str:
    """One of the scripts as the product's own; its folder is where Lime Desktop looks, whatever a variable says."""
    place = f'"$HOME/{OWN.as_posix()}/{PRODUCTS}/{brand.id}"'
    return in_the_name_of(brand, source, {_OWN_FOLDER: place})
