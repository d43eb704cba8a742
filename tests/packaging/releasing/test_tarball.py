"""The tar.gz installs for one person, starts, and goes again without a trace but the person's data (ours)."""

import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from release.checkout import ROOT
from release.tarball import build_tarball

from lime_desktop.registration.runtimes import standing
from lime_desktop.shipping.installation import find_installation
from tests.packaging.releasing.trees import CHECKOUT, small_icons, small_tree
from tests.unpacking import unpack

pytestmark = pytest.mark.skipif(os.name != "posix", reason="a shell script")


class Person:
    """Somebody with an unpacked archive and a home folder with a space in its name."""

    def __init__(self, folder: Path) -> None:
        small_tree(folder / "tree")
        small_icons(folder / "icons")
        self._folder = folder
        self.archive = self.unpack("1.2.3")
        self.unpacked = folder / "unpacked/lime-desktop-1.2.3"
        self.home = folder / "a home"
        self.home.mkdir()
        self.program = self.home / ".local/lib/lime-desktop"

    def unpack(self, version: str) -> Path:
        """Get an archive of a version, and give it."""
        out = self._folder / f"out-{version}"
        out.mkdir()
        checkout = replace(CHECKOUT, version=version)
        icons = small_icons(self._folder / "icons")
        archive = build_tarball(checkout, self._folder / "tree", icons, b"licences", out)
        unpack(archive, self._folder / "unpacked")
        return archive

    def start(self, *words: str) -> str:
        """Start the installed program as a terminal would; says which program answered, and with which words."""
        return self.run(self.home / ".local/bin/lime-desktop", *words).stdout.strip()

    def run(self, script: Path, *words: str) -> "subprocess.CompletedProcess[str]":
        environment = {
            "HOME": str(self.home),
            "QT_QPA_PLATFORM": "offscreen",
            "PATH": os.defpath,
            # The tests may run as root.
            "LIME_DESKTOP_AS_ROOT": "1",
        }
        return subprocess.run(  # noqa: S603 - our own script
            [str(script), *words], env=environment, capture_output=True, text=True, check=False
        )

    def install(self) -> None:
        done = self.run(self.unpacked / "install.sh")
        assert done.returncode == 0, done.stderr

    def files(self) -> set[str]:
        return {path.relative_to(self.home).as_posix() for path in self.home.rglob("*")}


@pytest.fixture
def person(tmp_path: Path) -> Person:
    return Person(tmp_path)


def test_after_installing_the_program_starts_and_the_desktop_knows_it(person: Person) -> None:
    person.install()
    assert person.start("--version") == f"{person.program}/versions/1.2.3/lime-desktop --version"
    entry = (person.home / ".local/share/applications/lime-desktop.desktop").read_text("utf-8")
    assert f'\nExec="{person.program}/bin/lime-desktop" open %u\n' in entry
    assert "MimeType=x-scheme-handler/lime;application/vnd.lime-desktop.app;" in entry
    assert (person.home / ".local/share/icons/hicolor/256x256/apps/lime-desktop.png").is_file()


def test_what_the_script_lays_out_updates_itself(person: Person) -> None:
    """The same folder as an installer of Python's would make: the program finds itself in it."""
    person.install()
    found = find_installation(person.program / "current/lime-desktop")
    assert (found.root, found.current) == (person.program, "1.2.3")
    with found.locked():
        assert found.complete_versions() == ("1.2.3",)
    assert (person.program / "update").stat().st_mode & 0o777 == 0o700
    assert (person.program / "bin/lime-desktop").read_bytes() == (
        ROOT / "resources/launcher/lime-desktop.sh"
    ).read_bytes()


def test_products_that_bring_no_runtime_find_it_and_a_version_on_trial_waits(
    person: Person,
) -> None:
    person.install()
    file = person.home / ".local/share/lime-runtime/lime-desktop.json"
    found = standing(file)
    assert (found.code, found.reason) == ("", "")
    assert found.registration is not None
    assert found.registration.program == f"{person.program}/versions/1.2.3/lime-desktop"
    person.unpack("1.3.0")
    person.run(person.unpacked.with_name("lime-desktop-1.3.0") / "install.sh")
    again = standing(file).registration
    assert again == found.registration, "it has not shown yet that it works"
    assert person.run(person.program / "uninstall.sh").returncode == 0
    assert not file.parent.exists()


def test_installing_again_replaces_the_version_whole(person: Person) -> None:
    person.install()
    stray = person.program / "versions/1.2.3/of-an-older-build"
    stray.write_text("")
    person.install()
    assert not stray.exists()
    assert person.start("--version").endswith("--version")


def test_another_version_is_switched_to_at_the_next_start_and_watched(person: Person) -> None:
    person.install()
    person.unpack("1.3.0")
    done = person.run(person.unpacked.with_name("lime-desktop-1.3.0") / "install.sh")
    assert done.returncode == 0, done.stderr
    # A command of the terminal is no start of the window.
    assert "/1.2.3/" in person.start("--version")
    assert "/1.3.0/" in person.start()
    new = person.program / "versions/1.3.0/lime-desktop"
    new.write_text("#!/bin/sh\nexit 3\n")
    assert "/1.2.3/" in person.start()


def test_uninstalling_leaves_nothing_but_data(person: Person) -> None:
    before = person.files()
    person.install()
    data = person.home / ".local/share/lime-desktop/notes"
    data.parent.mkdir(parents=True)
    data.write_text("mine")
    assert person.run(person.program / "uninstall.sh").returncode == 0
    assert {name for name in person.files() - before if "lime" in name} == {
        ".local/share/lime-desktop",
        ".local/share/lime-desktop/notes",
    }
    assert not (person.home / ".local/lib").exists()


def test_with_data_nothing_is_left(person: Person) -> None:
    person.install()
    settings = person.home / ".config/lime-desktop/settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text("{}")
    done = person.run(person.program / "uninstall.sh", "--with-data")
    assert done.returncode == 0, done.stderr
    assert {name for name in person.files() if (person.home / name).is_file()} == set()


def test_a_folder_that_is_not_ours_is_left_alone(person: Person) -> None:
    person.program.mkdir(parents=True)
    (person.program / "somebody's").write_text("work")
    refused = person.run(person.unpacked / "install.sh")
    assert refused.returncode == 1
    assert "is not Lime Desktop's" in refused.stderr
    assert (person.program / "somebody's").exists()
    assert person.run(person.unpacked / "uninstall.sh").returncode == 1


def test_two_archives_of_one_tree_are_the_same_bytes(person: Person, tmp_path: Path) -> None:
    (tmp_path / "again").mkdir()
    icons = small_icons(tmp_path / "icons")
    again = build_tarball(CHECKOUT, tmp_path / "tree", icons, b"licences", tmp_path / "again")
    assert again.read_bytes() == person.archive.read_bytes()


def test_it_names_the_packages_of_libraries(person: Person) -> None:
    script = person.unpacked / "missing-libraries.sh"
    named = person.run(script, "--packages", "libX11.so.6 libGL.so.1").stdout.split()
    assert named == ["libx11-6", "libgl1"]
