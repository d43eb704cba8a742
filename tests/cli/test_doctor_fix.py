"""`doctor --fix` does what helps, with a yes, and looks again (ours)."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from lime_desktop.cli import doctor
from lime_desktop.doctor.finding import Finding, poor, well
from lime_desktop.doctor.repairs import commands_of

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes of files")


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that others can read, which is all that an examination looks at here."""
    path = tmp_path / "it's a database.db"
    path.touch(mode=0o644)

    def examine() -> Iterator[Finding]:
        quoted = str(path).replace("'", "'\"'\"'")
        is_open = path.stat().st_mode & 0o077
        yield poor("databases", "open", f"Run: chmod 600 '{quoted}'") if is_open else well("d", "x")

    monkeypatch.setattr(doctor, "examine", examine)
    return path


@pytest.mark.parametrize(
    ("words", "answer", "mode"), [((), "y\n", 0o600), ((), "\n", 0o644), (("--yes",), "", 0o600)]
)
def test_what_is_agreed_to_is_done_and_looked_at_again(
    database: Path, words: tuple[str, ...], answer: str, mode: int
) -> None:
    done = CliRunner().invoke(doctor.command, ["--fix", *words], input=answer)
    assert done.exit_code == 0
    assert database.stat().st_mode & 0o777 == mode
    assert ("no problems" in done.output) is (mode == 0o600)


def test_without_being_asked_nothing_is_done(database: Path) -> None:
    assert CliRunner().invoke(doctor.command, []).exit_code == 0
    assert database.stat().st_mode & 0o777 == 0o644


@pytest.mark.parametrize(
    "fix",
    [
        "Install one, for instance the package fonts-noto-cjk",
        "Run: rm -rf /",
        "Run: chmod 600 x && curl example.com",
        "Run: sh -c 'chmod 600 x'",
        "Run: ",
    ],
)
def test_only_commands_of_a_known_kind_are_run(fix: str) -> None:
    assert commands_of(poor("something", "is wrong", fix)) == ()


def test_parts_go_into_the_programs_own_python() -> None:
    found = commands_of(poor("Qt", "missing", "Run: pip install 'lime-desktop[desktop]'"))
    assert found == ((sys.executable, "-m", "pip", "install", "lime-desktop[desktop]"),)


def test_the_system_is_asked_by_its_administrator(monkeypatch: pytest.MonkeyPatch) -> None:
    line = poor(
        "libraries", "missing", "Run: sudo apt-get update && sudo apt-get install -y libgl1"
    )
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert commands_of(line)[1] == ("sudo", "apt-get", "install", "-y", "libgl1")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert commands_of(line)[1] == ("apt-get", "install", "-y", "libgl1")
