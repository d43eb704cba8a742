"""The .deb of Lime Desktop: what goes beside its tree, and what it says of itself."""

from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path

from lime_desktop.registration.written import FILE, SYSTEM, as_lines, installed
from lime_desktop.stamping.archives import LEVEL, Entry, gzip_member
from lime_desktop.stamping.deb import write_program_deb
from lime_desktop.stamping.program_tree import ProgramTree
from release.checkout import Checkout
from release.desktop_files import desktop_entries

_MAINTAINER = "Lime Desktop contributors <lime-desktop@example.invalid>"
_DESCRIPTION = """desktop host for Agent Apps
 Lime Desktop installs, governs and runs Agent Apps. Each app has a sandboxed
 page of its own, asks before it does what needs a permission, and leaves a
 record of what it did.
 .
 This package brings its own Python and Qt WebEngine."""


def build_deb(
    checkout: Checkout,
    tree: Path,
    icons: dict[int, Path],
    licences: bytes,
    out: Path,
    level: int = LEVEL,
) -> Path:
    """Write the package and give its path."""
    about = {"Maintainer": _MAINTAINER, "Description": _DESCRIPTION}
    doc = "usr/share/doc/lime-desktop"
    beside = [
        Entry(
            f"{SYSTEM.removeprefix('/')}/{FILE}",
            content=as_lines(installed(checkout.version, tree, "/opt/lime-desktop")),
        ),
        *desktop_entries(checkout, icons),
        Entry(f"{doc}/copyright", content=licences),
        Entry(f"{doc}/changelog.gz", content=gzip_member(_changelog(checkout).encode())),
    ]
    packed = ProgramTree("lime-desktop", checkout.version, tree, checkout.epoch)
    return write_program_deb(packed, about, beside, level, out)


def _changelog(checkout: Checkout) -> str:
    moment = format_datetime(datetime.fromtimestamp(checkout.epoch, UTC))
    news = "  * See CHANGELOG.md of the sources."
    return f"lime-desktop ({checkout.version}) unstable; urgency=medium\n\n{news}\n\n -- {_MAINTAINER}  {moment}\n"
