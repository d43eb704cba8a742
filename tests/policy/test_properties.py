"""What must hold for every call under all facts. Each of these, broken, would be a hole."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lime_desktop.policy.call import PolicyCall
from lime_desktop.policy.decide import decide, explain
from lime_desktop.policy.decision import Allowed, Decision, Denied, NeedsApproval
from lime_desktop.policy.facts import Approval, PolicyFacts
from lime_desktop.policy.rules import Rule
from lime_desktop.policy.steps.approval import OWN_ACT
from lime_desktop.policy.vocabulary import ALWAYS_A_PERSON, ALWAYS_AVAILABLE, LOCAL
from tests.policy.strategies import NOW_MS, denies, rules, situations

Situation = tuple[PolicyCall, PolicyFacts]


def freedom(decision: Decision) -> int:
    match decision:
        case Denied():
            return 0
        case NeedsApproval():
            return 1
        case Allowed():
            return 2


@pytest.mark.requirement("APP-15", "RT-52")
@given(situations(), denies())
def test_adding_a_deny_never_allows_more(situation: Situation, deny: Rule) -> None:
    """Deny beats allow."""
    call, facts = situation
    stricter = replace(facts, rules=(*facts.rules, deny))
    assert freedom(decide(call, stricter)) <= freedom(decide(call, facts))


@pytest.mark.requirement("APP-16")
@given(situations(), rules())
def test_only_a_rule_that_allows_can_allow_more(situation: Situation, rule: Rule) -> None:
    """We: asking and watching are never a way in."""
    call, facts = situation
    changed = replace(facts, rules=(*facts.rules, rule))
    if rule.effect != "allow":
        assert freedom(decide(call, changed)) <= freedom(decide(call, facts))


@pytest.mark.requirement("APP-16", "APP-17")
@given(situations(), st.data())
def test_taking_something_away_never_allows_more(situation: Situation, data: st.DataObject) -> None:
    """A grant, an approval or a rule that allows: without it an app has at most what it had."""
    call, facts = situation
    keep = data.draw(
        st.fixed_dictionaries(
            {
                "grants": st.sampled_from((facts.grants, facts.grants[1:], ())),
                "approvals": st.sampled_from((facts.approvals, facts.approvals[1:], ())),
                "rules": st.sampled_from(
                    (facts.rules, tuple(rule for rule in facts.rules if rule.effect != "allow"))
                ),
            }
        )
    )
    assert freedom(decide(call, replace(facts, **keep))) <= freedom(decide(call, facts))


@given(situations(), st.integers(NOW_MS, 5_000))
def test_time_only_narrows(situation: Situation, later_ms: int) -> None:
    """Everything that lapses is something that permits."""
    call, facts = situation
    assert freedom(decide(call, replace(facts, now_ms=later_ms))) <= freedom(decide(call, facts))


@given(situations(), st.randoms(use_true_random=False))
def test_order_of_rules_does_not_matter(situation: Situation, random: Random) -> None:
    """The answer is the same to the letter, however the facts are listed."""
    call, facts = situation
    shuffled = {
        name: tuple(random.sample(getattr(facts, name), len(getattr(facts, name))))
        for name in ("rules", "grants", "approvals", "risk_rules", "defaults", "cost_limits")
    }
    assert decide(call, replace(facts, **shuffled)) == decide(call, facts)


@pytest.mark.requirement("APP-52")
@given(situations())
def test_undeclared_capability_is_always_denied(situation: Situation) -> None:
    """What the manifest does not name can't be reached, whoever would allow it."""
    call, facts = situation
    declared = replace(facts.declared, capabilities=frozenset())
    decision = decide(call, replace(facts, declared=declared))
    if call.capability not in ALWAYS_AVAILABLE:
        assert isinstance(decision, Denied)


@given(situations())
def test_explanation_and_decision_agree(situation: Situation) -> None:
    """An inspector never tells another story than the gate."""
    call, facts = situation
    explanation = explain(call, facts)
    assert explanation.decision == decide(call, facts)
    verdicts = {step.verdict for step in explanation.steps}
    assert ("deny" in verdicts) == isinstance(explanation.decision, Denied)


@given(situations())
def test_every_answer_names_its_rule(situation: Situation) -> None:
    """Who decided, where it is written, and what would change it."""
    decision = decide(*situation)
    assert decision.rule.id
    assert decision.rule.source
    assert decision.rule.text
    if not isinstance(decision, Allowed):
        assert decision.would_change


@pytest.mark.requirement("APP-59")
@given(situations())
def test_nobody_is_asked_where_nobody_is(situation: Situation) -> None:
    """A host with no person at it refuses instead of waiting."""
    call, facts = situation
    alone = replace(call, is_interactive=False)
    decision = decide(alone, facts)
    assert not isinstance(decision, NeedsApproval)
    if isinstance(decide(replace(call, is_interactive=True), facts), NeedsApproval):
        assert isinstance(decision, Denied)
        assert decision.rule.id == "host.nobody-to-ask"


@pytest.mark.requirement("APP-59")
@given(situations())
def test_publishing_is_never_allowed_without_an_answer_to_this_call(situation: Situation) -> None:
    """Publishing, deleting and bulk changes need a person whatever manifest, rules and memory say."""
    call, facts = situation
    kept = tuple(approval for approval in facts.approvals if approval.scope != "call")
    decision = decide(call, replace(facts, approvals=kept))
    if call.side_effect in ALWAYS_A_PERSON and call.dry_run != "this-call":
        assert not isinstance(decision, Allowed)


@given(situations())
def test_answering_the_question_as_asked_is_enough(situation: Situation) -> None:
    """A yes to this very call, for the reasons shown, lets exactly this call pass."""
    call, facts = situation
    call = replace(call, arguments_digest="sha256:exact")
    decision = decide(call, facts)
    if isinstance(decision, NeedsApproval) and decision.question.kind != "elicitation":
        yes = Approval(
            id="yes",
            subject=decision.question.subject,
            answers=frozenset(rule.id for rule in decision.question.reasons),
            scope="call",
            scope_id="sha256:exact",
        )
        answered = replace(facts, approvals=(*facts.approvals, yes))
        assert isinstance(decide(call, answered), Allowed)
        other = replace(call, arguments_digest="sha256:other")
        assert not isinstance(decide(other, answered), Allowed) or isinstance(
            decide(other, facts), Allowed
        )


@given(situations(), st.sampled_from((None, "lime.storage", "lime.settings", "lime.tools")))
def test_a_press_answers_nothing_but_what_the_host_and_the_author_ask_of_local_acts(
    situation: Situation, plain: str | None
) -> None:
    """No rule, limit, missing permission or risk is pressed away, and nothing outward, costly or agents' ever is."""
    call, facts = situation
    if plain is not None:
        call = replace(call, task_id=None, estimated_cost=None, targets=(), capability=plain)
    before, pressed = decide(call, facts), decide(replace(call, is_own_act=True), facts)
    if freedom(pressed) == freedom(before):
        return
    assert isinstance(before, NeedsApproval)
    assert isinstance(pressed, Allowed)
    assert pressed.rule == OWN_ACT or OWN_ACT in pressed.answered_by
    assert all(rule.layer in {"host", "manifest"} for rule in before.question.reasons)
    assert not any(rule.id.startswith("permission.") for rule in before.question.reasons)
    assert before.question.risk.level != "high"
    assert not before.question.leaves_machine
    assert set(before.question.effects) <= LOCAL
    assert (call.task_id, call.estimated_cost, call.program) == (None, None, ())
