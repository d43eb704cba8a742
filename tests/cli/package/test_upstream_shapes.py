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
