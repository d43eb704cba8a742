"""What nothing reaches does not ship, what is asked for does, and what is left to the system is named (ours)."""

import shutil
import subprocess
from pathlib import Path

import pytest
from newcomer.console import StoppedError
from release.pruning import prune
from release.qt_gate import check_qt_modules

from lime_desktop.stamping.elf import read_elf
from lime_desktop.stamping.system_needs import (
    UnknownLibraries,
    debian_depends,
    elf_files,
    missing_from,
    newest_glibc,
)
from tests.packaging.releasing.elf_files import write_elf

_QT = "_internal/PySide6/Qt"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A frozen tree in small: one module, its library, and much that only a plugin nobody wants would need."""
    write_elf(tmp_path / "lime-desktop", "libc.so.6", versions=("GLIBC_2.17", "GLIBC_2.34"))
    write_elf(tmp_path / "_internal/libpython3.11.so.1.0", "libc.so.6")
    write_elf(tmp_path / "_internal/PySide6/QtCore.abi3.so", "libQt6Core.so.6", "libssl.so.3")
    write_elf(tmp_path / _QT / "lib/libQt6Core.so.6", "libQt6Deep.so.6", soname="libQt6Core.so.6")
    write_elf(tmp_path / _QT / "lib/libQt6Deep.so.6", "libc.so.6", soname="libQt6Deep.so.6")
    write_elf(tmp_path / _QT / "lib/libQt6VirtualKeyboard.so.6", "libQt6Core.so.6")
    inputs = tmp_path / _QT / "plugins/platforminputcontexts"
    write_elf(inputs / "libqtvirtualkeyboardplugin.so", "libQt6VirtualKeyboard.so.6")
    write_elf(inputs / "libibusplatforminputcontextplugin.so", "libQt6Core.so.6")
    for name in ("en-US.pak", "fi.pak"):
        locale = tmp_path / _QT / "translations/qtwebengine_locales" / name
        locale.parent.mkdir(parents=True, exist_ok=True)
        locale.write_bytes(b"words")
    (tmp_path / "_internal/libQt6VirtualKeyboard.so.6").symlink_to(
        "PySide6/Qt/lib/libQt6VirtualKeyboard.so.6"
    )
    return tmp_path


def test_an_elf_file_says_what_it_needs(tmp_path: Path) -> None:
    path = write_elf(
        tmp_path / "x.so", "libc.so.6", "libm.so.6", soname="x", versions=("GLIBC_2.5",)
    )
    elf = read_elf(path)
    assert elf is not None
    assert (elf.needed, elf.soname) == (("libc.so.6", "libm.so.6"), "x")
    assert elf.versions == ("GLIBC_2.5",)
    text = tmp_path / "text"
    text.write_text("not a program")
    assert read_elf(text) is None


@pytest.mark.skipif(shutil.which("readelf") is None, reason="there is no readelf to compare with")
def test_a_real_program_is_read_as_readelf_reads_it() -> None:
    program = Path(shutil.which("readelf") or "").resolve()
    said = subprocess.run(  # noqa: S603 - a fixed command on a program of the system
        ["readelf", "-d", program],  # noqa: S607 - the system's own
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    lines = [line for line in said.splitlines() if "(NEEDED)" in line]
    elf = read_elf(program)
    assert elf is not None
    assert [line.split("[")[1].rstrip("]") for line in lines] == list(elf.needed)


def test_what_nothing_reaches_is_taken_out(tree: Path) -> None:
    pruned = prune(tree)
    assert set(pruned.files) == {
        "_internal/libQt6VirtualKeyboard.so.6",
        f"{_QT}/lib/libQt6VirtualKeyboard.so.6",
        f"{_QT}/plugins/platforminputcontexts/libqtvirtualkeyboardplugin.so",
        f"{_QT}/translations/qtwebengine_locales/fi.pak",
    }
    assert (tree / _QT / "lib/libQt6Deep.so.6").exists()
    assert (tree / "_internal/libpython3.11.so.1.0").exists()


def test_a_module_that_is_not_known_to_be_lgpl_stops_the_release(tree: Path) -> None:
    with pytest.raises(StoppedError, match=r"Qt Deep\n    Qt VirtualKeyboard: GPL only"):
        check_qt_modules(tree)
    prune(tree)
    (tree / _QT / "lib/libQt6Core.so.6").unlink()
    with pytest.raises(StoppedError, match="Qt Deep\n"):
        check_qt_modules(tree)
    (tree / _QT / "lib/libQt6Deep.so.6").unlink()
    write_elf(tree / _QT / "lib/libQt6WebEngineCore.so.6")
    assert check_qt_modules(tree) == {"WebEngineCore"}


def test_what_is_left_to_the_system_becomes_dependencies(tree: Path) -> None:
    files = elf_files(tree)
    wanted = missing_from(files)
    assert {"libssl.so.3", "libGL.so.1"} <= set(wanted)
    assert "libQt6Core.so.6" not in wanted
    depends = debian_depends(wanted, newest_glibc(files))
    assert depends[0] == "libc6 (>= 2.34)"
    assert {"libssl3t64 | libssl3", "libgl1"} <= set(depends)


def test_a_library_that_no_package_is_known_for_stops_the_release() -> None:
    with pytest.raises(UnknownLibraries, match=r"libodd\.so\.1"):
        debian_depends(["libGL.so.1", "libodd.so.1"], "2.34")
