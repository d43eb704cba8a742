"""What is acted for a view changes facts and nothing else: policy, bridge and server decide as ever (ours)."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from lime_desktop.developer.simulation import (
    REALITY,
    ServerHealth,
    SimulatedServer,
    Simulation,
    facts_under,
    snapshot_under,
)
from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.host.requests.view_snapshots import policy_facts
from lime_desktop.policy.call import PolicyCall
from lime_desktop.policy.decide import decide
from lime_desktop.policy.decision import Denied
from lime_desktop.policy.facts import PolicyFacts, Readiness
from lime_desktop.protocol.app_call import APP_CALL, AppCallParams
from lime_desktop.protocol.bridge.snapshot import ModelSummary
from lime_desktop.protocol.errors import AppServerUnavailable, ProviderNotReady
from tests.app_server.for_apps import caller
from tests.host.bridge.test_session import snapshot
from tests.host.requests.test_app_requests import SAMPLE

SHELF = AppRegistry("en")
[HELLO] = SHELF.add([SAMPLE])


def facts() -> PolicyFacts:
    SHELF.grant(HELLO.app_id, "keep-greeting")
    app = SHELF.app(HELLO.app_id)
    assert app is not None
    return replace(policy_facts(app, 0), readiness=Readiness(state="ready"))


def storing() -> PolicyCall:
    return PolicyCall(
        app_id=HELLO.app_id,
        entry="greeting",
        session_id="view",
        workspace_id="default",
        capability="lime.storage",
        method="set",
        access="write",
    )


def test_a_refused_permission_denies_the_calls_it_is_for() -> None:
    assert not isinstance(decide(storing(), facts_under(REALITY, facts())), Denied)
    [permission] = HELLO.package.manifest.permissions
    decision = decide(storing(), facts_under(Simulation(denied=(permission,)), facts()))
    assert isinstance(decision, Denied)
    assert decision.rule.id == "simulated.keep-greeting"


def test_a_capability_that_was_taken_away_is_told_as_blocked() -> None:
    told = snapshot_under(Simulation(absent=frozenset({"lime.storage"})), snapshot()).capabilities
    assert (told.available, told.blocked) == ((), ("lime.storage",))
    assert told.reasons["lime.storage"]
    assert snapshot_under(REALITY, snapshot()) == snapshot()


@pytest.mark.parametrize("health", ["as-is", "dead"])
def test_a_dead_app_server_is_not_even_asked(health: ServerHealth) -> None:
    asked: list[str] = []

    async def call(method: Any, params: Any, *, timeout_s: float = 1.0) -> Any:
        del params, timeout_s
        asked.append(method.name)

    acted = replace(REALITY, server=health) if health == "dead" else REALITY
    server = SimulatedServer(call, lambda: acted)
    asked_for = AppCallParams(caller=caller("hello-lime"), call="lime.storage.list")
    work = server(APP_CALL, asked_for)
    if health == "dead":
        with pytest.raises(AppServerUnavailable):
            asyncio.run(work)
    else:
        asyncio.run(work)
    assert asked == ([] if health == "dead" else ["app/call"])


@pytest.mark.requirement("APP-27")
def test_without_a_model_the_page_is_told_so_and_tasks_are_refused() -> None:
    """Ours: an app's way of doing without a model can be tried where one is set up."""
    acted = replace(REALITY, has_no_model=True)
    ready = snapshot().model_copy(update={"models": ModelSummary(status="ready")})
    told = snapshot_under(acted, ready).models
    assert told is not None
    assert (told.status, told.reason_code) == ("none", "engine_unavailable")
    assert snapshot_under(acted, snapshot()).models is None

    async def never(*_: object, **__: object) -> Any:
        raise AssertionError("the server is not asked")

    server = SimulatedServer(never, lambda: acted)
    asked = AppCallParams(caller=caller("a"), call="lime.agent.startTask", params=b"{}")
    with pytest.raises(ProviderNotReady):
        asyncio.run(server(APP_CALL, asked))
