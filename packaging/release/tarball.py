"""The tar.gz: the frozen tree with a script that installs it for one person, and one that takes it away again."""

import platform
from pathlib import Path

from lime_desktop.stamping.archives import (
    LEVEL,
    Entry,
    PiecewiseGzip,
    entries_of,
    with_folders,
    write_tar,
)
from lime_desktop.stamping.system_needs import debian_depends, elf_files, missing_from
from release.checkout import Checkout
from release.desktop_files import apparmor_profile, desktop_entries

_SCRIPTS = Path(__file__).with_name("user_install")
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


def build_tarball(
    checkout: Checkout,
    tree: Path,
    icons: dict[int, Path],
    licences: bytes,
    out: Path,
    level: int = LEVEL,
) -> Path:
    """Write the archive and give its path."""
    name = f"lime-desktop-{checkout.version}"
    program = f"{name}/lime-desktop"
    # Whichever version runs.
    profile = apparmor_profile("@{HOME}/.local/lib/lime-desktop/versions/*")
    entries = [
        *entries_of(tree, program),
        Entry(f"{name}/lime-desktop.apparmor", content=profile.encode()),
        Entry(f"{name}/missing-libraries.sh", 0o755, content=_looking_script(tree).encode()),
        *desktop_entries(checkout, icons, f"{name}/share"),
        Entry(f"{name}/LICENCES.txt", content=licences),
        *(
            Entry(f"{name}/{each.name}", 0o755, content=_script(each, checkout.version))
            for each in sorted(_SCRIPTS.glob("*.sh"))
        ),
    ]
    target = out / f"{name}-linux-{platform.machine()}.tar.gz"
    with target.open("wb") as file, PiecewiseGzip(file, level) as packed:
        write_tar(packed, with_folders(entries), checkout.epoch)  # pyright: ignore[reportArgumentType] - tarfile only writes
    return target


def _script(source: Path, version: str) -> bytes:
    return source.read_text("utf-8").replace("@VERSION@", version).encode()


def _looking_script(tree: Path) -> str:
    """A script that knows every library the tree leaves to the system, and its package in Debian."""
    pairs = [f"{name}={_package(name)}" for name in missing_from(elf_files(tree))]
    return _LOOK.replace("@LIBRARIES@", " ".join(pairs))


def _package(soname: str) -> str:
    return debian_depends([soname], "2.17")[-1].split(" | ")[0]
