"""The .deb of a product: installed for the whole computer, updated by its package manager."""

import re
from collections.abc import Mapping
from pathlib import Path

from lime_desktop.stamping.archives import QUICK, Entry
from lime_desktop.stamping.brand import Brand
from lime_desktop.stamping.deb import write_program_deb
from lime_desktop.stamping.formats.desktop_files import desktop_entries
from lime_desktop.stamping.program_tree import ProgramTree


def write_debian(
    brand: Brand, tree: Path, icons: Mapping[int, bytes], epoch: int, out: Path
) -> Path:
    """Write the package and give its path.

    Raises:
        UnknownLibraries: the tree needs some that no package is known for.
    """
    about = {
        "Maintainer": f"{brand.publisher or brand.name} <{brand.id}@example.invalid>",
        "Description": f"{brand.summary}\n This package brings Lime Desktop, which {brand.name} runs on.",
    }
    beside = [
        *desktop_entries(brand, icons, "usr/share"),
        Entry(f"usr/share/doc/{brand.id}/copyright", content=_copyright(brand, tree).encode()),
    ]
    packed = ProgramTree(brand.id, debian_version(brand.version), tree, epoch)
    return write_program_deb(packed, about, beside, QUICK, out)


def debian_version(version: str) -> str:
    """A version that Debian orders as its author does: what comes before a release is less than it."""
    plain, dash, before = version.partition("-")
    return re.sub(r"[^A-Za-z0-9.+~]", ".", f"{plain}{'~' if dash else ''}{before}")


def _copyright(brand: Brand, tree: Path) -> str:
    found = sorted(tree.glob("LICENCES*")) + sorted(tree.glob("licences*"))
    texts = "\n".join(each.read_text("utf-8", "replace") for each in found if each.is_file())
    head = f"{brand.name} runs on Lime Desktop, which is under the Apache License 2.0 and brings what is listed below.\n"
    return f"{head}\n{texts}"
