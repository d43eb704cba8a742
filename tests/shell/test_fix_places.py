"""Every place that a step of readiness leads to is there in the window."""

from pathlib import Path

from lime_desktop.host.apps.fix_places import (
    AGAIN,
    EVALS,
    OVERLAYS,
    PERMISSIONS,
    REVIEW,
    SKILLS,
    place_of,
)
from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.readiness.codes import REMEDIES
from lime_desktop.readiness.result import SetupAction
from lime_desktop.shell.settings.table import SECTIONS


def test_every_step_into_the_settings_leads_to_a_place_that_is_there() -> None:
    """A bug: what no section was named for led to the first page, where nothing could be done about it."""
    targets = {each.target for each in REMEDIES.values() if each.setup == "open-settings"}
    steps = [
        SetupAction(key="step", kind="open-settings", target=target, title="", description="")
        for target in targets
    ]
    [app] = AppRegistry("en").add([Path(__file__).parents[2] / "sample_apps/hello-lime"])
    places = {place_of(app, step) for step in steps}
    own = {None, REVIEW, OVERLAYS, AGAIN, PERMISSIONS, SKILLS, EVALS}
    assert places <= own | {section.key for section in SECTIONS}
    assert {REVIEW, OVERLAYS, "workspace"} <= places
