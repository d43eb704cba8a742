"""The release's one command says what it would do, what is missing, and what was wrong with the question (ours)."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from release import commands, environment
from release.checkout import export_sources, read_checkout
from release.environment import PINS

ROOT = Path(__file__).parents[3]


def test_check_builds_nothing_and_names_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    monkeypatch.setattr(
        commands, "missing_tools", lambda: ["objcopy: sudo apt-get install binutils"]
    )
    words = ["--check", "--json", "--out", str(tmp_path / "out"), "--work", str(tmp_path / "work")]
    assert commands.main(words) == commands.MISSING
    told = json.loads(capsys.readouterr().out)
    assert told["stages"] == ["wheel", "tree", "deb", "tar", "sbom"]
    assert told["missing"] == ["objcopy: sudo apt-get install binutils"]
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_stage_is_named_with_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert commands.main(["--only", "wheel,rpm"]) == commands.FAILED
    said = capsys.readouterr().err
    assert "There is no stage rpm." in said
    assert "appimage" in said


def test_an_appimage_without_its_runtime_stops_before_anything_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    monkeypatch.setattr(commands, "missing_tools", list[str])
    words = ["--only", "appimage", "--out", str(tmp_path / "out"), "--work", str(tmp_path / "work")]
    assert commands.main(words) == commands.FAILED
    assert "--appimage-runtime FILE" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_only_files_of_the_project_are_built_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    root = tmp_path / "root"
    (root / "lime_desktop").mkdir(parents=True)
    (root / "lime_desktop/__init__.py").write_text('__version__ = "1.2.3"\n')
    for words in (["init", "-q"], ["add", "lime_desktop"]):
        subprocess.run(["git", "-C", str(root), *words], check=True)  # noqa: S603, S607 - git
    (root / "lying around").write_text("")
    checkout = read_checkout(root)
    assert (checkout.version, checkout.epoch) == ("1.2.3", 1_700_000_000)
    export_sources(checkout, tmp_path / "copy")
    assert [path.name for path in (tmp_path / "copy").rglob("*.*")] == ["__init__.py"]
    assert not (tmp_path / "copy/lying around").exists()


def test_the_environment_has_no_settings_of_the_developers_python(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PYTHONPATH", "/mine")
    cleaned = environment.clean_environment(MORE="1")
    assert "PYTHONPATH" not in cleaned
    assert (cleaned["PYTHONHASHSEED"], cleaned["MORE"]) == ("0", "1")


def test_every_pin_names_one_version() -> None:
    lines = [line for line in PINS.read_text("utf-8").splitlines() if not line.startswith("#")]
    assert all(line.count("==") == 1 for line in lines)
    named = {line.split("==")[0].lower() for line in lines}
    assert {"pyinstaller", "hatchling", "pip", "pyside6", "cryptography"} <= named


def test_help_needs_nothing_installed() -> None:
    said = subprocess.run(  # noqa: S603 - our own script
        # Without the folders of installed packages: the Python of whoever builds has none of ours.
        [sys.executable, "-S", "-E", "-s", ROOT / "packaging/release.py", "--help"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "--sign-with KEYFILE" in said
