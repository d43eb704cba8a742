"""What a package's tests are, what its agent says meanwhile, and how their outcome is written down (ours)."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from lime_desktop.app_server.execution.script_files import read_scripts
from lime_desktop.developer.testing.engine_file import EngineFileUnreadable, write_engine_scripts
from lime_desktop.developer.testing.junit import junit_xml
from lime_desktop.developer.testing.outcomes import TestOutcome, TestReport
from lime_desktop.developer.testing.plan import TestPlan
from lime_desktop.resources import resources_folder


def plan_of(package: Path) -> TestPlan:
    return TestPlan(package=package, pictures=package / "pictures")


def write(package: Path, name: str, text: str = "") -> None:
    path = package / "tests" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_tests_of_the_page_are_found_and_those_for_node_are_only_served(tmp_path: Path) -> None:
    for name in ("b.page.js", "deep/a.page.js", "node.test.js", "data.csv"):
        write(tmp_path, name)
    plan = plan_of(tmp_path)
    assert plan.files == ("b.page.js", "deep/a.page.js")
    scripts = {"tests/b.page.js", "tests/deep/a.page.js", "tests/node.test.js"}
    assert set(plan.served(resources_folder())) == {"testing/runner.js", *scripts}


@pytest.mark.parametrize("name", ["../secret.txt", "/etc/hostname", "missing.csv", ""])
def test_a_test_chooses_files_of_its_own_folder_only(tmp_path: Path, name: str) -> None:
    (tmp_path / "secret.txt").write_text("s")
    write(tmp_path, "data.csv")
    assert plan_of(tmp_path).fixture(name) is None
    assert plan_of(tmp_path).fixture("data.csv") == tmp_path / "tests/data.csv"


def test_an_agent_says_a_text_an_object_or_the_steps_of_a_script(tmp_path: Path) -> None:
    hold = [{"hold": "for ever"}]
    answers = {"Hello": "Hi", "Fill*form": {"ok": True}, "Wait": hold}
    write(tmp_path, "engine.json", json.dumps(answers))
    scripts = read_scripts(write_engine_scripts(tmp_path, tmp_path / "scripts.json"))
    assert "Fill in\nthis form" in scripts
    assert "Empty this form" not in scripts
    assert '{"ok": true}' in str(scripts["Fill in\nthis form"])
    assert len(scripts["Wait"]) == 1


def test_a_text_of_its_own_goes_before_a_pattern(tmp_path: Path) -> None:
    write(tmp_path, "engine.json", json.dumps({"*": "anything", "Hello": "Hi"}))
    scripts = read_scripts(write_engine_scripts(tmp_path, tmp_path / "scripts.json"))
    assert "Hi" in str(scripts["Hello"])
    assert "anything" in str(scripts["Goodbye"])


def test_without_a_file_every_question_is_answered(tmp_path: Path) -> None:
    scripts = read_scripts(write_engine_scripts(tmp_path, tmp_path / "scripts.json"))
    assert "whatever" in scripts


@pytest.mark.parametrize("text", ["{", "[]", '{"a": 1}'])
def test_a_broken_file_is_named(tmp_path: Path, text: str) -> None:
    write(tmp_path, "engine.json", text)
    with pytest.raises(EngineFileUnreadable, match=r"tests/engine\.json"):
        write_engine_scripts(tmp_path, tmp_path / "scripts.json")


def test_junit_counts_per_file_and_takes_any_text() -> None:
    outcomes = [
        TestOutcome(file="a.page.js", name="holds", took_ms=1_500),
        TestOutcome(file="a.page.js", name="<fails> \x00", problem="no\x1b[31m\nat line 1"),
        TestOutcome(file="b.page.js", name="too", console=("index.html:1: oh",)),
    ]
    root = ElementTree.fromstring(junit_xml({"demo": TestReport(outcomes)}))  # noqa: S314 - our own
    counts = [(each.get("name"), each.get("tests"), each.get("failures")) for each in root]
    assert counts == [("a.page.js", "2", "1"), ("b.page.js", "1", "0")]
    failure = root.find(".//failure")
    assert failure is not None
    assert failure.get("message") == "no\N{REPLACEMENT CHARACTER}[31m"
    assert root.findtext(".//system-out") == "index.html:1: oh"
