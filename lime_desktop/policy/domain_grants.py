"""Which hosts may an app reach? The one reading of declared and granted domains: for pages, requests and the proxy alike."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from lime_desktop.policy.patterns import domain_matches, parse_domain_pattern, parse_host
from lime_desktop.policy.rules import Facet, Rule, pattern_matches

_EVERY_HOST = "*"


@dataclass(frozen=True, slots=True)
class DomainGrants:
    """The domains that a manifest declares and a person granted, in their plain form."""

    patterns: frozenset[str] = frozenset()
    denied: frozenset[str] = frozenset()
    """What a rule shut off; it outweighs every grant."""

    @classmethod
    def of(cls, domains: Iterable[str], denied: Iterable[str] = ()) -> "DomainGrants":
        """Read domains as a manifest writes them; what can't be read grants nothing."""
        read = (parse_domain_pattern(domain) for domain in domains)
        plain = frozenset(pattern for pattern in read if pattern is not None)
        return cls(plain, frozenset(denied))

    def covers(self, host: str) -> bool:
        """Whether a host may be reached at all; one that is open to two readings may not."""
        plain = parse_host(host)
        if plain is None or _matches(self.denied, plain, star_is_public=False):
            return False
        return _matches(self.patterns, plain, star_is_public=True)

    def names(self, host: str) -> bool:
        """Whether this very host is named, without a star: only then may it lie in the own network."""
        return parse_host(host) in self.patterns


NO_DOMAINS = DomainGrants()


def denied_domains(
    rules: Iterable[Rule], app_id: str, capability: str | None = None
) -> Iterator[str]:
    """The domains that rules shut off for whatever an app's pages fetch by themselves, or programs of this capability."""
    known: dict[Facet, str] = {"apps": app_id, "scopes": "network"}
    if capability is not None:
        known["capabilities"] = capability
    for rule in rules:
        if rule.effect == "deny":
            yield from _denied_by(rule, known)


def _denied_by(rule: Rule, known: Mapping[Facet, str]) -> tuple[str, ...]:
    said: dict[Facet, tuple[str, ...]] = {
        criterion.facet: criterion.patterns for criterion in rule.match.criteria
    }
    domains = said.pop("domains", (_EVERY_HOST,))
    # A page that fetches calls no capability and has no tool: rules that speak of those mean something else.
    is_meant = all(
        facet in known
        and any(pattern_matches(facet, each, known[facet], strict=True) for each in patterns)
        for facet, patterns in said.items()
    )
    return domains if is_meant else ()


def _matches(patterns: frozenset[str], host: str, *, star_is_public: bool) -> bool:
    return any(domain_matches(each, host, star_is_public=star_is_public) for each in patterns)
