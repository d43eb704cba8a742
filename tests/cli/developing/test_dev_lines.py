"""What `lime-desktop dev` prints (ours): places that a terminal can follow, objects that a program can read."""

import json
import re

import pytest
from click.testing import CliRunner

from lime_desktop.app_package.problems import Problem, Severity
from lime_desktop.cli.developing.dev_lines import tell_person, tell_program
from lime_desktop.cli.main import main
from lime_desktop.developer.events import OpenedEvent, ProblemsEvent, ReloadedEvent

OPENED = OpenedEvent(app_id="my-notes", entry_key="main", package="/work/my-notes", granted=("x",))
BROKEN = Problem(
    code="SCRIPT_FAILED", severity=Severity.ERROR, message="Oh\x1b no", file="a.js", line=7
)


def test_a_person_reads_what_is_watched_shown_and_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    tell_person(OPENED)
    tell_person(ReloadedEvent(files=("a.js", "b.js"), how="page", took_ms=120))
    tell_person(ProblemsEvent(problems=(BROKEN,)))
    tell_person(ProblemsEvent(problems=()))
    lines = re.sub(r"\d\d:\d\d:\d\d", "TIME", capsys.readouterr().out).splitlines()
    assert lines == [
        "my-notes is open at its entry main.",
        "  watching  /work/my-notes",
        "  may use   x (everything it declares)",
        "Save a file to reload. Press Ctrl+C to quit.",
        "TIME  a.js and 1 file more  page reloaded  120 ms",
        "TIME  1 problem",
        "  error    a.js:7  Oh\\x1b no",
        "TIME  no problems",
    ]


def test_a_program_reads_one_object_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    tell_program(ReloadedEvent(files=("a.css",), how="styles", took_ms=80))
    told = {"event": "reloaded", "files": ["a.css"], "how": "styles", "tookMs": 80}
    assert json.loads(capsys.readouterr().out) == told


@pytest.mark.parametrize(
    "arguments", [["--url", "http://example.com"], ["--url", "https://localhost:5173"]]
)
def test_a_dev_server_elsewhere_is_refused_before_anything_opens(arguments: list[str]) -> None:
    result = CliRunner().invoke(main, ["dev", "sample_apps/hello-lime", *arguments])
    assert result.exit_code == 2
    assert "is not a dev server of this machine" in result.output
