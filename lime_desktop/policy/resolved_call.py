"""A call read against the manifest, once, so that every step sees the same targets, operations and effects."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from lime_desktop.app_package.manifest.operations import SideEffect
from lime_desktop.app_package.manifest.permissions import PermissionScope
from lime_desktop.policy.call import PolicyCall, Target
from lime_desktop.policy.declared import Declared, DeclaredOperation
from lime_desktop.policy.rules import FACET_OF_TARGET, Facet, Facets
from lime_desktop.policy.vocabulary import EXTERNAL, TargetKind

# lime.files is left out: there the person's choice of a file is itself the grant.
_SCOPE_OF_CAPABILITY: dict[str, PermissionScope] = {
    "lime.agent": "model",
    "lime.models": "model",
    "lime.modelSettings": "model",
    "lime.media": "model",
    "lime.tools": "tool",
    "lime.mcp": "tool",
    "lime.terminal": "tool",
    "lime.connectors": "tool",
    "lime.skills": "tool",
    "lime.browser": "network",
    "lime.search": "network",
    "lime.secrets": "secret",
    "lime.storage": "storage",
    "lime.workflow": "workflow",
    "lime.automation": "workflow",
    "lime.artifacts": "artifact",
    "lime.workspace": "workspace",
    "lime.cloudSession": "tenant",
}
_SCOPE_OF_TARGET: dict[TargetKind, PermissionScope] = {"domain": "network", "path": "filesystem"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedCall:
    """What a call amounts to under one manifest."""

    call: PolicyCall
    """With every target in plain form, and the malformed ones left out."""
    malformed: tuple[Target, ...]
    operations: tuple[DeclaredOperation, ...]
    effects: frozenset[SideEffect]
    """What the host knows and what the operations declare, without `none`."""
    capability_scopes: frozenset[PermissionScope]
    facets: Facets

    def without_effects(self) -> "ResolvedCall":
        """Read the same call as one that changes nothing."""
        facets: dict[Facet, frozenset[str]] = {
            **self.facets,
            "sideEffects": frozenset({"none"}),
            "operations": frozenset(),
        }
        return replace(self, operations=(), effects=frozenset(), facets=facets)


def scope_of(capability: str) -> PermissionScope | None:
    """The kind of permission that a capability's calls rest on."""
    return _SCOPE_OF_CAPABILITY.get(capability)


def resolve_call(call: PolicyCall, declared: Declared) -> ResolvedCall:
    """Read a call against its manifest."""
    plain = {target: target.in_plain_form() for target in call.targets}
    operations = _operations_of(call, declared)
    effects = _effects_of(call, operations)
    call = replace(call, targets=tuple(target for target in plain.values() if target))
    scopes = _capability_scopes(call)
    return ResolvedCall(
        call=call,
        malformed=tuple(target for target, read in plain.items() if read is None),
        operations=operations,
        effects=effects,
        capability_scopes=scopes,
        facets=_facets(call, operations, effects, scopes),
    )


def _operations_of(call: PolicyCall, declared: Declared) -> tuple[DeclaredOperation, ...]:
    if call.operation is not None:
        named = declared.operation(call.operation)
        return () if named is None else (named,)
    # An app that leaves the key out must not dodge the demands: all operations that it could be apply.
    return tuple(each for each in declared.operations if _could_be(each, call, declared))


def _could_be(operation: DeclaredOperation, call: PolicyCall, declared: Declared) -> bool:
    """Whether a call may carry out an operation: it has the same effect, or reaches the system that is changed."""
    if call.side_effect == "none":
        return False
    system = declared.integration(operation.integration)
    reaches_it = system is not None and system.capability in call.capabilities
    is_outside = operation.side_effect in EXTERNAL
    return operation.side_effect == call.side_effect or (is_outside and reaches_it)


def _effects_of(
    call: PolicyCall, operations: tuple[DeclaredOperation, ...]
) -> frozenset[SideEffect]:
    effects: set[SideEffect] = {call.side_effect}
    effects.update(operation.side_effect for operation in operations)
    return frozenset(effects - {"none"})


def _capability_scopes(call: PolicyCall) -> frozenset[PermissionScope]:
    scopes: set[PermissionScope] = {
        _SCOPE_OF_CAPABILITY[name] for name in call.capabilities if name in _SCOPE_OF_CAPABILITY
    }
    if call.method.startswith("export"):
        scopes.add("export")
    return frozenset(scopes)


def _execution(call: PolicyCall) -> Iterator[str]:
    yield "remote" if call.runs_remotely else "local"
    if call.is_unconfined:
        yield "unconfined"


def _facets(
    call: PolicyCall,
    operations: tuple[DeclaredOperation, ...],
    effects: frozenset[SideEffect],
    scopes: frozenset[PermissionScope],
) -> Facets:
    target_scopes = {
        _SCOPE_OF_TARGET[target.kind] for target in call.targets if target.kind in _SCOPE_OF_TARGET
    }
    facets: dict[Facet, frozenset[str]] = {
        "apps": frozenset({call.app_id}),
        "entries": frozenset({call.entry} if call.entry else ()),
        "capabilities": frozenset(call.capabilities),
        "methods": frozenset({call.method}),
        "operations": frozenset(operation.key for operation in operations),
        "sideEffects": frozenset(effects or {"none"}),
        "scopes": frozenset(scopes | target_scopes),
        "accesses": frozenset({call.access}),
        "execution": frozenset(_execution(call)),
    }
    for kind, facet in FACET_OF_TARGET.items():
        facets[facet] = frozenset(each.value for each in call.targets if each.kind == kind)
    return facets
