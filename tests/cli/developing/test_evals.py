"""`lime-desktop eval`: an app's gates on its own cases, for CI."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from lime_desktop.cli.main import main
from tests.app_server.apps.packages import write_app

GATE = """\
checks: [{check: policy, always: [No advice., Ask us.]}]
cases:
  - {key: whole, content: {body: "A walk. No advice. Ask us."}}
  - {key: bare, accepted: false, contentPath: ./evals/bare.md}
  - {key: asked, question: What is a walk?}
"""


def app(folder: Path, gate: str = GATE, more: str = "", **files: str) -> Path:
    evals = f"artifactTypes: [{{key: report}}]\nevals:\n  - {{key: policy, kind: quality, path: evals/policy.yaml, required: true{more}}}\n"
    written = {"evals/policy.yaml": gate, "evals/bare.md": "# A walk\n"}
    return write_app(folder, more=evals, files={**written, **files})


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["eval", *map(str, arguments)])


def answer(*arguments: object) -> dict[str, Any]:
    return json.loads(run("--json", *arguments).stdout)


def test_cases_are_judged_as_their_author_expects(tmp_path: Path) -> None:
    package = app(tmp_path)
    result = run(package)
    assert (result.exit_code, result.stdout.splitlines()) == (
        0,
        [
            "notes 1.2.3",
            "  ok  policy/whole  accepted (1)",
            "  ok  policy/bare  not accepted (0)",
            "  not run  policy/asked  It has no content to judge.",
            "2 of 2 cases as expected, 0 worse than before",
        ],
    )
    assert answer(package)["ok"] is True


@pytest.mark.parametrize(
    ("gate", "code"),
    [
        (GATE.replace("accepted: false, ", ""), None),
        ("questions: [Is it nice?]\n", "no-checks"),
        ("checks: [{check: poetry}]\n", "not-a-gate"),
        ("checks: [{check: schema, schema: nowhere.json}]\n", "no-schema"),
    ],
    ids=["a wrong verdict", "no checks", "an unknown check", "no schema"],
)
def test_what_is_not_as_expected_or_cannot_be_run_ends_with_1(
    tmp_path: Path, gate: str, code: str | None
) -> None:
    """Ours: a gate that nobody can run has not passed, nor has one that was not run, and readiness says so too."""
    package = app(tmp_path, gate)
    assert run(package).exit_code == 1
    assert answer(package)["notRunnable"] == ({} if code is None else {"policy": code})
    found = json.loads(CliRunner().invoke(main, ["readiness", "--json", str(package)]).stdout)
    blocking = [each for each in found["checks"] if each["kind"] == "eval"]
    assert [each["outcome"] for each in blocking] == ["unknown" if code is None else "failed"]


def test_a_baseline_that_was_kept_finds_what_got_worse(tmp_path: Path) -> None:
    package = app(tmp_path)
    baseline = package / "evals" / "baseline.json"
    assert run(package, "--save-baseline", baseline).exit_code == 0
    assert run(package).exit_code == 0
    changed = GATE.replace("A walk. No advice. Ask us.", "A walk. No advice.")
    worse = app(tmp_path / "worse", changed, ", threshold: 0.5")
    (worse / "evals" / "baseline.json").write_bytes(baseline.read_bytes())
    found = answer(worse)
    assert [each["ok"] for each in found["cases"]] == [True, True, True]
    assert found["regressions"] == [
        {
            "case": "policy/whole",
            "before": {"accepted": True, "score": 1.0},
            "now": {"accepted": True, "score": 0.5},
        }
    ]
    assert run(worse).exit_code == 1
    baseline.write_text("[]")
    assert "is not a baseline" in run(package).stderr


def test_documents_are_judged_beside_the_cases_and_a_threshold_can_be_tried(tmp_path: Path) -> None:
    package = app(tmp_path)
    letter = tmp_path / "letter.json"
    letter.write_text('{"body": "No advice."}')
    found = answer(package, "--document", letter)
    assert (found["ok"], found["cases"][-1]["outcome"]["reasons"]) == (
        False,
        [{"code": "required-text", "detail": "Ask us."}],
    )
    assert answer(package, "--document", letter, "--threshold", "policy=0.5")["ok"] is True
    assert run(package, "--threshold", "policy=2").exit_code == 2
    assert run(package, "--threshold", "other=1").exit_code == 2
