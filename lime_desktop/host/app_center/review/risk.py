"""How much could go wrong if this app were malicious or broken? A rating with its reasons, from what it asks for.

Each reason has a weight; their sum gives the rating. The rating informs a person; it decides nothing.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from lime_desktop.app_package.manifest import Manifest
from lime_desktop.app_package.trust.verdict import Verdict
from lime_desktop.host.app_center.review.asked_permissions import is_broad
from lime_desktop.host.app_center.review.deferred_text import DeferredText
from lime_desktop.host.app_center.review.effects import declared_effects
from lime_desktop.host.app_center.review.programs import declared_programs
from lime_desktop.policy.resolved_call import scope_of

RiskLevel = Literal["low", "medium", "high"]

_MEDIUM_FROM = 2
_HIGH_FROM = 5


@dataclass(frozen=True, slots=True)
class RiskReason:
    """One thing that adds to the risk."""

    words: DeferredText
    weight: int


@dataclass(frozen=True, slots=True)
class RiskRating:
    """The rating and why."""

    level: RiskLevel
    score: int
    reasons: tuple[RiskReason, ...]
    """The heaviest first."""


def rate(manifest: Manifest, verdict: Verdict) -> RiskRating:
    """Rate what an app asks for."""
    reasons = tuple(sorted(_reasons(manifest, verdict), key=lambda reason: -reason.weight))
    score = sum(reason.weight for reason in reasons)
    level: RiskLevel = "low" if score < _MEDIUM_FROM else "medium"
    return RiskRating("high" if score >= _HIGH_FROM else level, score, reasons)


def _reasons(manifest: Manifest, verdict: Verdict) -> Iterator[RiskReason]:
    if verdict is not Verdict.VERIFIED:
        yield _because("unverified", 2)
    yield from _reasons_of_permissions(manifest)
    yield from _reasons_of_effects(manifest)
    yield from _reasons_of_running(manifest)


def _reasons_of_permissions(manifest: Manifest) -> Iterator[RiskReason]:
    asked = manifest.permissions
    if _uses("model", manifest) and not any(each.scope == "model" for each in asked):
        # A permission that is not asked for is never refused: that must not look like asking for less.
        yield _because("model.unasked", 1)
    network = [each for each in asked if each.scope == "network"]
    files = [each for each in asked if each.scope == "filesystem"]
    if any(map(is_broad, network)):
        yield _because("network.anywhere", 2)
    elif network:
        yield _because("network.named", 1)
    if any(each.access not in {None, "read"} for each in files):
        yield _because("files.write", 2 if any(map(is_broad, files)) else 1)
    elif any(map(is_broad, files)):
        yield _because("files.anywhere", 1)
    if any(each.scope == "secret" for each in asked) or manifest.secrets:
        yield _because("secrets", 1)
    if any(each.scope in {"tenant", "workspace"} and each.access == "admin" for each in asked):
        yield _because("manages-others", 2)


def _uses(scope: str, manifest: Manifest) -> bool:
    named = {*manifest.capability_names, *manifest.requires.capability_ranges}
    named |= {name for entry in manifest.entries for name in entry.required_capabilities}
    return any(scope_of(name) == scope for name in named)


def _reasons_of_effects(manifest: Manifest) -> Iterator[RiskReason]:
    outside = [effect for effect in declared_effects(manifest) if effect.is_outside]
    if any(effect.operation.side_effect != "external_write" for effect in outside):
        yield _because("publishes-or-deletes", 2)
    elif outside:
        yield _because("writes-outside", 1)
    if any(effect.operation.auto_execute for effect in outside):
        yield _because("acts-by-itself", 2)


def _reasons_of_running(manifest: Manifest) -> Iterator[RiskReason]:
    # A schedule that names no program starts a workflow of the app's, and nothing else.
    services = [
        each
        for each in manifest.services
        if each.kind != "scheduler" or each.command or each.binary
    ]
    if any(each.execution_plane != "cloud-remote" for each in services):
        yield _because("runs-programs", 2)
    if any(each.execution_plane == "cloud-remote" for each in services):
        yield _because("remote-service", 1)
    commands = [each for each in declared_programs(manifest) if each.kind == "command"]
    if any(each.runs_anything for each in commands):
        yield _because("runs-anything", 4)
    elif commands or "lime.terminal" in {
        *manifest.capability_names,
        *manifest.requires.capability_ranges,
    }:
        yield _because("terminal", 2)


def _because(reason: str, weight: int) -> RiskReason:
    return RiskReason(DeferredText(f"review.risk.{reason}"), weight)
