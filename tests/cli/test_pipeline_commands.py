"""project, readiness and catalog as a person or a script calls them."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from lime_desktop.cli.main import main

PACKAGES = Path(__file__).parents[1] / "projection" / "packages"
STUDIO, BRIEF = str(PACKAGES / "content-studio"), str(PACKAGES / "meeting-brief")
READY = {
    "packageTrust": "verified",
    "boundKnowledge": {"brand_guidelines": "brand"},
    "availableTools": ["web_search"],
    "storageQuotaBytes": 200_000_000,
    "costBudget": "20 USD",
}


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


@pytest.fixture
def invalid(tmp_path: Path) -> str:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "APP.md").write_text("---\nname: broken\n---\n# Broken\n", "utf-8")
    return str(tmp_path / "broken")


@pytest.fixture
def facts(tmp_path: Path) -> Path:
    path = tmp_path / "facts.json"
    path.write_text(json.dumps(READY), "utf-8")
    return path


def test_project_prints_one_object_per_package_one_per_line() -> None:
    result = run("project", "--json", STUDIO, BRIEF)
    documents = [json.loads(line) for line in result.stdout.splitlines()]
    assert [each["app"]["name"] for each in documents] == ["content-studio", "meeting-brief"]
    assert result.exit_code == 0


def test_project_for_a_person_names_entries_and_questions() -> None:
    result = run("project", STUDIO)
    assert "dashboard   page" in result.stdout
    assert "first-use  permission  publish" in result.stdout
    # The sample claims to be verified, which a host ignores and notes, with the fields that do nothing here.
    assert re.search(r"1 package: \d+ notes\n\Z", result.stdout)


def test_project_shows_an_invalid_package_and_fails(invalid: str) -> None:
    result = run("project", "--json", invalid)
    document = json.loads(result.stdout)
    assert (document["ok"], document["app"]["name"], result.exit_code) == (False, "broken", 1)
    assert "FIELD_MISSING" in {problem["code"] for problem in document["problems"]}


def test_readiness_without_facts_is_the_state_after_an_installation() -> None:
    result = run("readiness", "--json", STUDIO)
    answer = json.loads(result.stdout)
    assert (answer["status"], answer["command"], result.exit_code) == ("blocked", "readiness", 1)


def test_readiness_with_every_fact_in_place_is_ready(facts: Path) -> None:
    result = run("readiness", "--facts", str(facts), "--json", STUDIO)
    answer = json.loads(result.stdout)
    assert (answer["status"], answer["setupActions"], result.exit_code) == ("ready", [], 0)


def test_readiness_of_one_entry_is_in_the_apps_place() -> None:
    result = run("readiness", "--entry", "briefs", "--json", BRIEF)
    answer = json.loads(result.stdout)
    assert (answer["entryKey"], answer["status"], result.exit_code) == (
        "briefs",
        "ready-degraded",
        0,
    )
    assert [each["entryKey"] for each in answer["entries"]] == ["briefs"]


def test_readiness_speaks_the_language_asked_for() -> None:
    result = run("readiness", "--locale", "zh-CN", BRIEF)
    assert "此应用包未签名，无法验证发布者。" in result.stdout
    assert "1 of 1 can start" in result.stdout


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "not readable JSON"),
        ("[]", "must hold one JSON object"),
        ('{"grantedPermission": []}', "grantedPermission"),
        ('{"packageTrust": "maybe"}', "packageTrust"),
        ('{"now": "yesterday"}', "now"),
    ],
)
def test_facts_that_cannot_be_used_are_a_usage_error(
    tmp_path: Path, content: str, said: str
) -> None:
    """A misspelt fact would otherwise silently count as absent."""
    path = tmp_path / "facts.json"
    path.write_text(content, "utf-8")
    result = run("readiness", "--facts", str(path), BRIEF)
    assert result.exit_code == 2
    assert said in result.stderr


def test_entry_that_does_not_exist_is_a_usage_error_that_names_those_that_do() -> None:
    result = run("readiness", "--entry", "nope", BRIEF)
    assert result.exit_code == 2
    assert "it has: briefs" in result.stderr


def test_catalog_lists_what_a_shelf_shows() -> None:
    result = run("catalog", "--json", "--query", "content studio", str(PACKAGES))
    row = json.loads(result.stdout)
    del row["path"]
    assert row == {
        "ok": True,
        "name": "content-studio",
        "displayName": "内容工作室",
        "shortDescription": "从品牌知识到可发布的内容",
        "version": "2.1.0",
        "status": "ready",
        "appType": "domain-app",
        "categories": ["marketing"],
        "keywords": ["内容", "营销"],
        "publisher": "Acme Studio",
        "icon": "./assets/icon.svg",
        "entries": [
            {"key": "dashboard", "kind": "page", "title": "首页"},
            {"key": "strategist", "kind": "expert-chat", "title": "策略专家"},
            {"key": "setup", "kind": "settings", "title": "设置"},
        ],
        "capabilities": ["lime.ui", "lime.agent", "lime.knowledge", "lime.artifacts"],
        "installModes": ["in_lime"],
        "triggers": {"keywords": ["内容", "文案"], "scenarios": ["content_planning"]},
        "readiness": "blocked",
    }


def test_catalog_finds_by_every_word_in_any_language() -> None:
    assert "内容工作室" in run("catalog", "-q", "营销", str(PACKAGES)).stdout
    assert run("catalog", "-q", "ACME studio", str(PACKAGES)).stdout.endswith("1 of 8 apps\n")
    assert run("catalog", "-q", "nothing like it", str(PACKAGES)).stdout == "0 of 8 apps\n"


def test_catalog_takes_a_package_for_its_own_shelf_and_fails_on_an_invalid_one(
    invalid: str,
) -> None:
    assert run("catalog", BRIEF).stdout.endswith("1 of 1 apps\n")
    assert run("catalog", invalid).exit_code == 1


def test_catalog_lists_a_folder_that_cannot_be_looked_into(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bug: one such folder on the shelf ended the command with a traceback."""
    (tmp_path / "locked").mkdir()

    def refuse(path: Path) -> bool:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "is_file", refuse)
    result = run("catalog", str(tmp_path / "locked"))
    assert (result.exit_code, "locked" in result.stdout) == (1, True)
