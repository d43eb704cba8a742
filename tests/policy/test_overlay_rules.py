from decimal import Decimal

import pytest
from pydantic import JsonValue

from lime_desktop.overlay.layers import LayerName, OverlayLayer
from lime_desktop.overlay.resolve import Resolved, resolve
from lime_desktop.overlay.surface import OverlaySurface
from lime_desktop.policy.call import PolicyCall, Target
from lime_desktop.policy.decide import decide
from lime_desktop.policy.declared import Declared, DeclaredPermission
from lime_desktop.policy.facts import CostLimit, Grant, PolicyFacts, Readiness
from lime_desktop.policy.overlay_rules import budgets_of_overlays, rules_of_overlays
from lime_desktop.policy.rules import RuleRef

SURFACE = OverlaySurface(entries=frozenset({"home"}))


def resolved(name: LayerName = "tenant", *locks: str, **values: JsonValue) -> Resolved:
    layer = OverlayLayer(
        name=name,
        values={key.replace("__", "."): value for key, value in values.items()},
        locks=frozenset(locks),
    )
    return resolve((layer,), SURFACE)


def outcome(found: Resolved, *domains: str) -> str:
    facts = PolicyFacts(
        declared=Declared(
            app_id="notes",
            capabilities=frozenset({"lime.knowledge"}),
            permissions=(
                DeclaredPermission(key="net", scope="network", domains=("*.example.com",)),
            ),
        ),
        now_ms=0,
        readiness=Readiness(state="ready"),
        grants=(Grant(permission="net"),),
        rules=rules_of_overlays(found),
    )
    call = PolicyCall(
        app_id="notes",
        capability="lime.knowledge",
        method="search",
        entry="home",
        targets=tuple(Target("domain", domain) for domain in domains),
    )
    return f"{(decision := decide(call, facts)).outcome} {decision.rule.id}"


def test_a_disabled_entry_reaches_nothing() -> None:
    assert outcome(resolved(entries__home__disabled=True)) == "deny overlay.entries.home.disabled"
    assert outcome(resolved(entries__home__disabled=False)) == "allow manifest.capability"


def test_domains_and_the_whole_network_can_be_shut_off() -> None:
    shut = resolved(network__deny=["bad.example.com"])
    assert outcome(shut, "bad.example.com") == "deny overlay.network.deny"
    assert outcome(shut, "good.example.com") == "allow manifest.capability"
    assert outcome(resolved(network__offline=True), "good.example.com") == (
        "deny overlay.network.offline"
    )
    assert outcome(resolved(network__deny=[]), "good.example.com") == "allow manifest.capability"


def test_a_domain_that_can_not_be_read_shuts_off_all_of_them() -> None:
    """Fail closed: which one was meant can't be known."""
    unclear = resolved(network__deny=["https://bad.example.com/"])
    assert outcome(unclear, "good.example.com") == "deny overlay.network.deny"


@pytest.mark.parametrize(
    ("found", "limit", "is_hard"),
    [
        (resolved("user", budget__monthly=5), Decimal(5), False),
        (resolved("tenant", budget__monthly="5.50 USD"), Decimal("5.50"), True),
        (resolved("app", budget__monthly=7), Decimal(7), False),
        (resolved("user", budget__monthly="9 CNY"), Decimal(0), False),
    ],
)
def test_budgets_become_limits(found: Resolved, limit: Decimal, *, is_hard: bool) -> None:
    """Whoever governs sets hard limits; a currency that can't be compared leaves nothing to spend."""
    (budget,) = budgets_of_overlays(found, currency="USD")
    assert (budget.window, budget.limit, budget.is_hard) == ("month", limit, is_hard)


def test_a_limit_is_counted_in_its_own_window() -> None:
    (budget,) = budgets_of_overlays(resolved("user", budget__perTask=2), currency="USD")
    assert budget.with_spending(task=Decimal(1), month=Decimal(9)) == CostLimit(
        ref=RuleRef(
            "overlay.budget.perTask",
            "overlay",
            "user overlay",
            "The user set a limit of 2 for each task.",
        ),
        limit=Decimal(2),
        spent=Decimal(1),
        is_hard=False,
    )
