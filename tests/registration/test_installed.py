"""From a vendor's files to a running product (the standard's runtime-backed mode): installed, started on a real Lime Desktop, removed."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lime_desktop import __version__
from tests.registration.computers import ID, INSTALL, Computer, ship_backed
from tests.stamping.products import ROOT
from tests.stamping.test_ship import members, unpacked
from tests.unpacking import unpack

SOURCES: dict[str, object] = {
    "format": 1,
    "runtime": "lime-runtime",
    "version": __version__,
    "kind": "sources",
    "platform": "linux-x64",
}
pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="offered on Linux")
_USERS = """import pwd
_real = pwd.getpwuid
def _here(uid):
    found = list(_real(uid)); found[5] = {home!r}
    return pwd.struct_passwd(found)
pwd.getpwuid = _here
"""
"""A system on which the person's home is another: neither Lime Desktop nor the launcher asks a variable."""


@pytest.fixture(scope="module")
def vendor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("vendor")
    code, told = ship_backed(folder, INSTALL, "--deb", "--tar")
    assert code == 0, told
    return folder / "out"


class Person(Computer):
    """Somebody who unpacked the archive, on a computer with Lime Desktop from sources."""

    def __init__(self, folder: Path, vendor: Path) -> None:
        super().__init__(folder, vendor / ID)
        [archive] = vendor.glob("*.tar.gz")
        unpack(archive, folder / "unpacked")
        [self.unpacked] = (folder / "unpacked").iterdir()
        self.product = self.own / "products" / ID
        self.environment = {
            "HOME": str(self.home),
            "PATH": os.defpath,
            "LANG": "C.UTF-8",
            "QT_QPA_PLATFORM": "offscreen",
            "QTWEBENGINE_DISABLE_SANDBOX": "1",
            "LIME_DESKTOP_KEYRING": "off",
            # The tests may run as root.
            "EXAMPLE_HELLO_LIME_AS_ROOT": "1",
        }

    def run(self, script: Path, *words: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(  # noqa: S603 - our own scripts
            [str(script), *words],
            env=self.environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
            timeout=100,
        )

    def install(self) -> None:
        done = self.run(self.unpacked / "install.sh")
        assert done.returncode == 0, done.stderr

    def have_lime_from_sources(self) -> None:
        """Register this checkout, and let the installed launcher look at this computer."""
        (self.folder / "site").mkdir()
        (self.folder / "site/sitecustomize.py").write_text(_USERS.format(home=str(self.home)))
        python = self.folder / "python"
        path = f"{self.folder / 'site'}:{ROOT}"
        # Without -I, which is the first word: Python would not see the list of users of this computer.
        python.write_text(f"#!/bin/sh\nshift\nPYTHONPATH='{path}' exec '{sys.executable}' \"$@\"\n")
        python.chmod(0o755)
        self.register({**SOURCES, "program": str(python)}, for_all=False)
        place = self.product / "bin" / ID
        place.write_text(self.launcher.read_text("utf-8"), "utf-8")
        self.launcher = self.home / ".local/bin" / ID

    def files(self) -> set[str]:
        return {each.relative_to(self.home).as_posix() for each in self.home.rglob("*")}


@pytest.fixture
def person(tmp_path: Path, vendor: Path) -> Person:
    return Person(tmp_path, vendor)


def test_a_package_of_a_few_hundred_kilobytes_holds_for_every_computer(vendor: Path) -> None:
    [deb] = vendor.glob("*.deb")
    assert deb.name.endswith("_all.deb")
    assert deb.stat().st_size < 300_000
    parts = members(deb)
    control = unpacked(parts["control.tar.gz"])
    assert set(control) == {"control", "md5sums"}, "nothing runs as root"
    assert "Recommends: lime-desktop (>= " in control["control"].decode()
    files = unpacked(parts["data.tar.gz"])
    folder = f"usr/share/lime-runtime/products/{ID}"
    assert files[f"{folder}/branding.json"] == (vendor / ID / "branding.json").read_bytes()
    assert f"{folder}/bin/{ID}" in files
    assert f"Exec={ID} open %U\n" in files[f"usr/share/applications/{ID}.desktop"].decode()
    assert "lime-app-server" not in {name.rpartition("/")[2] for name in files}


def test_the_same_order_gives_the_same_bytes(vendor: Path, tmp_path: Path) -> None:
    assert ship_backed(tmp_path, INSTALL, "--deb", "--tar")[0] == 0
    for each in (*vendor.glob("*.deb"), *vendor.glob("*.tar.gz")):
        assert (tmp_path / "out" / each.name).read_bytes() == each.read_bytes()


def test_the_archive_installs_for_one_person_and_goes_without_a_trace(person: Person) -> None:
    before = person.files()
    person.install()
    person.install()
    assert (person.product / "branding.json").is_file()
    entry = (person.home / f".local/share/applications/{ID}.desktop").read_text("utf-8")
    assert f'Exec="{person.product}/bin/{ID}" open %U' in entry
    assert (person.home / ".local/bin" / ID).resolve() == person.product / "bin" / ID
    done = person.run(person.product / "uninstall.sh")
    assert done.returncode == 0, done.stderr
    assert {each for each in person.files() - before if "lime" in each} == set()


@pytest.mark.system
def test_the_product_is_itself_on_the_installed_lime(person: Person) -> None:
    """Its own data, its own mode, and the review that every app goes through."""
    person.install()
    person.have_lime_from_sources()
    [package] = (person.product / "app").iterdir()
    told = person.run(person.launcher, "install", str(package), "--review", "--json")
    assert json.loads(told.stdout)["review"]["installMode"] == "runtime_backed", told.stderr
    other = person.run(
        person.launcher, "install", str(ROOT / "sample_apps/notes"), "--review", "--json"
    )
    assert "not-this-product" in other.stdout
    data = person.home / ".local/share"
    assert (data / ID).is_dir()
    assert not (data / "lime-desktop").exists()


@pytest.fixture
def window(person: Person) -> Iterator["subprocess.Popen[bytes]"]:
    person.install()
    person.have_lime_from_sources()
    log = person.folder / "log"
    with log.open("wb") as file:
        started = subprocess.Popen(  # noqa: S603 - our own script
            [str(person.launcher)], env=person.environment, stdout=file, stderr=file
        )
        try:
            yield started
        finally:
            started.send_signal(signal.SIGTERM)
            started.wait(60)


@pytest.mark.system
@pytest.mark.timeout(240)
def test_a_second_start_finds_the_window_of_the_product(
    person: Person, window: "subprocess.Popen[bytes]"
) -> None:
    """One window per product: the second start is answered by the first one's loop, and ends."""
    while not list((person.home / ".local/share" / ID).glob("*")):
        assert window.poll() is None, (person.folder / "log").read_text()
    second = person.run(person.launcher, "open")
    assert second.returncode == 0, second.stderr
    assert window.poll() is None, (person.folder / "log").read_text()
    line = Path(f"/proc/{window.pid}/cmdline").read_bytes().split(b"\0")
    assert line[line.index(b"--as-product") + 1] == ID.encode()


@pytest.mark.system
def test_a_product_that_cannot_be_believed_does_not_start_at_all(person: Person) -> None:
    person.install()
    person.have_lime_from_sources()
    (person.product / "branding.json").chmod(0o666)
    done = person.run(person.launcher, "open")
    assert done.returncode == 1
    assert "can be changed by other users" in done.stderr
    assert not (person.home / ".local/share/lime-desktop").exists()
    assert not (person.home / ".local/share" / ID).exists()
