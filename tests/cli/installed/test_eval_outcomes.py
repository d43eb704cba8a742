"""What came of an installed app's evals is kept, and readiness tells it: by the commands that a person types (ours)."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from lime_desktop.cli.main import main
from tests.host.app_center.packages import make_package

AGREED = ("--yes", "--accept-unsigned")
EVALS = """artifactTypes: [{ key: report }]
evals:
- { key: fair_words, kind: quality, path: evals/fair.yaml, required: true, threshold: 0.5 }
- { key: kind_words, kind: quality, path: evals/kind.yaml }
- { key: eyes, kind: human-review, required: true }
"""
FAIR = """checks: [{ check: policy, always: [Ask us., No advice.] }]
cases: [{ key: half, content: { body: "A walk. Ask us." } }]
"""
KIND = FAIR.replace("A walk. Ask us.", "A walk.")


class Terminal:
    """Runs commands on one data folder; nobody sits at it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def run(self, *arguments: str | Path, expected: int = 0) -> dict[str, Any]:
        return json.loads(self.read(*arguments, "--json", expected=expected))

    def read(self, *arguments: str | Path, expected: int = 0) -> str:
        where = ("--data-dir", str(self._folder))
        done = CliRunner().invoke(main, [*map(str, arguments), *where])
        assert done.exit_code == expected, done.output
        return done.stdout

    def evals(self) -> dict[str, tuple[str, str | None]]:
        checks = self.run("readiness", "notes")["checks"]
        return {
            each["key"]: (each["outcome"], each.get("code"))
            for each in checks
            if each["kind"] == "eval"
        }


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    return Terminal(tmp_path / "data")


def package_in(folder: Path, version: str = "1.0.0") -> Path:
    files = {"evals/fair.yaml": FAIR, "evals/kind.yaml": KIND}
    return make_package(folder / version, "notes", version, permissions="", more=EVALS, files=files)


NOT_RUN = {
    "fair_words": ("unknown", "EVAL_NOT_RUN"),
    "kind_words": ("unknown", "EVAL_NOT_RUN"),
    "eyes": ("unknown", "EVAL_WITHOUT_CASES"),
}
RUN = {
    "fair_words": ("passed", None),
    "kind_words": ("failed", "EVAL_FAILED"),
    "eyes": ("unknown", "EVAL_WITHOUT_CASES"),
}


def today() -> str:
    return datetime.now(UTC).astimezone().date().isoformat()


@pytest.mark.requirement("APP-12")
def test_readiness_tells_of_each_eval_what_came_of_it_and_names_the_command(
    terminal: Terminal, tmp_path: Path
) -> None:
    terminal.run("install", package_in(tmp_path), *AGREED)
    assert terminal.evals() == NOT_RUN
    told = terminal.read("readiness", "notes")
    assert "notes  ready\n" in told
    assert "The quality check “fair words” was not run on this version." in told
    assert "Run them on the installed app: lime-desktop eval notes" in told
    before = today()
    # What is not required fails: the command says so, and the app stays ready.
    assert "Kept:" in terminal.read("eval", "notes", expected=1)
    days = {before, today()}
    assert terminal.evals() == RUN
    told = terminal.read("readiness", "notes")
    assert "notes  ready\n" in told
    assert any(
        f"The quality check “fair words” passed on {day}: 1 cases as expected." in told
        and f"The quality check “kind words” failed on {day}: of 1 cases 1 not as expected" in told
        for day in days
    )
    assert "lowest score 0, threshold 1." in told


def test_what_was_judged_by_other_measures_is_not_kept(terminal: Terminal, tmp_path: Path) -> None:
    """Ours: nothing says passed of what was not tried."""
    package = package_in(tmp_path)
    terminal.run("install", package, *AGREED)
    letter = tmp_path / "letter.txt"
    letter.write_text("Ask us. No advice.")
    for options in (("--threshold", "kind_words=0"), ("--document", letter)):
        terminal.read("eval", "notes", *options, expected=int(options[0] == "--document"))
    assert terminal.run("eval", package, expected=1)["app"] == "notes"
    assert terminal.evals() == NOT_RUN
    terminal.run("eval", "notes", expected=1)
    assert terminal.evals() == RUN
    # By the score that is set now, it was not run.
    terminal.run("apps", "overlays", "notes", "--set", "evals.fair_words.threshold=0.9")
    assert terminal.evals()["fair_words"] == NOT_RUN["fair_words"]
    terminal.run("eval", "notes", expected=1)
    assert terminal.evals()["fair_words"] == ("failed", "EVAL_FAILED")


def test_outcomes_are_of_one_version_and_go_with_the_app(
    terminal: Terminal, tmp_path: Path
) -> None:
    package = package_in(tmp_path)
    terminal.run("install", package, *AGREED)
    terminal.run("eval", "notes", expected=1)
    terminal.run("update", package_in(tmp_path, "1.1.0"), *AGREED)
    assert terminal.evals() == NOT_RUN
    terminal.run("rollback", "notes", "--yes")
    assert terminal.evals() == RUN
    terminal.run("uninstall", "notes", "--delete-data", "--yes")
    terminal.run("install", package, *AGREED)
    assert terminal.evals() == NOT_RUN


def test_a_name_that_is_nobodys_is_a_mistake_and_makes_no_folder(tmp_path: Path) -> None:
    nowhere = tmp_path / "data"
    for command in ("eval", "readiness"):
        done = CliRunner().invoke(main, [command, "notes", "--data-dir", str(nowhere)])
        assert (done.exit_code, "no app of this name is installed" in done.stderr) == (2, True)
    assert not nowhere.exists()
