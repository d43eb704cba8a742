"""The catalogue of capabilities holds what the standard names and says why where it refuses."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from lime_desktop.protocol.capabilities import CAPABILITIES, Capability, Stage, capability_named

SEED = {
    "lime.ui", "lime.storage", "lime.files", "lime.agent", "lime.knowledge", "lime.tools",
    "lime.artifacts", "lime.workflow", "lime.policy", "lime.evidence", "lime.secrets",
    "lime.cloudSession", "lime.modelSettings", "lime.branding", "lime.billing",
    "lime.appUpdates", "lime.events", "lime.connectors", "lime.terminal", "lime.workspace",
}  # fmt: skip

every_capability = pytest.mark.parametrize("capability", CAPABILITIES, ids=lambda each: each.name)


def test_every_capability_the_standard_names_is_offered() -> None:
    """The standard's own list."""
    assert {each.name for each in CAPABILITIES if each.is_offered} >= SEED


def test_names_are_unique_and_found() -> None:
    """Ours."""
    assert [capability_named(each.name) for each in CAPABILITIES] == list(CAPABILITIES)
    assert capability_named("lime.teleport") is None


def test_settled_contracts_are_those_of_the_published_sdk() -> None:
    """The published SDK's `current` stage."""
    current = {each.name for each in CAPABILITIES if each.stage is Stage.CURRENT}
    assert current == {f"lime.{name}" for name in (
        "ui", "storage", "files", "agent", "knowledge", "tools", "artifacts", "workflow",
        "policy", "secrets", "evidence",
    )}  # fmt: skip


def test_only_ui_and_discovery_need_no_declaration() -> None:
    """What published hosts do: everything else is unreachable until declared."""
    free = {each.name for each in CAPABILITIES if not each.is_declaration_needed}
    assert free == {"lime.ui", "lime.capabilities"}


@every_capability
def test_a_capability_describes_itself(capability: Capability) -> None:
    """Ours."""
    assert re.fullmatch(r"lime\.[a-z][A-Za-z]*", capability.name)
    assert capability.summary.endswith(".")
    assert len(set(capability.methods)) == len(capability.methods)
    assert capability.version == "0.10.0"


def test_a_refused_capability_says_why() -> None:
    """Ours: a refusal without a reason sends people to the issue tracker."""
    refused = {each.name for each in CAPABILITIES if not each.is_offered}
    assert refused == {
        "lime.browser", "lime.media", "lime.memory", "lime.context", "lime.automation", "lime.oauth",
    }  # fmt: skip


def test_the_sdk_version_of_the_cloud_session_is_satisfied() -> None:
    """The published SDK lists it as 0.1.0, and apps copy that into their manifests."""
    session = capability_named("lime.cloudSession")
    assert session is not None
    assert "0.1.0" in session.versions


def test_importing_the_catalogue_costs_no_models(repository: Path) -> None:
    """Ours: every command imports it, so start-up pays for it."""
    script = (
        "import sys, lime_desktop.protocol.capabilities;"
        "print(*[m for m in sys.modules if m == 'pydantic' or m.startswith('lime_desktop.')])"
    )
    run = subprocess.run(  # noqa: S603 - our own interpreter and our own text
        [sys.executable, "-c", script], cwd=repository, capture_output=True, text=True, check=True
    )
    assert set(run.stdout.split()) == {
        "lime_desktop.protocol",
        "lime_desktop.protocol.capabilities",
        "lime_desktop.unique_names",
    }
