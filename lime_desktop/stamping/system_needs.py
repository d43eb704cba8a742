"""What a tree leaves to the system: the libraries it asks for and does not bring, and which Debian packages hold them."""

from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

from lime_desktop.doctor.system_libraries import DEBIAN_PACKAGES
from lime_desktop.stamping.elf import ElfFile, read_elf

# Beside what Qt asks for: Python's own, and what is loaded by name at run time.
_MORE_PACKAGES: Mapping[str, tuple[str, ...]] = {
    "libssl3": ("libssl.so.3", "libcrypto.so.3"),
    "libstdc++6": ("libstdc++.so.6",),
    "libbrotli1": ("libbrotlicommon.so.1",),
    "libzstd1": ("libzstd.so.1",),
    "libgcc-s1": ("libgcc_s.so.1",),
    "libgomp1": ("libgomp.so.1",),
}
_RENAMED_T64 = frozenset({"libasound2", "libglib2.0-0", "libssl3"})
_OF_LIBC = (
    *("libc.so.", "libm.so.", "libdl.so.", "libpthread.so.", "librt.so.", "ld-linux"),
    *("libutil.so.", "libresolv.so."),
)
_ASKED_FOR_BY_NAME = ("libGL.so.1", "libEGL.so.1", "libssl.so.3", "libudev.so.1")
"""Qt opens these itself, so no file says that it needs them."""


_LOOK = """#!/bin/sh
# missing-libraries.sh                     names the libraries that this system lacks
# missing-libraries.sh --packages "NAMES"  names the Debian packages that hold them
set -eu
libraries="@LIBRARIES@"
if [ "${1:-}" = --packages ]; then
    renamed=no
    if apt-cache show libasound2t64 >/dev/null 2>&1; then renamed=yes; fi
    for name in $2; do
        for pair in $libraries; do
            case $pair in
            "$name="*)
                package=${pair#*=}
                if [ $renamed = no ]; then package=${package%t64}; fi
                printf '%s ' "$package"
                ;;
            esac
        done
    done
    exit 0
fi
known=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null || true)
# Where nothing can be asked, nothing is said to be missing.
if [ -z "$known" ]; then exit 0; fi
for pair in $libraries; do
    case $known in
    *"${pair%%=*} "*) ;;
    *) printf '%s ' "${pair%%=*}" ;;
    esac
done
"""


class UnknownLibraries(Exception):
    """A tree needs libraries, and nobody has said which package holds them."""


def elf_files(tree: Path) -> dict[str, ElfFile]:
    """Every program and library in a tree, by its name below it."""
    paths = (path for path in sorted(tree.rglob("*")) if path.is_file() and not path.is_symlink())
    read = ((path.relative_to(tree).as_posix(), read_elf(path)) for path in paths)
    return {name: elf for name, elf in read if elf is not None}


def missing_from(files: Mapping[str, ElfFile]) -> tuple[str, ...]:
    """The names that files of a tree need and no file of it bears."""
    here = {PurePosixPath(name).name for name in files} | {elf.soname for elf in files.values()}
    asked = {needed for elf in files.values() for needed in elf.needed} | {*_ASKED_FOR_BY_NAME}
    return tuple(sorted(name for name in asked - here if not name.startswith(_OF_LIBC)))


def debian_depends(sonames: Iterable[str], glibc: str) -> tuple[str, ...]:
    """The packages for these libraries, under both names where Debian 13 renamed one.

    Raises:
        UnknownLibraries: nobody has said which package holds one of them.
    """
    holders: dict[str, str] = {}
    for package, held in (*DEBIAN_PACKAGES.items(), *_MORE_PACKAGES.items()):
        holders.update(dict.fromkeys(held, package))
    unknown = sorted(set(sonames) - set(holders))
    if unknown:
        raise UnknownLibraries(
            f"The tree needs {', '.join(unknown)}, and no Debian package is known for that.\n"
            "Name it in lime_desktop/stamping/system_needs.py, or leave out what needs it (packaging/release: the spec, pruning.py)."
        )
    packages = sorted({holders[name] for name in sonames})
    named = (f"{each}t64 | {each}" if each in _RENAMED_T64 else each for each in packages)
    return (f"libc6 (>= {glibc})", *named)


def newest_glibc(files: Mapping[str, ElfFile]) -> str:
    """The oldest C library that has all that the files ask for."""
    asked = {
        version.removeprefix("GLIBC_")
        for elf in files.values()
        for version in elf.versions
        if version.startswith("GLIBC_2")
    }
    return max(asked, key=lambda text: [int(part) for part in text.split(".")], default="2.17")


def looking_script(files: Mapping[str, ElfFile]) -> str:
    """A script that knows every library which the files leave to the system, and its package in Debian.

    Raises:
        UnknownLibraries: nobody has said which package holds one of them.
    """
    pairs = [f"{name}={_package(name)}" for name in missing_from(files)]
    return _LOOK.replace("@LIBRARIES@", " ".join(pairs))


def _package(soname: str) -> str:
    return debian_depends([soname], "2.17")[-1].split(" | ")[0]
