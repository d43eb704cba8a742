"""Manifests of the shapes that others publish: what is harmless is a warning, and what is old says so."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from lime_desktop.cli.main import main

PUBLISHED = """\
---
manifestVersion: 0.10.0
name: published
description: An app of the shape that others publish
version: 0.3.0
status: draft
appType: custom
supportWindow: {channel: rolling, note: by mail}
distribution: {channel: nightly}
support: {email: help@example.org, chat: "https://example.org/chat"}
permissions: [{key: act, scope: agent, required: true}]
install:
  modes: [in_lime]
  runtime: {kind: lime-runtime, releaseManifest: {path: ./release/manifest.json}}
  standalone: {platforms: [linux], releaseManifest: {path: ./release/manifest.json}}
---
# Guide
"""


def run(*arguments: str | Path) -> tuple[int, dict[str, Any]]:
    done = CliRunner().invoke(main, [*map(str, arguments), "--json"])
    return done.exit_code, json.loads(done.output)


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "published"
    folder.mkdir()
    (folder / "APP.md").write_text(PUBLISHED)
    return folder


def problems_of(package: Path) -> dict[str, tuple[str, str]]:
    _, shown = run("validate", package)
    return {each["keyPath"]: (each["severity"], each["code"]) for each in shown["problems"]}


def test_what_is_harmless_is_a_warning(package: Path) -> None:
    """Ours: the reference tool takes these, and ignoring them gives an app nothing that it should not have."""
    code, _ = run("validate", package)
    assert code == 0
    found = problems_of(package)
    warned = ("warning", "VALUE_UNKNOWN")
    assert found["supportWindow.channel"] == found["distribution.channel"] == warned
    assert found["permissions[0].scope"] == warned
    assert found["supportWindow.note"] == ("warning", "FIELD_NOT_ALLOWED")
    assert not [path for path in found if "releaseManifest" in path or path.startswith("support.")]


@pytest.mark.parametrize(
    ("before", "after", "path", "meant"),
    [
        ("status: draft", "status: preview", "status", "needs-review"),
        ("status: draft", "status: stable", "status", "ready"),
        ("appType: custom", "appType: developer-tool", "appType", "custom"),
    ],
)
def test_a_word_of_another_host_is_read_as_the_one_it_means(
    package: Path, before: str, after: str, path: str, meant: str
) -> None:
    """Ours: a published app was refused for its status, which no decision here is made by."""
    (package / "APP.md").write_text(PUBLISHED.replace(before, after))
    assert problems_of(package)[path] == ("warning", "VALUE_UNKNOWN")
    _, shown = run("project", package)
    assert {"status": shown["app"]["status"], "appType": shown["app"]["appType"]}[path] == meant


def test_a_status_that_could_mean_anything_is_refused(package: Path) -> None:
    """One that was meant to retire the app must not be passed over."""
    (package / "APP.md").write_text(PUBLISHED.replace("status: draft", "status: archive"))
    assert problems_of(package)["status"] == ("error", "VALUE_NOT_ALLOWED")


def test_what_is_only_shown_to_people_keeps_nobody_from_the_app(package: Path) -> None:
    text = PUBLISHED.replace("channel: nightly", "visibility: team, pricing: included")
    text = text.replace("email: help@example.org, chat", "url: ./HELP.md, chat")
    text = text.replace("install:\n", "quickstart: {setupSteps: [run_a_trial]}\ninstall:\n")
    (package / "APP.md").write_text(text)
    found = problems_of(package)
    assert found["distribution.visibility"] == found["distribution.pricing"]
    assert found["distribution.pricing"] == ("warning", "VALUE_UNKNOWN")
    assert found["support.url"] == ("warning", "URL_INVALID")
    assert run("validate", package)[0] == 0


LANGUAGES = "i18n: {supportedLocales: [en, de], translations: {en: ./en.json, de: ./de.json}"


@pytest.mark.parametrize(
    ("fallback", "severity"), [(", fallback: {de: en}}", "warning"), ("}", "error")]
)
def test_a_translation_that_is_not_there_matters_where_nothing_stands_in(
    package: Path, fallback: str, severity: str
) -> None:
    (package / "en.json").write_text("{}")
    text = PUBLISHED.replace("install:\n", f"{LANGUAGES}{fallback}\ninstall:\n")
    (package / "APP.md").write_text(text)
    assert problems_of(package)["i18n.translations.de"][0] == severity


def test_a_sample_workflow_may_be_named_by_the_entry_that_leads_to_it(package: Path) -> None:
    flow = "{key: read, kind: workflow, title: Read, workflow: ./workflows/other-name.workflow.md}"
    (package / "workflows").mkdir()
    (package / "workflows/other-name.workflow.md").write_text("# Read\n")
    text = PUBLISHED.replace(
        "install:\n", f"quickstart: {{sampleWorkflow: read}}\nentries: [{flow}]\ninstall:\n"
    )
    (package / "APP.md").write_text(text)
    assert "quickstart.sampleWorkflow" not in problems_of(package)


def test_a_permission_of_an_unknown_scope_grants_nothing(package: Path) -> None:
    _, shown = run("project", package)
    assert "act" not in json.dumps(shown.get("permissions", []))


@pytest.mark.parametrize("field", ["lime: {appRuntime: '>=banana'}", "sdk: '@lime/app-sdk@banana'"])
def test_a_range_that_is_none_is_a_problem(package: Path, field: str) -> None:
    """A bug: it passed."""
    text = PUBLISHED.replace("install:\n", f"requires: {{{field}}}\ninstall:\n")
    (package / "APP.md").write_text(text)
    assert ("warning", "RANGE_INVALID") in problems_of(package).values()


@pytest.mark.parametrize(
    ("sdk", "code"),
    [
        ("^0.1.0", "APP_OUTDATED"),
        ("0.2.x", "APP_OUTDATED"),
        ("^0.11.0", "SDK_VERSION_UNSUPPORTED"),
        (">=7", "SDK_VERSION_UNSUPPORTED"),
    ],
)
def test_who_is_too_old_is_named(package: Path, sdk: str, code: str) -> None:
    """A bug: an app for an old SDK was said to need a newer Lime Desktop."""
    text = PUBLISHED.replace("install:\n", f"requires: {{sdk: '@lime/app-sdk@{sdk}'}}\ninstall:\n")
    (package / "APP.md").write_text(text)
    _, shown = run("readiness", package)
    failed = [check for check in shown["checks"] if check["outcome"] == "failed"]
    assert code in {check["code"] for check in failed}
