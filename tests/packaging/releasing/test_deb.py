"""A package in Debian's form, written without Debian's tools: the same bytes each time, and dpkg reads it (ours)."""

import gzip
import io
import shutil
import subprocess
import tarfile
from pathlib import Path

import msgspec
import pytest
from release.debian_package import build_deb

from lime_desktop.file_hashes import sha256_of
from lime_desktop.registration.runtimes import Registration
from lime_desktop.stamping.archives import Entry, PiecewiseGzip
from lime_desktop.stamping.deb import write_deb
from tests.packaging.releasing.trees import CHECKOUT, small_icons, small_tree

EPOCH = 1_700_000_000
CONTROL = {
    "Package": "small",
    "Version": "1.0",
    "Architecture": "amd64",
    "Maintainer": "Somebody <somebody@example.invalid>",
    "Description": "a small package\n with two lines",
}
SCRIPTS = {"postinst": "#!/bin/sh\nexit 0\n"}
# Longer than one piece of the compressor.
LONG = bytes(range(256)) * 40_000


def _entries(folder: Path) -> list[Entry]:
    source = folder / "program"
    source.write_bytes(LONG)
    return [
        Entry("opt/small/program", 0o755, source=source),
        Entry("opt/small/empty"),
        Entry("usr/bin/small", 0o777, link="../../opt/small/program"),
        Entry("usr/share/doc/small/copyright", content=b"free"),
    ]


@pytest.fixture
def deb(tmp_path: Path) -> Path:
    target = tmp_path / "small.deb"
    write_deb(target, _entries(tmp_path), control=CONTROL, scripts=SCRIPTS, epoch=EPOCH)
    return target


def members(deb: Path) -> dict[str, bytes]:
    """The members of the archive, read by the letter of its format."""
    body = deb.read_bytes()
    assert body.startswith(b"!<arch>\n")
    at, found = 8, dict[str, bytes]()
    while at < len(body):
        head = body[at : at + 60]
        assert head[58:] == b"`\n"
        size = int(head[48:58])
        found[head[:16].decode().strip()] = body[at + 60 : at + 60 + size]
        at += 60 + size + size % 2
    return found


def test_it_holds_the_three_members_in_their_order(deb: Path) -> None:
    found = members(deb)
    assert list(found) == ["debian-binary", "control.tar.gz", "data.tar.gz"]
    assert found["debian-binary"] == b"2.0\n"


def test_files_folders_links_and_modes_are_as_given(deb: Path) -> None:
    data = gzip.decompress(members(deb)["data.tar.gz"])
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        found = {member.name: member for member in tar}
        program = tar.extractfile("./opt/small/program")
        assert program is not None
        assert program.read() == LONG
    assert found["./opt/small/program"].mode == 0o755
    assert found["./opt/small/empty"].isdir()
    assert found["./usr/bin/small"].linkname == "../../opt/small/program"
    assert found["./usr/share/doc"].isdir()
    assert {(each.uid, each.gid, each.mtime) for each in found.values()} == {(0, 0, EPOCH)}


def test_the_control_part_names_size_sums_and_scripts(deb: Path) -> None:
    control = gzip.decompress(members(deb)["control.tar.gz"])
    with tarfile.open(fileobj=io.BytesIO(control)) as tar:
        texts = {each.name: tar.extractfile(each) for each in tar if each.isfile()}
        words = {name: file.read().decode() for name, file in texts.items() if file is not None}
    assert "Description: a small package\n with two lines\n" in words["./control"]
    assert "Installed-Size: 100" in words["./control"]
    assert words["./postinst"] == SCRIPTS["postinst"]
    assert [line.split("  ")[1] for line in words["./md5sums"].splitlines()] == [
        "opt/small/program",
        "usr/share/doc/small/copyright",
    ]


def test_the_same_input_gives_the_same_bytes(deb: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.deb"
    entries = list(reversed(_entries(tmp_path)))
    write_deb(again, entries, control=CONTROL, scripts=SCRIPTS, epoch=EPOCH)
    assert again.read_bytes() == deb.read_bytes()


def test_compressed_in_pieces_it_is_still_one_file() -> None:
    target = io.BytesIO()
    with PiecewiseGzip(target) as packed:
        for start in range(0, len(LONG), 7_001):
            packed.write(LONG[start : start + 7_001])
    assert gzip.decompress(target.getvalue()) == LONG


@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="there is no dpkg-deb here")
def test_dpkg_reads_it(deb: Path, tmp_path: Path) -> None:
    def said(*words: str) -> str:
        command = ["dpkg-deb", *words]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout  # noqa: S603 - Debian's own

    assert said("--field", str(deb), "Package", "Version") == "Package: small\nVersion: 1.0\n"
    said("--extract", str(deb), str(tmp_path / "unpacked"))
    assert (tmp_path / "unpacked/opt/small/program").read_bytes() == LONG
    assert (tmp_path / "unpacked/usr/bin/small").resolve().name == "program"


def test_the_package_of_lime_desktop_registers_it_for_products_without_a_runtime(
    tmp_path: Path,
) -> None:
    tree, icons = small_tree(tmp_path / "tree"), small_icons(tmp_path / "icons")
    package = build_deb(CHECKOUT, tree, icons, b"licences", tmp_path, 1)
    with tarfile.open(fileobj=io.BytesIO(members(package)["data.tar.gz"])) as tar:
        file = tar.extractfile("./usr/share/lime-runtime/lime-desktop.json")
        assert file is not None
        told = msgspec.json.decode(file.read(), type=Registration)
    assert (told.version, told.program) == (CHECKOUT.version, "/opt/lime-desktop/lime-desktop")
    assert told.program_sha256 == sha256_of(tree / "lime-desktop")
