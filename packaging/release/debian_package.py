"""The .deb of Lime Desktop: what goes where, what it depends on, what runs at its installation and removal."""

import platform
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path

from lime_desktop.registration.written import FILE, SYSTEM, as_lines, installed
from lime_desktop.stamping.archives import LEVEL, Entry, entries_of, gzip_member
from lime_desktop.stamping.deb import RECOMMENDS, maintainer_scripts, write_deb
from lime_desktop.stamping.system_needs import debian_depends, elf_files, missing_from, newest_glibc
from release.checkout import Checkout
from release.desktop_files import apparmor_profile, desktop_entries

FOLDER = "opt/lime-desktop"
_ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
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
    files = elf_files(tree)
    depends = debian_depends(missing_from(files), newest_glibc(files))
    control = {
        "Package": "lime-desktop",
        "Version": checkout.version,
        "Architecture": architecture(),
        "Maintainer": _MAINTAINER,
        "Section": "utils",
        "Priority": "optional",
        "Depends": ", ".join(depends),
        "Recommends": RECOMMENDS,
        "Description": _DESCRIPTION,
    }
    doc = "usr/share/doc/lime-desktop"
    entries = [
        *entries_of(tree, FOLDER),
        Entry(
            f"{FOLDER}/share/lime-desktop.apparmor", content=apparmor_profile(f"/{FOLDER}").encode()
        ),
        Entry(
            f"{SYSTEM.removeprefix('/')}/{FILE}",
            content=as_lines(installed(checkout.version, tree, f"/{FOLDER}")),
        ),
        Entry("usr/bin/lime-desktop", 0o777, link=f"../../{FOLDER}/lime-desktop"),
        *desktop_entries(checkout, icons),
        Entry(f"{doc}/copyright", content=licences),
        Entry(f"{doc}/changelog.gz", content=gzip_member(_changelog(checkout).encode())),
    ]
    target = out / f"lime-desktop_{checkout.version}_{architecture()}.deb"
    scripts = maintainer_scripts("lime-desktop", FOLDER)
    write_deb(target, entries, control=control, scripts=scripts, epoch=checkout.epoch, level=level)
    return target


def architecture() -> str:
    """What Debian calls this machine's processor."""
    return _ARCHITECTURES.get(platform.machine(), platform.machine())


def _changelog(checkout: Checkout) -> str:
    moment = format_datetime(datetime.fromtimestamp(checkout.epoch, UTC))
    news = "  * See CHANGELOG.md of the sources."
    return f"lime-desktop ({checkout.version}) unstable; urgency=medium\n\n{news}\n\n -- {_MAINTAINER}  {moment}\n"
