"""The tar.gz of a product: its tree with a script that installs it for one person, and one that takes it away again.

The scripts are those of Lime Desktop, in the product's name.
"""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from lime_desktop.stamping.archives import QUICK
from lime_desktop.stamping.brand import Brand
from lime_desktop.stamping.formats.desktop_files import desktop_entries
from lime_desktop.stamping.program_tree import ProgramTree
from lime_desktop.stamping.user_archive import write_user_archive

_UNCHANGED: Mapping[str, str] = MappingProxyType({})


def write_tarball(
    brand: Brand, tree: Path, icons: Mapping[int, bytes], epoch: int, out: Path
) -> Path:
    """Write the archive and give its path.

    Raises:
        UnknownLibraries: the tree needs some that no package is known for.
    """
    return write_user_archive(
        ProgramTree(brand.id, brand.version, tree, epoch),
        lambda folder: desktop_entries(brand, icons, f"{folder}/share"),
        lambda script: in_the_name_of(brand, script),
        QUICK,
        out,
    )


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
