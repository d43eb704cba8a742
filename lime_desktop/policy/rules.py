"""A rule, the calls it speaks of, and how both are compared. Knows nothing of the order in which rules are asked."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from lime_desktop.policy.patterns import (
    LONGEST_PATTERN,
    domain_matches,
    glob_matches,
    parse_domain_pattern,
    parse_path,
    path_matches,
)
from lime_desktop.policy.vocabulary import (
    SCOPES,
    SIDE_EFFECTS,
    Access,
    Layer,
    RememberLimit,
    RiskLevel,
    TargetKind,
)
from lime_desktop.protocol.capabilities import CAPABILITIES

Effect = Literal["deny", "ask", "audit", "allow"]
"""``deny`` refuses; ``ask`` wants a person; ``audit`` lets pass and records; ``allow`` answers what could be asked."""

Facet = Literal[
    "apps",
    "entries",
    "capabilities",
    "methods",
    "operations",
    "sideEffects",
    "scopes",
    "accesses",
    "domains",
    "paths",
    "tools",
    "secrets",
    "knowledge",
    "workflows",
    "artifacts",
    "events",
    "execution",
]
"""A side of a call that a rule can speak of; every facet holds the values that the call has there."""

FACET_OF_TARGET: dict[TargetKind, Facet] = {
    "domain": "domains",
    "path": "paths",
    "tool": "tools",
    "secret": "secrets",
    "knowledge": "knowledge",
    "workflow": "workflows",
    "artifact": "artifacts",
    "event": "events",
}
"""The facet by which a rule speaks of a target of this kind."""

FACETS: tuple[Facet, ...] = get_args(Facet)
Facets = Mapping[Facet, frozenset[str]]

_CLOSED: dict[Facet, frozenset[str]] = {
    "capabilities": frozenset(capability.name for capability in CAPABILITIES),
    "sideEffects": frozenset(SIDE_EFFECTS),
    "scopes": frozenset(SCOPES),
    "accesses": frozenset(get_args(Access)),
    "execution": frozenset({"local", "remote", "unconfined"}),
}

MAY_ALLOW: frozenset[Layer] = frozenset({"organisation", "workspace", "user"})
"""Whoever may exempt a call from their own defaults. An app, or an overlay made for it, never permits itself anything."""
MAY_ANSWER: frozenset[Layer] = frozenset({"organisation", "user"})
"""Of those, whoever may also answer for a person. A workspace's file may come with a folder that a stranger made."""


@dataclass(frozen=True, slots=True, order=True)
class RuleRef:
    """How an answer names the rule behind it."""

    id: str
    layer: Layer
    source: str
    """The file that holds it, or the product's own name."""
    text: str
    """One sentence for a person."""


@dataclass(frozen=True, slots=True)
class Criterion:
    """One facet, and the patterns of which one must match."""

    facet: Facet
    patterns: tuple[str, ...]

    def __post_init__(self) -> None:
        plain = tuple(parse_pattern(self.facet, pattern) for pattern in self.patterns)
        if None in plain:
            bad = self.patterns[plain.index(None)]
            raise ValueError(f"{self.facet} has a pattern that can't be read: {bad!r}")
        object.__setattr__(self, "patterns", plain)


@dataclass(frozen=True, slots=True)
class Match:
    """Which calls a rule speaks of: those that meet every criterion. With none, all calls."""

    criteria: tuple[Criterion, ...] = ()

    def touches(self, facets: Facets) -> bool:
        """For what refuses or asks: one matching value in each facet is enough."""
        return all(
            any(_matches_any(criterion, value, strict=True) for value in facets[criterion.facet])
            for criterion in self.criteria
        )

    def covers(self, facets: Facets) -> bool:
        """For what permits: every value in each facet must match, and there must be one."""
        return all(
            bool(facets[criterion.facet])
            and all(
                _matches_any(criterion, value, strict=False) for value in facets[criterion.facet]
            )
            for criterion in self.criteria
        )


@dataclass(frozen=True, slots=True)
class Rule:
    """A line of policy."""

    ref: RuleRef
    effect: Effect
    match: Match = field(default_factory=Match)
    remember: RememberLimit = "workspace"
    """For ``ask``: how long an answer may be kept at most."""
    expires_at_ms: int | None = None
    """For ``allow`` only: a refusal that lapsed by itself would allow more as time goes by."""

    def __post_init__(self) -> None:
        if self.effect == "allow" and self.ref.layer not in MAY_ALLOW:
            raise ValueError(f"{self.ref.layer} rules can't allow: {self.ref.id}")
        if self.effect != "allow" and self.expires_at_ms is not None:
            raise ValueError(f"only a rule that allows may expire: {self.ref.id}")

    def applies(self, facets: Facets, now_ms: int) -> bool:
        """Tell whether the rule speaks of a call now."""
        if self.effect == "allow":
            is_current = self.expires_at_ms is None or now_ms < self.expires_at_ms
            return is_current and self.match.covers(facets)
        return self.match.touches(facets)


@dataclass(frozen=True, slots=True)
class RiskRule:
    """A line that says how risky a kind of call is. It can only raise what is known otherwise."""

    ref: RuleRef
    level: RiskLevel
    match: Match = field(default_factory=Match)


def parse_pattern(facet: Facet, pattern: str) -> str | None:
    """Give a pattern in its plain form, or None where it can't be read."""
    if not pattern or len(pattern) > LONGEST_PATTERN:
        return None
    match facet:
        case "domains":
            return parse_domain_pattern(pattern)
        case "paths":
            return parse_path(pattern)
        case _:
            # A misspelt word of a closed set would make a rule that never applies, unnoticed.
            words = _CLOSED.get(facet)
            return pattern if words is None or "*" in pattern or pattern in words else None


def pattern_matches(facet: Facet, pattern: str, value: str, *, strict: bool) -> bool:
    """Match one value; `strict` reads a doubtful case as a match, as whatever refuses must."""
    match facet:
        case "domains":
            return domain_matches(pattern, value, star_is_public=not strict)
        case "paths":
            return path_matches(pattern, value, ignore_case=strict)
        case _:
            return glob_matches(pattern, value, ".")


def _matches_any(criterion: Criterion, value: str, *, strict: bool) -> bool:
    return any(
        pattern_matches(criterion.facet, pattern, value, strict=strict)
        for pattern in criterion.patterns
    )
