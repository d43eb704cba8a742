"""Writes a Debian package in plain Python: the same input gives the same bytes, and no Debian tool is needed."""

import hashlib
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

from lime_desktop.stamping.apparmor import apparmor_profile
from lime_desktop.stamping.archives import (
    LEVEL,
    Entry,
    PiecewiseGzip,
    entries_of,
    with_folders,
    write_tar,
)
from lime_desktop.stamping.program_tree import ProgramTree
from lime_desktop.stamping.system_needs import debian_depends, elf_files, missing_from, newest_glibc

_MAGIC = b"!<arch>\n"
_FORMAT = b"2.0\n"
_RECOMMENDS = "bubblewrap, ca-certificates, fonts-noto-cjk, xdg-utils"
"""The sandbox for programs of apps; certificates and a font for whoever has neither; the person's browser."""
_POSTINST = """#!/bin/sh
set -e
# Ubuntu gives user namespaces, which the web engine's sandbox stands on, only to programs with a profile. Older
# parsers do not know the rule, and their systems do not need it.
if [ "$1" = configure ] && [ -e /etc/apparmor.d/abi/4.0 ] && command -v apparmor_parser >/dev/null; then
    if apparmor_parser --skip-kernel-load --skip-cache /@FOLDER@/share/@ID@.apparmor >/dev/null 2>&1; then
        cp /@FOLDER@/share/@ID@.apparmor /etc/apparmor.d/@ID@
        apparmor_parser --replace /etc/apparmor.d/@ID@ >/dev/null 2>&1 || true
    fi
fi
"""
_PRERM = """#!/bin/sh
set -e
if [ "$1" = remove ] && [ -e /etc/apparmor.d/@ID@ ]; then
    if command -v apparmor_parser >/dev/null; then
        apparmor_parser --remove /etc/apparmor.d/@ID@ >/dev/null 2>&1 || true
    fi
    rm -f /etc/apparmor.d/@ID@
fi
"""


def write_program_deb(
    tree: ProgramTree, about: Mapping[str, str], beside: Sequence[Entry], level: int, out: Path
) -> Path:
    """Write the package of a program whose tree goes below /opt, and give its path.

    `about` has the fields of its control file that only its maker knows: `Maintainer` and `Description`.

    Raises:
        UnknownLibraries: the tree needs some that no package is known for.
    """
    program, files = tree.program, elf_files(tree.folder)
    folder = f"opt/{program}"
    profile = apparmor_profile(program, f"/{folder}")
    entries = [
        *entries_of(tree.folder, folder),
        Entry(f"{folder}/share/{program}.apparmor", content=profile.encode()),
        Entry(f"usr/bin/{program}", 0o777, link=f"../../{folder}/{program}"),
        *beside,
    ]
    control = {
        "Package": program,
        "Version": tree.version,
        "Architecture": tree.debian_processor,
        "Maintainer": about["Maintainer"],
        "Section": "utils",
        "Priority": "optional",
        "Depends": ", ".join(debian_depends(missing_from(files), newest_glibc(files))),
        "Recommends": _RECOMMENDS,
        "Description": about["Description"],
    }
    target = out / f"{program}_{tree.version}_{tree.debian_processor}.deb"
    scripts = _maintainer_scripts(program, folder)
    write_deb(target, entries, control=control, scripts=scripts, epoch=tree.epoch, level=level)
    return target


def write_deb(
    target: Path,
    entries: Sequence[Entry],
    *,
    control: Mapping[str, str],
    scripts: Mapping[str, str],
    epoch: int,
    level: int = LEVEL,
) -> None:
    """Write a package of these files. `Installed-Size` is added; names are relative to the root of the system."""
    placed = with_folders(_below_root(entry) for entry in entries)
    fields = {**control, "Installed-Size": str(_kilobytes(placed))}
    about = [
        Entry("./control", content=_control(fields).encode()),
        Entry("./md5sums", content=_sums(placed).encode()),
        *(Entry(f"./{name}", 0o755, content=text.encode()) for name, text in scripts.items()),
    ]
    with target.open("wb") as file:
        file.write(_MAGIC)
        _add_member(file, "debian-binary", _FORMAT, epoch)
        packed = io.BytesIO()
        _pack(packed, sorted(about, key=lambda entry: entry.name), epoch, LEVEL)
        _add_member(file, "control.tar.gz", packed.getvalue(), epoch)
        _add_data(file, placed, epoch, level)


def _maintainer_scripts(name: str, folder: str) -> dict[str, str]:
    """What runs when a package of this name is installed below `folder`, and when it is removed."""
    scripts = {"postinst": _POSTINST, "prerm": _PRERM}
    return {
        each: script.replace("@ID@", name).replace("@FOLDER@", folder)
        for each, script in scripts.items()
    }


def _add_data(file: IO[bytes], entries: Sequence[Entry], epoch: int, level: int) -> None:
    """Write the files themselves; how long that is, is known only afterwards."""
    head = file.tell()
    file.write(_member_head("data.tar.gz", 0, epoch))
    start = file.tell()
    _pack(file, entries, epoch, level)
    size = file.tell() - start
    if size % 2:
        file.write(b"\n")
    file.seek(head)
    file.write(_member_head("data.tar.gz", size, epoch))
    file.seek(0, io.SEEK_END)


def _pack(target: IO[bytes], entries: Sequence[Entry], epoch: int, level: int) -> None:
    with PiecewiseGzip(target, level) as packed:
        write_tar(packed, entries, epoch)  # pyright: ignore[reportArgumentType] - tarfile only writes


def _below_root(entry: Entry) -> Entry:
    return Entry(f"./{entry.name}", entry.mode, entry.content, entry.source, entry.link)


def _member_head(name: str, size: int, epoch: int) -> bytes:
    return f"{name:<16}{epoch:<12}{0:<6}{0:<6}{100644:<8}{size:<10}`\n".encode()


def _add_member(file: IO[bytes], name: str, content: bytes, epoch: int) -> None:
    file.write(_member_head(name, len(content), epoch) + content + b"\n" * (len(content) % 2))


def _control(fields: Mapping[str, str]) -> str:
    return "".join(f"{name}: {value}\n" for name, value in fields.items())


def _kilobytes(entries: Sequence[Entry]) -> int:
    """As Debian counts: each file rounded up, and one for whatever is no file."""
    return sum(-(-_size(entry) // 1024) or 1 for entry in entries)


def _size(entry: Entry) -> int:
    if entry.source is not None:
        return entry.source.stat().st_size
    return len(entry.content or b"")


def _sums(entries: Sequence[Entry]) -> str:
    lines: list[str] = []
    for entry in entries:
        if entry.link is None and (entry.source is not None or entry.content is not None):
            digest = hashlib.md5(usedforsecurity=False)  # what dpkg compares with
            if entry.source is not None:
                with entry.source.open("rb") as file:
                    while block := file.read(1 << 20):
                        digest.update(block)
            else:
                digest.update(entry.content or b"")
            lines.append(f"{digest.hexdigest()}  {entry.name.removeprefix('./')}\n")
    return "".join(lines)
