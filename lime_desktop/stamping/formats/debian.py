"""The .deb of a product: installed for the whole computer, updated by its package manager."""

import platform
import re
from collections.abc import Mapping
from pathlib import Path

from lime_desktop.stamping.archives import QUICK, Entry, entries_of
from lime_desktop.stamping.brand import Brand
from lime_desktop.stamping.deb import RECOMMENDS, maintainer_scripts, write_deb
from lime_desktop.stamping.formats.desktop_files import apparmor_profile, desktop_entries
from lime_desktop.stamping.system_needs import (
    debian_depends,
    elf_files,
    missing_from,
    newest_glibc,
)

_ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
_MACHINES = {62: "amd64", 183: "arm64"}
"""By the number that an ELF file bears: a tree need not have been made here."""


def write_debian(
    brand: Brand, tree: Path, icons: Mapping[int, bytes], epoch: int, out: Path
) -> Path:
    """Write the package and give its path.

    Raises:
        UnknownLibraries: the tree needs some that no package is known for.
    """
    files = elf_files(tree)
    kind = _architecture(tree / brand.id)
    folder = f"opt/{brand.id}"
    profile = apparmor_profile(brand, f"/{folder}").encode()
    entries = [
        *entries_of(tree, folder),
        Entry(f"{folder}/share/{brand.id}.apparmor", content=profile),
        Entry(f"usr/bin/{brand.id}", 0o777, link=f"../../{folder}/{brand.id}"),
        *desktop_entries(brand, icons, "usr/share"),
        Entry(f"usr/share/doc/{brand.id}/copyright", content=_copyright(brand, tree).encode()),
    ]
    version = debian_version(brand.version)
    control = {
        "Package": brand.id,
        "Version": version,
        "Architecture": kind,
        "Maintainer": f"{brand.publisher or brand.name} <{brand.id}@example.invalid>",
        "Section": "utils",
        "Priority": "optional",
        "Depends": ", ".join(debian_depends(missing_from(files), newest_glibc(files))),
        "Recommends": RECOMMENDS,
        "Description": f"{brand.summary}\n This package brings Lime Desktop, which {brand.name} runs on.",
    }
    target = out / f"{brand.id}_{version}_{kind}.deb"
    scripts = maintainer_scripts(brand.id, folder)
    write_deb(target, entries, control=control, scripts=scripts, epoch=epoch, level=QUICK)
    return target


def debian_version(version: str) -> str:
    """A version that Debian orders as its author does: what comes before a release is less than it."""
    plain, dash, before = version.partition("-")
    return re.sub(r"[^A-Za-z0-9.+~]", ".", f"{plain}{'~' if dash else ''}{before}")


def _architecture(program: Path) -> str:
    with program.open("rb") as file:
        head = file.read(20)
    machine = int.from_bytes(head[18:20], "little") if head.startswith(b"\x7fELF") else 0
    return _MACHINES.get(machine) or _ARCHITECTURES.get(platform.machine(), platform.machine())


def _copyright(brand: Brand, tree: Path) -> str:
    found = sorted(tree.glob("LICENCES*")) + sorted(tree.glob("licences*"))
    texts = "\n".join(each.read_text("utf-8", "replace") for each in found if each.is_file())
    head = f"{brand.name} runs on Lime Desktop, which is under the Apache License 2.0 and brings what is listed below.\n"
    return f"{head}\n{texts}"
