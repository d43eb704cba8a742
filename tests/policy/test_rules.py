import pytest

from lime_desktop.policy.call import PolicyCall, Target
from lime_desktop.policy.declared import Declared
from lime_desktop.policy.resolved_call import resolve_call
from lime_desktop.policy.rules import Criterion, Facet, Match, Rule, RuleRef

REF = RuleRef("user.1", "user", "settings", "A rule.")


def facets_of(*targets: Target, capability: str = "lime.tools"):
    call = PolicyCall(app_id="notes", capability=capability, method="invoke", targets=targets)
    return resolve_call(call, Declared(app_id="notes")).facets


def matching(facet: Facet, *patterns: str) -> Match:
    return Match((Criterion(facet, patterns),))


BOTH = facets_of(Target("domain", "a.example"), Target("domain", "b.example"))


def test_a_refusal_needs_one_matching_target_and_a_permission_all() -> None:
    """We: the stricter reading on both sides."""
    only_one = matching("domains", "a.example")
    assert only_one.touches(BOTH)
    assert not only_one.covers(BOTH)
    assert matching("domains", "a.example", "b.example").covers(BOTH)


def test_a_criterion_on_a_facet_that_the_call_lacks_does_not_match() -> None:
    on_paths = matching("paths", "*")
    assert not on_paths.touches(BOTH)
    assert not on_paths.covers(BOTH)


def test_every_domain_means_public_ones_where_it_permits_and_all_where_it_refuses() -> None:
    here = facets_of(Target("domain", "127.0.0.1"))
    assert matching("domains", "*").touches(here)
    assert not matching("domains", "*").covers(here)


def test_every_criterion_must_match() -> None:
    match = Match((Criterion("domains", ("a.example",)), Criterion("methods", ("other",))))
    assert not match.touches(BOTH)


def test_a_match_without_criteria_speaks_of_every_call() -> None:
    assert Match().touches(BOTH)


@pytest.mark.parametrize(
    ("facet", "pattern"),
    [
        ("domains", "https://x"),
        ("paths", "../x"),
        ("tools", ""),
        ("tools", "x" * 600),
        ("sideEffects", "external_pubish"),
        ("scopes", "files"),
        ("capabilities", "lime.tool"),
        ("execution", "cloud"),
    ],
)
def test_a_pattern_that_could_never_match_as_meant_is_refused(facet: Facet, pattern: str) -> None:
    with pytest.raises(ValueError, match=facet):
        Criterion(facet, (pattern,))


@pytest.mark.requirement("APP-20")
def test_an_app_can_not_allow_itself_anything() -> None:
    with pytest.raises(ValueError, match="can't allow"):
        Rule(RuleRef("manifest.1", "manifest", "APP.md", "Allow me."), "allow")


def test_a_refusal_does_not_lapse() -> None:
    with pytest.raises(ValueError, match="may expire"):
        Rule(REF, "deny", expires_at_ms=1)
