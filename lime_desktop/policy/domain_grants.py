"""Which hosts may an app reach? The one reading of declared and granted domains: for pages, requests and the proxy alike."""

from collections.abc import Iterable
from dataclasses import dataclass

from lime_desktop.policy.domains import domain_matches, parse_domain_pattern, parse_host


@dataclass(frozen=True, slots=True)
class DomainGrants:
    """The domains that a manifest declares and a person granted, in their plain form."""

    patterns: frozenset[str] = frozenset()

    @classmethod
    def of(cls, domains: Iterable[str]) -> "DomainGrants":
        """Read domains as a manifest writes them; what can't be read grants nothing."""
        read = (parse_domain_pattern(domain) for domain in domains)
        return cls(frozenset(pattern for pattern in read if pattern is not None))

    def covers(self, host: str) -> bool:
        """Whether a host may be reached at all; one that is open to two readings may not."""
        plain = parse_host(host)
        return plain is not None and any(
            domain_matches(pattern, plain, star_is_public=True) for pattern in self.patterns
        )

    def names(self, host: str) -> bool:
        """Whether this very host is named, without a star: only then may it lie in the own network."""
        return parse_host(host) in self.patterns


NO_DOMAINS = DomainGrants()
