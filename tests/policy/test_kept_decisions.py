"""Kept decisions are the decisions themselves: no call passes, or is stopped, because another one was judged before it."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from lime_desktop.policy.call import PolicyCall, Target
from lime_desktop.policy.decide import MOST_KEPT, KeptDecisions, decide, heeds_arguments
from lime_desktop.policy.decision import Allowed, NeedsApproval
from lime_desktop.policy.declared import Declared, DeclaredPermission
from lime_desktop.policy.facts import Grant, PolicyFacts, Readiness
from tests.policy.strategies import calls, situations

Situation = tuple[PolicyCall, PolicyFacts]

_STORAGE = PolicyFacts(
    declared=Declared(
        app_id="notes",
        capabilities=frozenset({"lime.storage"}),
        permissions=(DeclaredPermission(key="store", scope="storage"),),
        has_storage=True,
    ),
    now_ms=1_000,
    readiness=Readiness(state="ready"),
    grants=(Grant(permission="store", expires_at_ms=2_000),),
)
_GET = PolicyCall(app_id="notes", capability="lime.storage", method="get")


@given(st.data(), st.lists(situations(), min_size=1, max_size=3), st.lists(calls(), max_size=3))
def test_a_kept_decision_is_the_decision(
    data: st.DataObject, drawn: list[Situation], more: list[PolicyCall]
) -> None:
    """Ours: whatever was judged before, under whatever facts and at whatever time, forwards or back."""
    kept = KeptDecisions()
    asked = [*(call for call, _ in drawn), *more]
    for _ in range(data.draw(st.integers(2, 8))):
        call = data.draw(st.sampled_from(asked))
        _, facts = data.draw(st.sampled_from(drawn))
        now_ms = data.draw(st.sampled_from((0, 499, 500, 1_000, 1_999, 2_000, 5_000)))
        facts = replace(facts, now_ms=now_ms)
        assert kept.decide(call, facts) == decide(call, facts)


@given(situations(), st.text())
def test_arguments_matter_only_where_policy_says_so(situation: Situation, digest: str) -> None:
    """Ours: the digest of the arguments is left out where no decision can hang on it."""
    call, facts = situation
    if not heeds_arguments(facts):
        other = replace(call, arguments_digest=digest)
        assert decide(other, facts) == decide(call, facts)


def test_a_grant_that_lapses_or_is_taken_back_is_missed_at_once() -> None:
    """Ours: nothing has to be told that something changed."""
    kept = KeptDecisions()
    assert isinstance(kept.decide(_GET, _STORAGE), Allowed)
    assert isinstance(kept.decide(_GET, replace(_STORAGE, now_ms=2_000)), NeedsApproval)
    assert isinstance(kept.decide(_GET, _STORAGE), Allowed)
    assert isinstance(kept.decide(_GET, replace(_STORAGE, grants=())), NeedsApproval)


def test_made_up_names_do_not_fill_the_memory() -> None:
    """Ours: an app chooses what its calls reach for."""
    kept = KeptDecisions()
    for number in range(MOST_KEPT + 10):
        target = Target("event", f"topic-{number}")
        kept.decide(replace(_GET, targets=(target,)), _STORAGE)
    assert len(kept) <= MOST_KEPT
