"""The tar.gz of Lime Desktop, which a person installs for themselves."""

from pathlib import Path

from lime_desktop.registration.written import as_lines, installed
from lime_desktop.stamping.archives import LEVEL, Entry
from lime_desktop.stamping.program_tree import ProgramTree
from lime_desktop.stamping.user_archive import write_user_archive
from release.checkout import Checkout
from release.desktop_files import desktop_entries


def build_tarball(
    checkout: Checkout,
    tree: Path,
    icons: dict[int, Path],
    licences: bytes,
    out: Path,
    level: int = LEVEL,
) -> Path:
    """Write the archive and give its path."""
    return write_user_archive(
        ProgramTree("lime-desktop", checkout.version, tree, checkout.epoch),
        lambda folder: [
            *desktop_entries(checkout, icons, f"{folder}/share"),
            Entry(f"{folder}/LICENCES.txt", content=licences),
            # Products that bring no runtime find it by this, once the installer has written where it lies.
            Entry(
                f"{folder}/lime-runtime.json.in",
                content=as_lines(installed(checkout.version, tree, "@PLACE@")),
            ),
        ],
        lambda script: script.read_text("utf-8").replace("@VERSION@", checkout.version),
        level,
        out,
    )
