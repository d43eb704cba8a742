"""What a manifest declares, as far as policy asks: the outer border of everything an app can ever reach."""

from dataclasses import dataclass
from typing import Literal

from lime_desktop.app_package.manifest.operations import SideEffect
from lime_desktop.app_package.manifest.permissions import PermissionAccess, PermissionScope
from lime_desktop.policy.call import Target
from lime_desktop.policy.patterns import (
    domain_matches,
    parse_domain_pattern,
    parse_path,
    path_matches,
)
from lime_desktop.policy.vocabulary import Access, RememberScope

_COVERED: dict[PermissionAccess, frozenset[Access]] = {
    "read": frozenset({"read"}),
    "write": frozenset({"write"}),
    "execute": frozenset({"execute"}),
    "read-write": frozenset({"read", "write"}),
    "admin": frozenset({"read", "write", "execute"}),
}


DATA_SCOPES: frozenset[PermissionScope] = frozenset(
    {"filesystem", "storage", "artifact", "workspace", "tenant"}
)
"""Kinds of permission whose `access` binds the app: calls that go beyond it are refused."""


def only_reads(scope: PermissionScope, access: PermissionAccess | None) -> bool:
    """Whether policy holds a permission to reading. Elsewhere than with data, `access` is the author's word alone."""
    is_said = access == "read" or (access is None and scope == "filesystem")
    return is_said and scope in DATA_SCOPES


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredPermission:
    """A permission that the app asks for. Asking is not having: see `Grant`."""

    key: str
    scope: PermissionScope
    access: PermissionAccess | None = None
    domains: tuple[str, ...] | None = None
    """None: the manifest names none. A name that can't be read is kept, and covers nothing."""
    paths: tuple[str, ...] | None = None
    entries: frozenset[str] | None = None
    """The entries it is meant for; None: all."""
    reason: str = ""
    degraded_behavior: str = ""
    source: str = "APP.md"

    @property
    def names_targets(self) -> bool:
        """Tell whether the author said where to, and not just "somewhere"."""
        return (self.domains if self.scope == "network" else self.paths) is not None

    def is_for(self, entry: str | None) -> bool:
        """Tell whether an entry may rely on it."""
        return self.entries is None or entry in self.entries

    def covers_access(self, access: Access) -> bool:
        """Tell whether it speaks of this access. Files it was not said to change it may only read."""
        if self.access is None:
            return access == "read" or self.scope != "filesystem"
        return access in _COVERED[self.access]

    def covers_target(self, target: Target) -> bool:
        """Tell whether it reaches a domain or path, given in plain form."""
        match target.kind:
            case "domain":
                named = ("*",) if self.domains is None else self.domains
                patterns = [parse_domain_pattern(name) for name in named]
                return any(
                    p and domain_matches(p, target.value, star_is_public=True) for p in patterns
                )
            case "path":
                named = ("*",) if self.paths is None else self.paths
                patterns = [parse_path(name) for name in named]
                return any(p and path_matches(p, target.value, ignore_case=False) for p in patterns)
            case _:
                return False


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredOperation:
    """Something the app does that has consequences, and what must be true before it does."""

    key: str
    side_effect: SideEffect
    integration: str | None = None
    approval_required: bool = False
    dry_run_required: bool = False
    idempotency_required: bool = False
    evidence_required: bool = False
    auto_execute: bool | None = None
    source: str = "app.operations.yaml"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredIntegration:
    """An outside system that operations work with."""

    key: str
    provider: str = ""
    may_write: bool | None = None
    """None: the manifest does not say."""
    capability: str | None = None
    """The capability of the host that reaches it, where the manifest names one."""
    source: str = "app.integrations.yaml"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredEvent:
    """A topic that the app sends on, listens to, or both."""

    topic: str
    direction: Literal["publish", "subscribe", "both"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredAsking:
    """How the app's own contract lets a person be asked about its agents' actions. It only ever takes away."""

    behavior: Literal["host-mediated", "auto-deny", "manifest-only"] = "host-mediated"
    can_change: bool = True
    """Whether a yes may change what is done."""
    can_wait: bool = True
    """Whether the answer may be put off."""
    source: str = "agentRuntime.agentTask.approval"


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """One app's declarations."""

    app_id: str
    capabilities: frozenset[str] = frozenset()
    entry_capabilities: frozenset[tuple[str, str]] = frozenset()
    """Pairs of entry and capability: declared by one entry, and reachable from it alone."""
    permissions: tuple[DeclaredPermission, ...] = ()
    operations: tuple[DeclaredOperation, ...] = ()
    integrations: tuple[DeclaredIntegration, ...] = ()
    tools: frozenset[str] = frozenset()
    secrets: frozenset[str] = frozenset()
    knowledge: frozenset[str] = frozenset()
    workflows: frozenset[str] = frozenset()
    artifacts: frozenset[str] = frozenset()
    events: tuple[DeclaredEvent, ...] = ()
    has_storage: bool = False
    is_server_assisted: bool = False
    bypasses_permissions: bool = False
    remember_scopes: tuple[RememberScope, ...] | None = None
    """How long the app's own contract lets an answer be kept; None: it does not say."""
    asking: DeclaredAsking = DeclaredAsking()
    source: str = "APP.md"

    def has_capability(self, capability: str, entry: str | None) -> bool:
        """Tell whether the manifest names a capability for the whole app or for this entry."""
        return capability in self.capabilities or (
            entry is not None and (entry, capability) in self.entry_capabilities
        )

    def operation(self, key: str) -> DeclaredOperation | None:
        """Find an operation by its key."""
        return next((operation for operation in self.operations if operation.key == key), None)

    def integration(self, key: str | None) -> DeclaredIntegration | None:
        """Find an outside system by its key."""
        return next((each for each in self.integrations if each.key == key), None)
