"""What a crash leaves: where the program was, nothing of what it worked on, and never much (ours)."""

import subprocess
import sys
from pathlib import Path

import pytest

from lime_desktop.durable_files.crash_reports import (
    MOST_BYTES,
    dismiss_reports,
    keep_report,
    left_reports,
    record_crashes,
)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="ends the program by a signal")

CRASH = """
import os, signal, sys
from pathlib import Path
from lime_desktop.durable_files.crash_reports import note_failure, record_crashes
record_crashes(Path(sys.argv[1]), "desktop")

def work(what):
    if what == "fail":
        try:
            raise ValueError("the secret of the note")
        except ValueError as error:
            note_failure(error)
            raise
    os.kill(os.getpid(), getattr(signal, what))

work(sys.argv[2])
"""


def crash(folder: Path, how: str) -> int:
    done = subprocess.run(  # noqa: S603 - our own module
        [sys.executable, "-c", CRASH, str(folder), how], capture_output=True, check=False
    )
    return done.returncode


@pytest.mark.parametrize("how", ["SIGSEGV", "SIGABRT", "SIGTRAP", "fail"])
def test_the_next_process_finds_where_the_last_one_crashed(tmp_path: Path, how: str) -> None:
    assert crash(tmp_path, how) != 0
    assert left_reports(tmp_path) == (), "nobody is told before the next start"
    assert crash(tmp_path, "SIGCONT") == 0
    [report] = left_reports(tmp_path)
    assert report.name == "desktop"
    assert "in work" in report.text
    assert "secret of the note" not in report.text


def test_one_that_ended_as_it_should_leaves_nothing(tmp_path: Path) -> None:
    for _ in range(2):
        assert crash(tmp_path, "SIGCONT") == 0
    assert left_reports(tmp_path) == ()


def test_only_the_newest_is_kept_it_is_never_long_and_it_is_its_users_alone(tmp_path: Path) -> None:
    for text in ("first", "x" * 3 * MOST_BYTES):
        keep_report(tmp_path / "crashes", "app-server", text)
    [report] = left_reports(tmp_path / "crashes")
    assert report.text == "x" * MOST_BYTES
    modes = [each.stat().st_mode & 0o077 for each in (tmp_path / "crashes").rglob("*")]
    assert modes == [0]
    assert (tmp_path / "crashes").stat().st_mode & 0o077 == 0


def test_what_was_dismissed_is_gone(tmp_path: Path) -> None:
    keep_report(tmp_path, "desktop", "text")
    dismiss_reports(tmp_path)
    assert left_reports(tmp_path) == ()


def test_a_folder_that_cannot_be_written_keeps_nobody_from_starting(tmp_path: Path) -> None:
    (tmp_path / "crashes").write_text("in the way")
    record_crashes(tmp_path / "crashes", "desktop")
    assert left_reports(tmp_path / "crashes") == ()
