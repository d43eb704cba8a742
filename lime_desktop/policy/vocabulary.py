"""The words of policy: closed sets that the standard fixes, and the order in which some of them rank."""

from collections.abc import Iterable
from typing import Literal, get_args

from lime_desktop.app_package.manifest.operations import SideEffect
from lime_desktop.app_package.manifest.permissions import PermissionScope
from lime_desktop.protocol.approvals import RememberPolicy, Risk
from lime_desktop.protocol.capabilities import CAPABILITIES

Access = Literal["read", "write", "execute"]
TargetKind = Literal[
    "domain", "path", "tool", "secret", "knowledge", "workflow", "artifact", "event"
]
RiskLevel = Risk
RememberScope = Literal["task", "session", "workspace"]
RememberLimit = RememberPolicy
ApprovalScope = Literal["call", "task", "session", "workspace"]
ReadinessState = Literal[
    "ready", "ready-degraded", "needs-setup", "blocked", "failed", "unknown", "disabled"
]
Layer = Literal["host", "manifest", "organisation", "workspace", "overlay", "user"]
"""Who wrote a rule."""

SIDE_EFFECTS: frozenset[SideEffect] = frozenset(get_args(SideEffect))
SCOPES: frozenset[PermissionScope] = frozenset(get_args(PermissionScope))

ALWAYS_AVAILABLE = frozenset(
    capability.name for capability in CAPABILITIES if not capability.is_declaration_needed
)
"""An app needs no declaration for its own page, nor to ask what there is."""

ALWAYS_A_PERSON: frozenset[SideEffect] = frozenset(
    {"external_publish", "external_delete", "bulk_update"}
)
"""No manifest, rule or remembered answer lets these run without somebody saying yes to this very call."""

EXTERNAL: frozenset[SideEffect] = frozenset({*ALWAYS_A_PERSON, "external_write", "draftbox_write"})
"""These change something outside this machine, and must be declared as an operation."""

LOCAL: frozenset[SideEffect] = frozenset(
    {"app_storage_write", "artifact_create", "local_file_write"}
)
"""These change nothing but the app's own data and files that were opened to it."""

_SEVERITY: dict[SideEffect, int] = {
    "none": 0,
    "app_storage_write": 1,
    "artifact_create": 1,
    "local_file_write": 2,
    "draftbox_write": 3,
    "external_write": 4,
    "external_publish": 5,
    "external_delete": 5,
    "bulk_update": 5,
}


def rank(word: str, words: tuple[str, ...]) -> int:
    """Give a word's place in an ordered vocabulary."""
    return words.index(word)


RISK_LEVELS: tuple[RiskLevel, ...] = get_args(RiskLevel)
REMEMBER_LIMITS: tuple[RememberLimit, ...] = get_args(RememberLimit)
REMEMBER_SCOPES: tuple[RememberScope, ...] = get_args(RememberScope)


def strongest(effects: Iterable[SideEffect]) -> SideEffect:
    """The one of several side effects that matters most."""
    ranked = sorted(effects, key=lambda effect: _SEVERITY[effect])
    return ranked[-1] if ranked else "none"


def covers_effect(declared: SideEffect, real: SideEffect) -> bool:
    """Tell whether an operation that declared one side effect may have the other."""
    return declared == real or _SEVERITY[real] < _SEVERITY[declared]
