"""Small apps, written where a test wants them."""

from collections.abc import Mapping
from pathlib import Path

from lime_desktop.app_package.archive.opening import open_package
from lime_desktop.app_package.package import load_package
from lime_desktop.protocol.calls.apps import (
    RegisterAppParams,
    RegisteredGrant,
    RegisteredRule,
)
from lime_desktop.protocol.ids import AppId

APP_MD = """\
---
manifestVersion: 0.10.0
name: {name}
description: An app of the tests.
version: 1.2.3
status: draft
appType: agent-app
runtimeTargets: [local]
{more}
requires:
  sdk: "@lime/app-sdk@^0.10.0"
  capabilities: {capabilities}
---
# {name}
"""


def write_app(
    folder: Path,
    name: str = "notes",
    *,
    capabilities: str = "{}",
    more: str = "",
    files: Mapping[str, str] | None = None,
) -> Path:
    """Write a package: an APP.md, and whatever files the test adds."""
    package = folder / name
    written = {"APP.md": APP_MD.format(name=name, capabilities=capabilities, more=more)}
    for path, text in {**written, **(files or {})}.items():
        target = package / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return package


def registration(
    package: Path,
    *,
    grants: tuple[str, ...] = (),
    rules: tuple[RegisteredRule, ...] = (),
    workspace_id: str | None = None,
) -> RegisterAppParams:
    """What a host would say of a package that is ready."""
    loaded = load_package(open_package(package))
    assert loaded.is_valid, loaded.problems
    return RegisterAppParams(
        app_id=AppId(loaded.name),
        package_path=str(package),
        package_hash=loaded.package_hash,
        readiness_state="ready",
        grants=tuple(RegisteredGrant(permission=key) for key in grants),
        rules=rules,
        workspace_id=workspace_id,
    )
