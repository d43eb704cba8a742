"""What a view's app is told and judged by (the standard: snapshots hold nothing of the host's insides)."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from lime_desktop.host.appearance.theme import ThemeChoice, parse_tokens, theme_in_force
from lime_desktop.host.apps.bundle import bundle_of
from lime_desktop.host.apps.registry import AppRegistry, RegisteredApp
from lime_desktop.host.requests.view_snapshots import (
    ViewContext,
    ViewFacts,
    policy_facts,
    snapshot_of,
)
from lime_desktop.policy.facts import Approval
from lime_desktop.protocol.bridge.snapshot import ModelSummary

ROOT = Path(__file__).parents[3]
NOW = datetime(2026, 1, 2, tzinfo=UTC)
THEME = theme_in_force(
    parse_tokens((ROOT / "resources/theme/tokens.json").read_text()), ThemeChoice(mode="dark")
)


@pytest.fixture
def hello() -> RegisteredApp:
    registry = AppRegistry("en")
    registry.add([ROOT / "sample_apps/hello-lime"])
    registry.grant("hello-lime", "keep-greeting")
    return registry.apps[0]


def test_a_snapshot_tells_the_app_of_itself_and_of_its_place(hello: RegisteredApp) -> None:
    told = snapshot_of(hello, "greeting", ViewContext("zh-CN", "Asia/Shanghai", THEME, NOW))
    assert (told.app.entry_key, told.app.runtime_origin) == ("greeting", "lime-app://hello-lime")
    assert (told.host.locale, told.host.timezone) == ("zh-CN", "Asia/Shanghai")
    assert told.theme.effective_theme_mode == "dark"
    assert told.capabilities.available == ("lime.capabilities", "lime.storage", "lime.ui")
    assert set(told.capabilities.reasons) == set(told.capabilities.blocked)


@pytest.mark.requirement("APP-28")
def test_no_path_of_this_machine_is_in_a_snapshot(hello: RegisteredApp) -> None:
    told = snapshot_of(hello, "greeting", ViewContext("en", "UTC", THEME, NOW)).to_json()
    assert str(hello.path) not in told
    assert str(Path.home()) not in told


def test_policy_sees_grants_and_declarations(hello: RegisteredApp) -> None:
    facts = policy_facts(hello, 0)
    assert [grant.permission for grant in facts.grants] == ["keep-greeting"]
    assert "lime.storage" in facts.declared.capabilities


def test_facts_follow_the_app_the_yeses_and_the_clock(hello: RegisteredApp) -> None:
    """Ours: facts that are kept must be those that would be gathered now."""
    yes = Approval(
        id="1", subject="", answers=frozenset(), scope="session", scope_id="", expires_at_ms=500
    )
    kept, registry = ViewFacts(), AppRegistry("en")
    [other] = registry.add([ROOT / "sample_apps/hello-lime"])
    moments = [(0, ()), (499, (yes,)), (500, (yes,)), (499, (yes,)), (900, ()), (901, ())]
    for app in (hello, other, hello):
        for now_ms, yeses in moments:
            taken = kept.take(app, now_ms, yeses)
            gathered = policy_facts(app, now_ms, yeses)
            assert replace(taken, now_ms=now_ms) == gathered
            assert taken.standing_time() == gathered.standing_time()


def test_the_bundle_grants_no_domain_that_was_not_asked_for(hello: RegisteredApp) -> None:
    bundle = bundle_of(hello, {})
    assert bundle.grants.patterns == frozenset()
    assert not bundle.answer("/").is_missing


def test_only_apps_with_tasks_are_told_who_would_answer(hello: RegisteredApp) -> None:
    """Ours: which model a person uses is nobody else's business."""
    registry = AppRegistry("en")
    [notes] = registry.add([ROOT / "sample_apps/notes"])
    ready = ModelSummary(status="ready", quality="standard", label="Good", is_local=False)
    ambience = ViewContext("en", "UTC", THEME, NOW, ready)
    assert snapshot_of(notes, "notebook", ambience).models == ready
    assert snapshot_of(hello, "greeting", ambience).models is None
