"""The tar.gz: the frozen tree with a script that installs it for one person, and one that takes it away again."""

import platform
from pathlib import Path

from lime_desktop.registration.written import as_lines, installed
from lime_desktop.stamping.archives import (
    LEVEL,
    Entry,
    PiecewiseGzip,
    entries_of,
    with_folders,
    write_tar,
)
from lime_desktop.stamping.system_needs import elf_files, looking_script
from release.checkout import ROOT, Checkout
from release.desktop_files import apparmor_profile, desktop_entries

_SCRIPTS = ROOT / "resources/user_install"


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
        Entry(
            f"{name}/missing-libraries.sh", 0o755, content=looking_script(elf_files(tree)).encode()
        ),
        *desktop_entries(checkout, icons, f"{name}/share"),
        Entry(f"{name}/LICENCES.txt", content=licences),
        # Products that bring no runtime find it by this, once the installer has written where it lies.
        Entry(
            f"{name}/lime-runtime.json.in",
            content=as_lines(installed(checkout.version, tree, "@PLACE@")),
        ),
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
