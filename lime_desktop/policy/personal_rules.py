"""What a person refuses for good, as rules: a call of an app, or a permission with everything that rests on it. Pure."""

from collections.abc import Iterable, Mapping
from typing import cast

from lime_desktop.app_package.manifest.permissions import Permission
from lime_desktop.policy.call import PolicyCall
from lime_desktop.policy.rules import (
    FACET_OF_TARGET,
    Criterion,
    Facet,
    Match,
    Rule,
    RuleRef,
    parse_pattern,
)

When = Mapping[Facet, tuple[str, ...]]
"""The calls that are meant: by facet, the patterns of which one must match."""

_ONE_ACCESS = frozenset({"read", "write", "execute"})


def calls_like(call: PolicyCall) -> When:
    """The same call of the same app, whatever its arguments, as far as it reaches for the same things."""
    plain = [each for target in call.targets if (each := target.in_plain_form()) is not None]
    reached: dict[Facet, tuple[str, ...]] = {}
    for kind, facet in FACET_OF_TARGET.items():
        reached |= _named(facet, (each.value for each in plain if each.kind == kind))
    return {
        "apps": (call.app_id,),
        "capabilities": (call.capability,),
        "methods": (call.method,),
        **reached,
    }


def calls_by(app_id: str, permission: Permission) -> When:
    """Every call of an app that would rest on a permission: what it names, else all of its kind."""
    named = _named("domains", permission.domains or ()) or _named("paths", permission.paths or ())
    if named:
        return {"apps": (app_id,), **named}
    kind: dict[Facet, tuple[str, ...]] = {"apps": (app_id,), "scopes": (permission.scope,)}
    if permission.access in _ONE_ACCESS:
        kind["accesses"] = (permission.access,)
    return kind


def never(refusal_id: str, action: str, when: Mapping[str, tuple[str, ...]]) -> Rule:
    """The rule that keeps a refusal. Nothing of the person's outweighs it but their taking it back."""
    ref = RuleRef(
        f"user.never-{refusal_id[:8]}",
        "user",
        "Settings, Permissions",
        f"The person said never: {action}.",
    )
    criteria = (Criterion(cast("Facet", facet), patterns) for facet, patterns in when.items())
    return Rule(ref, "deny", Match(tuple(criteria)))


def _named(facet: Facet, values: Iterable[str]) -> dict[Facet, tuple[str, ...]]:
    """One line of a rule. Names that no rule can hold are left out: it then refuses more, never less."""
    plain = tuple(value for value in values if parse_pattern(facet, value) is not None)
    return {facet: plain} if plain else {}
