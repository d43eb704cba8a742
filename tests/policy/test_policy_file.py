from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lime_desktop.policy import policy_file
from lime_desktop.policy.call import PolicyCall
from lime_desktop.policy.decide import decide
from lime_desktop.policy.decision import Denied
from lime_desktop.policy.declared import Declared
from lime_desktop.policy.facts import CostLimit, PolicyFacts, Readiness
from lime_desktop.policy.policy_file import PolicyFile, parse_policy_file
from lime_desktop.policy.rules import Criterion, Match, RiskRule, Rule, RuleRef

HEAD = "version: 1\nname: Rules\n"


def parse(text: str) -> PolicyFile:
    return parse_policy_file(text, layer="organisation", source="policy.yaml")


def ref(name: str, text: str) -> RuleRef:
    return RuleRef(f"organisation.{name}", "organisation", "policy.yaml", text)


def test_the_documented_example_is_read_as_it_says() -> None:
    """We: documentation that does not work is worse than none."""
    assert policy_file.__doc__ is not None
    example = policy_file.__doc__.split("```yaml")[1].split("```")[0]
    read = parse(example)
    assert read.name == "Rules of Example Ltd"
    assert read.ask_from == "low"
    assert read.rules == (
        Rule(
            ref("no-paste-sites", "Nothing goes to paste sites."),
            "deny",
            Match((Criterion("domains", ("pastebin.com", "*.pastebin.com")),)),
        ),
        Rule(
            ref("search-is-fine", "The search tool needs no questions."),
            "allow",
            Match((Criterion("tools", ("web-search",)),)),
            expires_at_ms=1_893_456_000_000,
        ),
    )
    assert [default.effect for default in read.defaults] == ["ask"]
    assert read.risk_rules == (
        RiskRule(
            ref("crm", "The CRM holds customer data."),
            "high",
            Match((Criterion("tools", ("crm",)),)),
        ),
    )


def test_a_budget_is_joined_with_what_was_spent_in_its_window() -> None:
    text = HEAD + (
        "budgets:\n"
        "  - { id: month, window: month, limit: 20.5, text: Monthly. }\n"
        "  - { id: task, window: task, limit: 1, text: Each., soft: true }\n"
    )
    limits = [each.with_spending(task=Decimal(1), month=Decimal(7)) for each in parse(text).budgets]
    assert limits == [
        CostLimit(ref=ref("month", "Monthly."), limit=Decimal("20.5"), spent=Decimal(7)),
        CostLimit(ref=ref("task", "Each."), limit=Decimal(1), spent=Decimal(1), is_hard=False),
    ]


RULE = "rules:\n  - {{ id: a, text: T., {} }}\n"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "the file: model type"),
        ("[]", "the file: model type"),
        ("name: x", "version: missing"),
        ("version: 2\nname: x", "version: literal error"),
        (HEAD + "extra: 1", "extra: extra forbidden"),
        (HEAD + "default: maybe", "default: literal error"),
        (HEAD + "name: twice", "found duplicate key"),
        (HEAD + RULE.format("effect: deny, when: {}"), "rules.0.when: too short"),
        (HEAD + RULE.format("effect: deny"), "rules.0.when: missing"),
        (HEAD + RULE.format("effect: forbid, when: {tools: [a]}"), "rules.0.effect: literal error"),
        (HEAD + RULE.format("effect: deny, when: {colours: [a]}"), "rules.0.when.colours"),
        (HEAD + RULE.format("effect: deny, when: {tools: []}"), "rules.0.when.tools: too short"),
        (HEAD + RULE.format("effect: deny, when: {tools: a}"), "rules.0.when.tools: tuple type"),
        (HEAD + RULE.format("effect: deny, when: {domains: ['a/b']}"), "domains has the pattern"),
        (HEAD + RULE.format("effect: deny, when: {scopes: [net]}"), "scopes has the pattern"),
        (
            HEAD + RULE.format("effect: deny, expires: 2030-01-01T00:00:00Z, when: {tools: [a]}"),
            "only a rule that allows may expire",
        ),
        (
            HEAD + RULE.format("effect: allow, expires: 2030-01-01, when: {tools: [a]}"),
            "rules.0.expires",
        ),
        (
            HEAD + RULE.format("effect: deny, remember: task, when: {tools: [a]}"),
            "remember belongs",
        ),
        (
            HEAD + RULE.format("effect: deny, when: {tools: [a]}") + "risks:\n"
            "  - { id: a, level: low, text: T., when: {tools: [b]} }\n",
            "used twice as an id: a",
        ),
        (HEAD + "a: &x [1]\nb: *x", "Anchors"),
        ("[" * 40, "nesting"),
        (HEAD + "a: 2030-99-99", "month"),
        (HEAD + "budgets:\n  - { id: m, window: month, limit: -1, text: T. }", "budgets.0.limit"),
        ("x" * (policy_file.LARGEST_FILE + 1), "larger than"),
        (HEAD + "a: [", "Line "),
    ],
)
def test_one_mistake_refuses_the_whole_file(text: str, problem: str) -> None:
    """Fail closed: a policy that is in force only in part misleads everybody."""
    read = parse(text)
    assert read.is_refused
    assert any(problem in each for each in read.problems), read.problems


@given(st.one_of(st.text(), st.text("[]{}-:&*!#|>'\" \nab,?%@`"), st.binary().map(repr)))
def test_any_text_is_read_or_refused_and_never_an_error(text: str) -> None:
    read = parse(text)
    assert read.is_refused


def test_a_refused_file_denies_every_call() -> None:
    """What an organisation forbids must not become free by a typing error."""
    read = parse("version: one")
    facts = PolicyFacts(
        declared=Declared(app_id="notes"),
        now_ms=0,
        readiness=Readiness(state="ready"),
        rules=read.rules,
    )
    decision = decide(PolicyCall(app_id="notes", capability="lime.ui", method="toast"), facts)
    assert isinstance(decision, Denied)
    assert decision.rule.id == "policy-file.refused"
