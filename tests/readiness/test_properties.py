"""More given never makes an app less ready; no state is better than what is required."""

from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lime_desktop.projection.projection import Projection
from lime_desktop.readiness.assess import assess
from lime_desktop.readiness.facts import ReadinessFacts
from lime_desktop.readiness.flow_chart import Status
from tests.projection.stand_in import projection_of
from tests.readiness.scenes import facts_of

KEYS = ("one", "two", "three")
ORDER = list(Status)

keys = st.sampled_from(KEYS)
some_keys = st.lists(keys, unique=True, max_size=3)
flags = st.sampled_from([True, False, None])


def keyed(**fields: st.SearchStrategy[object]) -> st.SearchStrategy[list[dict[str, object]]]:
    item = st.fixed_dictionaries({"key": cast("st.SearchStrategy[object]", keys), **fields})
    return st.lists(item, unique_by=lambda each: str(each["key"]), max_size=3)


checks = st.lists(
    st.one_of(
        st.fixed_dictionaries(
            {"check": st.just("knowledge_bound"), "template": keys, "blocker": st.booleans()}
        ),
        st.fixed_dictionaries(
            {"check": st.just("permission_granted"), "permission": keys, "blocker": st.booleans()}
        ),
        st.fixed_dictionaries(
            {"check": st.just("secret_configured"), "secret": keys, "blocker": st.booleans()}
        ),
        st.fixed_dictionaries({"check": st.just("moon_phase"), "blocker": st.booleans()}),
        st.fixed_dictionaries(
            {"check": st.just("storage_quota"), "expect": st.sampled_from([">= 1MB", "lots"])}
        ),
    ),
    max_size=3,
)
tiers: st.SearchStrategy[object] = st.fixed_dictionaries(
    {"required": checks, "recommended": checks, "performance": checks}
)
fields: dict[str, st.SearchStrategy[object]] = {
    "permissions": keyed(scope=st.just("network"), required=flags),
    "secrets": keyed(required=flags),
    "knowledgeTemplates": keyed(
        required=flags, standard=st.just("agentknowledge"), type=st.just("t")
    ),
    "entries": keyed(
        kind=st.sampled_from(["page", "settings"]),
        title=st.just("E"),
        route=st.just("/"),
        permissions=some_keys,
        requiredCapabilities=st.lists(
            st.sampled_from(["lime.ui", "lime.x"]), unique=True, max_size=2
        ),
    ),
    "readiness": tiers,
    "status": st.sampled_from(["ready", "deprecated", "archived"]),
}
projections = st.fixed_dictionaries(fields).map(projection_of)


@st.composite
def some_facts(draw: st.DrawFn) -> ReadinessFacts:
    return facts_of(
        granted_permissions=draw(some_keys),
        denied_permissions=draw(some_keys),
        bound_knowledge=dict.fromkeys(draw(some_keys), "t"),
        configured_secrets=draw(some_keys),
        storage_quota_bytes=draw(st.sampled_from([None, 0, 10**9])),
    )


facts = some_facts()


def with_more(given_facts: ReadinessFacts, kind: str, key: str) -> ReadinessFacts:
    match kind:
        case "grant":
            return given_facts.model_copy(
                update={"granted_permissions": given_facts.granted_permissions | {key}}
            )
        case "secret":
            return given_facts.model_copy(
                update={"configured_secrets": given_facts.configured_secrets | {key}}
            )
        case _:
            return given_facts.model_copy(
                update={"bound_knowledge": {**given_facts.bound_knowledge, key: "t"}}
            )


@given(projections, facts, st.sampled_from(["grant", "secret", "binding"]), keys)
def test_more_given_never_makes_the_app_or_an_entry_less_ready(
    projection: Projection, before: ReadinessFacts, kind: str, key: str
) -> None:
    """Read from right to left: what is taken away never makes anything more ready."""
    less = assess(projection, before)
    more = assess(projection, with_more(before, kind, key))
    assert not more.status.is_worse_than(less.status)
    for poorer, richer in zip(less.entries, more.entries, strict=True):
        assert not richer.status.is_worse_than(poorer.status)


@given(projections, facts)
def test_state_is_never_better_than_the_worst_required_finding(
    projection: Projection, given_facts: ReadinessFacts
) -> None:
    readiness = assess(projection, given_facts)
    for check in readiness.tiers.required:
        if check.outcome == "passed":
            continue
        least = Status.UNKNOWN if check.outcome == "unknown" else Status.NEEDS_SETUP
        least = Status.BLOCKED if check.blocking else least
        assert not least.is_worse_than(readiness.status)


@given(projections, facts)
def test_assessment_repeats_itself_byte_for_byte(
    projection: Projection, given_facts: ReadinessFacts
) -> None:
    assert (
        assess(projection, given_facts).model_dump_json()
        == assess(projection, given_facts).model_dump_json()
    )


@pytest.mark.requirement("APP-14")
@given(projections, facts)
def test_every_open_finding_has_a_step_in_the_app_or_its_entry(
    projection: Projection, given_facts: ReadinessFacts
) -> None:
    readiness = assess(projection, given_facts)
    for answer in (readiness, *readiness.entries):
        open_ones = [c for c in answer.checks if c.outcome != "passed" and c.tier]
        assert bool(open_ones) == bool(answer.setup_actions)
        assert answer.ok == answer.status.may_start
