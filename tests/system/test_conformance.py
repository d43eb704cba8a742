"""`lime-desktop conformance` as a developer and as CI run it (ours)."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from lime_desktop.cli.main import main
from lime_desktop.developer.conformance.demands import UNTRIED
from lime_desktop.host.apps.registry import find_packages

ROOT = Path(__file__).parents[2]
SAMPLES = find_packages(ROOT / "sample_apps")


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The key of whoever runs the tests is not ours to make."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))


def run(*arguments: str | Path) -> tuple[int, str]:
    ran = CliRunner().invoke(main, ["conformance", *map(str, arguments)])
    return ran.exit_code, ran.stdout


@pytest.mark.parametrize("app", SAMPLES, ids=lambda app: app.name)
def test_every_sample_conforms_as_it_lies_there(app: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    code, said = run(app, "--no-run", "--json", "--html", page)
    report: dict[str, Any] = json.loads(said)
    assert [each for each in report["judgements"] if each["verdict"] == "fails"] == []
    assert code == 0
    assert "RUN-06" in page.read_text("utf-8")


@pytest.mark.system
@pytest.mark.timeout(400)
def test_every_sample_conforms_while_it_is_open() -> None:
    ran = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "lime_desktop", "conformance", *SAMPLES, "--json"],
        cwd=ROOT,
        env=os.environ,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=360,
    )
    assert ran.stdout, ran.stderr
    assert "Traceback" not in ran.stderr, ran.stderr
    reports: list[dict[str, Any]] = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [each["app"]["name"] for each in reports] == [each.name for each in SAMPLES]
    for report in reports:
        seen = {each["id"]: each for each in report["judgements"] if each["part"] == "page"}
        assert [each for each in report["judgements"] if each["verdict"] == "fails"] == []
        assert {each["verdict"] for each in seen.values()} == {"holds"}
        assert any(each.startswith("lime.") for each in seen["RUN-04"]["evidence"])
        unseen = {each["id"] for each in report["judgements"] if each["verdict"] == "not-checked"}
        assert unseen == set(UNTRIED)
    assert ran.returncode == 0


def test_a_report_that_was_changed_is_found(tmp_path: Path) -> None:
    _, said = run(ROOT / "sample_apps/hello-lime", "--no-run", "--json")
    report = tmp_path / "report.json"
    report.write_text(said, encoding="utf-8")
    assert run("--verify", report)[0] == 0
    report.write_text(said.replace("0.10.0", "0.11.0", 1), encoding="utf-8")
    code, answer = run("--verify", report, "--json")
    assert (code, json.loads(answer)["changed"]) == (1, ["report"])


@pytest.mark.parametrize("arguments", [(), ("sample_apps/hello-lime", "--verify", "README.md")])
def test_it_is_told_what_to_examine(
    arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    assert run(*arguments)[0] == 2
