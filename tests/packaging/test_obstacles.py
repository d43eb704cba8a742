"""A file that cannot be read or written is named with what helps, and the bootstrap ends without a traceback (ours)."""

import json
import os
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from newcomer import commands, machine
from newcomer.obstacles import explain
from newcomer.weights import bring_weights

from tests.packaging.checkouts import write_fake_uv, write_program
from tests.packaging.this_python import ThisPython

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a shell script")

NOBODY = 65534
NOTHING_LACKS = machine.Lack(venv=False, libraries=())


@pytest.fixture
def usual_umask() -> Generator[None]:
    """Files as a newcomer's shell makes them: an App Server that ran in this process before makes them for itself alone."""
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.fixture
def reachable_folder(usual_umask: None) -> Generator[Path]:
    """A folder that every user may enter, which pytest's own are not."""
    del usual_umask
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.fixture
def root(reachable_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh checkout on a machine that lacks nothing; the program is not started."""
    checkout = reachable_folder
    (checkout / "pyproject.toml").write_text("[project]\n", encoding="utf-8")
    write_fake_uv(checkout)
    monkeypatch.setenv("PATH", f"{checkout / 'programs'}{os.pathsep}/usr/bin{os.pathsep}/bin")
    monkeypatch.setattr(sys, "executable", str(checkout / "programs" / "no-python"))
    monkeypatch.setattr(commands, "_ROOT", checkout)
    monkeypatch.setattr(commands, "_become", do_not_start)
    monkeypatch.setattr(machine, "may_install_packages", lambda: False)
    monkeypatch.setattr(machine, "find_lack", find_nothing)
    return checkout


def do_not_start(command: list[str]) -> int:
    assert command
    return 0


def find_nothing(*, for_environment: bool, for_qt: bool) -> machine.Lack:
    del for_environment, for_qt
    return NOTHING_LACKS


def start(*arguments: str) -> int:
    return commands.main(["run", "--", *arguments], usage=None)


def a_folder(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.mkdir(parents=True)


def a_file(path: Path) -> None:
    path.write_text("in the way", encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "becomes", "said"),
    [
        ("pyproject.toml", a_folder, "is a folder, and a file is needed"),
        (".bootstrap", a_file, "is in the way, or lies below a file"),
        (".bootstrap/installed.json", a_folder, "is a folder, and a file is needed"),
        (".bootstrap/install.log", a_folder, "is a folder, and a file is needed"),
        (".bootstrap/lock", a_folder, "is a folder, and a file is needed"),
    ],
)
def test_what_is_no_file_or_no_folder_is_named(
    root: Path,
    capsys: pytest.CaptureFixture[str],
    name: str,
    becomes: Callable[[Path], None],
    said: str,
) -> None:
    becomes(root / name)
    assert start("doctor") == 1
    told = capsys.readouterr().err
    assert f"{root / name}" in told
    assert said in told


@contextmanager
def as_another_user(closed: Path) -> Generator[None]:
    """Somebody who may not look into a folder. Root may look anywhere, so it steps down for a while."""
    closed.chmod(0o700 if os.geteuid() == 0 else 0)
    is_root = os.geteuid() == 0
    if is_root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if is_root:
            os.seteuid(0)
        closed.chmod(0o700)


@pytest.mark.parametrize("folder", [".bootstrap", ".venv"])
def test_a_file_of_another_user_is_named_with_its_owner(
    root: Path, capsys: pytest.CaptureFixture[str], folder: str
) -> None:
    assert start("doctor") == 0
    capsys.readouterr()
    with as_another_user(root / folder):
        assert start("doctor") == 1
    told = capsys.readouterr().err
    assert f"May not use {root / folder}" in told
    assert "is closed to you" in told or "belongs to" in told
    assert "may be deleted: it is made again" in told


def test_who_owns_it_is_said_by_name_where_there_is_one(tmp_path: Path) -> None:
    refused = PermissionError(13, "Permission denied", str(tmp_path / "a/b"))
    assert f"{tmp_path} " in explain(refused)
    assert explain(OSError("no name")) == "The system refused: no name."


@pytest.mark.parametrize(
    "kept",
    [b"", b"[]", b"\xff", b'{"stamp": 1, "extras": [[1], 2], "made_for": null}', b'{"extras": 5}'],
)
def test_a_record_that_makes_no_sense_starts_the_install_over(root: Path, kept: bytes) -> None:
    (root / ".bootstrap").mkdir()
    (root / ".bootstrap/installed.json").write_bytes(kept)
    assert start("doctor") == 0
    assert "desktop" in json.loads((root / ".bootstrap/installed.json").read_bytes())["extras"]


@pytest.mark.parametrize("printed", ['{"path": "x"}', "", "[]", "no JSON"])
def test_weights_whose_place_cannot_be_kept_are_no_reason_to_stop(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], printed: str
) -> None:
    program = tmp_path / "python"
    write_program(program, f"#!/bin/sh\necho '{printed}'\n")

    class Fetches(ThisPython):
        @property
        def python(self) -> Path:
            return program

    (tmp_path / "weights.json").mkdir()
    assert bring_weights(Fetches(tmp_path, tmp_path)) is True
    told = capsys.readouterr().out
    assert "could not be kept" in told or "was not told" in told


LIBRARIES = machine.Lack(venv=False, libraries=("libGL.so.1",))


@pytest.fixture
def libraries(root: Path, monkeypatch: pytest.MonkeyPatch) -> list[machine.Lack]:
    """A machine without Qt's libraries, on which this process may install them; gives what it installed."""
    assert not (root / ".venv").exists()
    installed: list[machine.Lack] = []

    def find_lack(*, for_environment: bool, for_qt: bool) -> machine.Lack:
        del for_environment
        return LIBRARIES if for_qt and not installed else NOTHING_LACKS

    def install(lack: machine.Lack, log: Path) -> None:
        assert log
        installed.append(lack)

    monkeypatch.setattr(machine, "find_lack", find_lack)
    monkeypatch.setattr(machine, "may_install_packages", lambda: True)
    monkeypatch.setattr(machine, "install_packages", install)
    return installed


def test_the_first_command_brings_the_windows_libraries_whichever_it_is(
    libraries: list[machine.Lack],
) -> None:
    """A bug: `run -- doctor` on a fresh machine found an error that a plain `run` would have put right."""
    assert start("doctor") == 0
    assert libraries == [LIBRARIES]


def test_without_the_right_to_install_only_what_shows_pages_stops(
    libraries: list[machine.Lack],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(machine, "may_install_packages", lambda: False)
    assert start("doctor") == 0
    for command in ("open", "dev", "test", "replay", "conformance"):
        assert start(command) == 1
        assert "libGL.so.1" in capsys.readouterr().err
    assert libraries == []
