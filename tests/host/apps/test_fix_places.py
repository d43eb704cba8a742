"""A step that readiness names leads to where it can be taken, or has no button (a bug: many led to the first page)."""

from dataclasses import replace
from pathlib import Path

import pytest

from lime_desktop.app_package.trust.verdict import Verdict
from lime_desktop.host.app_center.records.records import InstalledApp
from lime_desktop.host.apps.app_governance import AppGovernance
from lime_desktop.host.apps.fix_places import can_be_taken, place_of
from lime_desktop.host.apps.registry import AppRegistry, RegisteredApp
from lime_desktop.protocol.ids import AppId
from lime_desktop.readiness.codes import NOBODY_NAMED, SetupKind
from lime_desktop.readiness.result import SetupAction


@pytest.fixture(scope="module")
def app() -> RegisteredApp:
    """An app that was opened where it lies."""
    [found] = AppRegistry("en").add([Path(__file__).parents[3] / "sample_apps/hello-lime"])
    return found


def step(target: str, kind: SetupKind = "open-settings") -> SetupAction:
    return SetupAction(key="step", kind=kind, target=target, title="", description="")


@pytest.mark.parametrize(
    ("target", "place"),
    [
        ("security/trust", "review"),
        ("budget", "overlays"),
        ("overlays/tone", "overlays"),
        ("workspace", "workspace"),
        ("diagnostics", "again"),
        ("sandbox/publisher", "permissions"),
        ("skills/writing", "skills"),
        ("capabilities/lime.browser", None),
    ],
)
def test_a_step_leads_to_its_own_place(app: RegisteredApp, target: str, place: str | None) -> None:
    assert place_of(app, step(target)) == place


def test_what_cannot_be_done_has_no_button(app: RegisteredApp) -> None:
    assert not can_be_taken(app, step("evals/tone"))
    assert not can_be_taken(app, step(NOBODY_NAMED, "external"))
    assert can_be_taken(app, step("https://example.org", "external"))
    assert can_be_taken(app, step("token", "configure-secret"))


def test_who_installed_an_app_has_decided_to_trust_it(app: RegisteredApp) -> None:
    installed = InstalledApp(
        app_id=AppId(app.app_id),
        title="",
        version="1.0.0",
        package_hash="",
        manifest_hash="",
        source="",
        verdict=Verdict.UNSIGNED,
        installed_at_ms=0,
        updated_at_ms=0,
    )
    assert can_be_taken(app, step("security/trust"))
    assert not can_be_taken(replace(app, installed=installed), step("security/trust"))


def test_what_an_organisation_does_not_allow_is_explained_where_it_stands(
    app: RegisteredApp,
) -> None:
    assert place_of(app, step("policy")) == "grants"
    forbidden = replace(app, governing=AppGovernance(is_allowed=False))
    assert place_of(forbidden, step("policy")) == "organisation"
