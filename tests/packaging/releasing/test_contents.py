"""What a release says of itself: every file in the bill of materials, licences, checksums, desktop files (ours)."""

import base64
import configparser
import hashlib
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest
from newcomer.console import StoppedError
from release.checksums import write_checksums
from release.components import Component, assign
from release.desktop_files import SOURCES, metainfo
from release.distributions import Distribution
from release.licences import licence_notices
from release.sbom import files_in, files_of, make_sbom, write_sbom
from release.signature import check_key

from lime_desktop.stamping.apparmor import apparmor_profile
from lime_desktop.stamping.appimage import why_no_appimage
from lime_desktop.stamping.pictures import ico
from tests.packaging.releasing.trees import CHECKOUT, small_tree


def _recorded(content: bytes) -> str:
    digest = hashlib.sha256(content).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def _components(tree: Path) -> list[Component]:
    wheels = [
        Distribution("lime-desktop", "1.2.3", "Apache-2.0", (), {}),
        Distribution("pure", "2", "MIT", (), {"pure/code.py": _recorded(b"")}),
        Distribution("moved", "1", "BSD", (), {"elsewhere/data.txt": _recorded(b"data")}),
    ]
    return assign(tree, wheels, "140.0", "6.11.3")


def test_every_file_is_in_exactly_one_component(tmp_path: Path) -> None:
    tree = small_tree(tmp_path / "tree")
    (tree / "_internal/libpython3.11.so.1.0").write_bytes(b"python")
    components = _components(tree)
    names = [name for each in components for name in each.files]
    assert sorted(names) == sorted(files_of(tree))
    owners = {name: each.name for each in components for name in each.files}
    assert owners["_internal/data.txt"] == "moved"
    assert owners["_internal/libpython3.11.so.1.0"] == "cpython"
    assert owners["lime-app-server"] == "lime-desktop"


def test_the_bill_names_every_file_with_its_hash(tmp_path: Path) -> None:
    tree = small_tree(tmp_path / "tree")
    components = _components(tree)
    bill = make_sbom(CHECKOUT, components)
    assert files_in(bill) == files_of(tree)
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    named = {each["name"]: each for each in bill["components"]}
    file = next(each for each in named["moved"]["components"] if each["name"].endswith("data.txt"))
    assert file["hashes"] == [{"alg": "SHA-256", "content": hashlib.sha256(b"data").hexdigest()}]
    assert named["pure"]["properties"] == [
        {"name": "inside", "value": "lime-desktop, lime-app-server"}
    ]
    first = write_sbom(CHECKOUT, tree, components, tmp_path).read_bytes()
    assert write_sbom(CHECKOUT, tree, _components(tree), tmp_path).read_bytes() == first


def test_a_file_that_came_later_stops_the_release(tmp_path: Path) -> None:
    tree = small_tree(tmp_path / "tree")
    components = _components(tree)
    (tree / "late").write_text("")
    with pytest.raises(StoppedError, match="lacks 1 files: late"):
        write_sbom(CHECKOUT, tree, components, tmp_path)


def test_the_notices_hold_the_texts_that_the_wheels_lack(tmp_path: Path) -> None:
    text = licence_notices(_components(small_tree(tmp_path / "tree")))
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in text
    assert "GNU GENERAL PUBLIC LICENSE" in text
    assert "src/3rdparty/chromium" in text
    assert "Unicode" in text
    assert "Python Software Foundation" in text or "PYTHON SOFTWARE FOUNDATION" in text
    assert "you may replace by versions of your own" in text


def test_checksums_are_as_sha256sum_reads_them(tmp_path: Path) -> None:
    files = [tmp_path / "b.deb", tmp_path / "a.whl"]
    for path in files:
        path.write_bytes(path.name.encode())
    write_checksums(files, tmp_path / "SHA256SUMS")
    lines = (tmp_path / "SHA256SUMS").read_text().splitlines()
    assert [line[66:] for line in lines] == ["a.whl", "b.deb"]
    assert lines[0].split()[0] == hashlib.sha256(b"a.whl").hexdigest()


def test_a_key_that_others_may_read_signs_nothing(tmp_path: Path) -> None:
    key = tmp_path / "key.pem"
    with pytest.raises(StoppedError, match="cannot be read"):
        check_key(key)
    key.write_text("-----BEGIN PRIVATE KEY-----\n")
    key.chmod(0o644)
    with pytest.raises(StoppedError, match="chmod 600"):
        check_key(key)
    key.chmod(0o600)
    check_key(key)


def test_an_appimage_is_refused_with_its_reason(tmp_path: Path) -> None:
    assert "--appimage-runtime" in (why_no_appimage(None) or "")
    stub = tmp_path / "runtime"
    assert "cannot be read" in (why_no_appimage(stub) or "")
    stub.write_bytes(b"\x7fELF not one")
    assert "is not an AppImage type 2 runtime" in (why_no_appimage(stub) or "")


def test_the_desktop_entry_opens_links_and_packages() -> None:
    read = configparser.ConfigParser(interpolation=None, strict=True)
    read.read(SOURCES / "lime-desktop.desktop", "utf-8")
    entry = read["Desktop Entry"]
    assert entry["exec"] == "lime-desktop open %u"
    assert entry["mimetype"] == "x-scheme-handler/lime;application/vnd.lime-desktop.app;"
    assert (entry["terminal"], entry["startupwmclass"]) == ("false", "lime-desktop")
    assert entry["comment[zh_cn]"]


def test_the_file_type_and_the_description_are_well_formed() -> None:
    types = ElementTree.parse(SOURCES / "lime-desktop.xml").getroot()  # noqa: S314 - our own file
    glob = types.find(".//{*}glob")
    assert glob is not None
    assert glob.get("pattern") == "*.lapp"
    about = ElementTree.fromstring(metainfo(CHECKOUT))  # noqa: S314 - likewise
    release = about.find(".//release")
    assert release is not None
    assert release.attrib == {"version": "1.2.3", "date": "2023-11-14"}


@pytest.mark.skipif(shutil.which("appstreamcli") is None, reason="there is no appstreamcli here")
def test_software_centres_take_the_description(tmp_path: Path) -> None:
    path = tmp_path / "lime-desktop.metainfo.xml"
    path.write_text(metainfo(CHECKOUT), "utf-8")
    command = ["appstreamcli", "validate", "--no-net", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - the system's own
    assert "E:" not in done.stdout, done.stdout


def test_the_profile_names_the_programs_where_they_lie() -> None:
    profile = apparmor_profile("lime-desktop", "/opt/lime-desktop")
    assert "\n  userns,\n" in profile
    assert "profile lime-desktop /opt/lime-desktop/{lime-desktop," in profile


def test_the_icon_of_windows_holds_each_size_up_to_256() -> None:
    body = ico({16: b"small", 256: b"large", 512: b"too large"})
    assert body[:6] == b"\0\0\1\0\2\0"
    assert body.endswith(b"smalllarge")
    assert body[22] == 0
