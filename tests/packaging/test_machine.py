"""What the bootstrap says about a machine that lacks something."""

import sys
from pathlib import Path

import pytest
from newcomer import machine

from lime_desktop.doctor import system_libraries

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has to be looked after")


def write_program(folder: Path, name: str, script: str) -> None:
    (folder / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    (folder / name).chmod(0o755)


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize(
    ("listed", "packages"),
    [
        ("libasound2", "libasound2 libglib2.0-0 libnss3"),
        ("libasound2t64", "libasound2t64 libglib2.0-0t64 libnss3"),
    ],
)
def test_the_line_uses_the_names_that_this_release_has(
    programs: Path, listed: str, packages: str
) -> None:
    """Debian 13 and Ubuntu 24.04 renamed two of the packages."""
    write_program(programs, "apt-get", "true")
    write_program(programs, "apt-cache", f"echo {listed}")
    lack = machine.Lack(
        venv=False, libraries=("libasound.so.2", "libglib-2.0.so.0", "libnss3.so", "libsmime3.so")
    )
    assert lack.explain().splitlines()[-1].endswith(f" && sudo apt-get install -y {packages}")


def test_every_missing_library_is_named(programs: Path) -> None:
    write_program(programs, "apt-get", "true")
    write_program(programs, "apt-cache", "echo libasound2")
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert machine.Lack(venv=True, libraries=("libGL.so.1", "libEGL.so.1")).explain() == (
        "Missing on this machine: Python's venv module, libGL.so.1, libEGL.so.1\n"
        "This line installs it:\n"
        f"    sudo apt-get update && sudo apt-get install -y python{version}-venv libegl1 libgl1"
    )


def test_what_walls_programs_off_is_named_in_the_line_and_no_reason_to_stop(programs: Path) -> None:
    write_program(programs, "apt-get", "true")
    write_program(programs, "apt-cache", "echo libasound2")
    assert not machine.Lack(venv=False, libraries=(), sandbox=True)
    lack = machine.Lack(venv=False, libraries=("libGL.so.1",), sandbox=True)
    assert lack.packages == ("libgl1",)
    assert lack.explain().endswith("apt-get install -y libgl1 bubblewrap")


@pytest.mark.usefixtures("programs")
def test_without_apt_the_person_is_told_what_to_look_for() -> None:
    said = machine.Lack(venv=False, libraries=("libGL.so.1",)).explain()
    assert "libGL.so.1" in said
    assert "apt" not in said


def test_a_library_that_cannot_be_loaded_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    names = {"libc6": ("libc.so.6",), "libnothing1": ("libnothing.so.1",)}
    monkeypatch.setattr(system_libraries, "DEBIAN_PACKAGES", names)
    assert system_libraries.missing_libraries() == ("libnothing.so.1",)
    lack = machine.find_lack(for_environment=False, for_qt=True)
    assert lack == machine.Lack(venv=False, libraries=("libnothing.so.1",))


def test_a_machine_that_lacks_nothing_is_left_alone() -> None:
    assert not machine.find_lack(for_environment=False, for_qt=False)


@pytest.mark.parametrize(
    ("environ", "expected"),
    [({}, False), ({"DISPLAY": ":0"}, True), ({"QT_QPA_PLATFORM": "offscreen"}, True)],
)
def test_a_screen_is_known_by_its_variables(environ: dict[str, str], *, expected: bool) -> None:
    assert machine.has_screen(environ) is expected
