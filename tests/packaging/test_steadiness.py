"""A test that fails now and then is named and counted; a worker that crashed or hung fails the run (ours)."""

import json
from pathlib import Path

import pytest
from newcomer import checks
from newcomer.environment import Environment
from newcomer.steadiness import read_failures, remember_unsteady

from tests.packaging.this_python import ThisPython

ROOT = Path(__file__).parents[2]
FLAKY = """
from pathlib import Path
def test_flaky():
    before = Path("before")
    assert before.exists() or before.touch()
def test_steady():
    pass
"""
DYING_AFTERWARDS = """
import os
from pathlib import Path
def pytest_sessionfinish(session):
    died = Path("died")
    if hasattr(session.config, "workerinput") and not died.exists():
        died.touch()
        os._exit(3)
"""
BROKEN = "def test_broken():\n    assert False"
CRASHING = "import os\ndef test_crashing():\n    os._exit(3)"
HANGING = "import threading\ndef test_hanging():\n    threading.Event().wait()"


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ThisPython:
    # What else is installed for pytest would be loaded by every worker, Qt among it.
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    plugins = "-p xdist -p pytest_timeout"
    settings = f"[pytest]\ntimeout = 3\ntimeout_method = thread\naddopts = {plugins}\n"
    settings += f"pythonpath = {ROOT / 'packaging'}\n"
    (tmp_path / "pytest.ini").write_text(settings, encoding="utf-8")
    own = (ROOT / "tests/conftest.py").read_text(encoding="utf-8")
    [loaded] = [line for line in own.splitlines() if line.startswith("pytest_plugins")]
    (tmp_path / "conftest.py").write_text(f"{loaded}\n", encoding="utf-8")
    return ThisPython(tmp_path, tmp_path / "kept")


def run(environment: Environment, code: str, *, is_strict: bool = False) -> int:
    (environment.root / "test_it.py").write_text(code, encoding="utf-8")
    check = checks.tests(environment, ["-n1"], is_strict=is_strict)
    return checks.run_checks(environment, [check])


def test_what_failed_and_passes_alone_is_named_and_counted_in_a_file(
    checkout: ThisPython, capfd: pytest.CaptureFixture[str]
) -> None:
    for times in (1, 2):
        assert run(checkout, FLAKY) == 0
        said = capfd.readouterr().out
        assert "unsteady  tests" in said
        assert f"  {times} ×  test_it.test_flaky" in said
        counted = json.loads((checkout.memory / "unsteady.json").read_text(encoding="utf-8"))
        assert counted == {"test_it.test_flaky": times}
        (checkout.root / "before").unlink()


def test_strict_forgives_nothing(checkout: ThisPython, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(checkout, FLAKY, is_strict=True) == 1
    assert "failed    tests" in capfd.readouterr().out
    assert not (checkout.memory / "unsteady.json").exists()


def test_what_fails_alone_too_has_failed(
    checkout: ThisPython, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(checkout, BROKEN) == 1
    assert "failed    tests" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("code", "name"), [(CRASHING, "crashing"), (HANGING, "hanging")], ids=["crashed", "hung"]
)
def test_a_worker_that_crashed_or_hung_always_fails_the_run(
    checkout: ThisPython, capfd: pytest.CaptureFixture[str], code: str, name: str
) -> None:
    """A bug: the test passed alone, and nobody heard of what had died with its worker."""
    assert run(checkout, code) == 1
    said = capfd.readouterr().out
    assert "A worker crashed or hung" in said
    assert f"test_it.test_{name}" in said
    assert "that failed, alone" not in said


def test_a_worker_that_died_with_no_test_in_it_fails_the_run(
    checkout: ThisPython, capfd: pytest.CaptureFixture[str]
) -> None:
    """A bug: xdist replaces it with a line in the log, and the flaky test beside it was forgiven."""
    with (checkout.root / "conftest.py").open("a", encoding="utf-8") as conftest:
        conftest.write(DYING_AFTERWARDS)
    assert run(checkout, FLAKY) == 1
    said = capfd.readouterr().out
    assert "failed    tests" in said
    assert "A worker crashed or hung" in said
    assert not (checkout.memory / "unsteady.json").exists()


def test_what_cannot_be_counted_is_not_forgiven(
    checkout: ThisPython, capfd: pytest.CaptureFixture[str]
) -> None:
    (checkout.memory / "unsteady.json").mkdir()
    assert run(checkout, FLAKY) == 1
    said = capfd.readouterr().out
    assert "it could not be counted" in said
    assert "unsteady.json is a folder" in said


@pytest.mark.parametrize("kept", ["no JSON", "[]", '{"test_it.test_flaky": "often"}'])
def test_counts_that_cannot_be_read_begin_anew(checkout: ThisPython, kept: str) -> None:
    file = checkout.memory / "unsteady.json"
    file.write_text(kept, encoding="utf-8")
    assert remember_unsteady(file, ["test_it.test_flaky"]) == {"test_it.test_flaky": 1}


@pytest.mark.parametrize("content", [None, "", "<testsuites><test"])
def test_a_report_that_is_missing_or_cut_off_counts_as_a_lost_worker(
    tmp_path: Path, content: str | None
) -> None:
    report = tmp_path / "tests.xml"
    if content is not None:
        report.write_text(content, encoding="utf-8")
    assert read_failures(report).ended_worker
