"""Read a manifest the way policy sees it: what it declares, and the rules its author set for their own app."""

from collections.abc import Callable, Iterator, Mapping
from typing import cast

from lime_desktop.app_package.backends import backends_of
from lime_desktop.app_package.manifest.agent_runtime import Approval
from lime_desktop.app_package.manifest.operations import Integration, Operation
from lime_desktop.app_package.manifest.permissions import Permission
from lime_desktop.app_package.manifest.root import Manifest
from lime_desktop.policy.declared import (
    Declared,
    DeclaredAsking,
    DeclaredEvent,
    DeclaredIntegration,
    DeclaredOperation,
    DeclaredPermission,
)
from lime_desktop.policy.rules import Criterion, Match, Rule, RuleRef
from lime_desktop.policy.vocabulary import EXTERNAL, RememberScope

SourceOf = Callable[[str], str]
"""Names the file, and if known the line, that a key path such as ``permissions[0]`` came from."""

_FILE_OF = {
    "permissions": "app.permissions.yaml",
    "policy": "app.permissions.yaml",
    "operations": "app.operations.yaml",
    "integrations": "app.integrations.yaml",
}


def usual_source(key_path: str) -> str:
    """Name the file that a value belongs to by the standard, for want of knowing better."""
    return _FILE_OF.get(key_path.partition("[")[0].partition(".")[0], "APP.md")


def declared_by(manifest: Manifest, source_of: SourceOf = usual_source) -> Declared:
    """List what a manifest declares."""
    targets = set(manifest.runtime_targets)
    return Declared(
        app_id=manifest.name,
        capabilities=frozenset(_capabilities(manifest)),
        entry_capabilities=frozenset(
            (entry.key, name) for entry in manifest.entries for name in entry.required_capabilities
        ),
        permissions=tuple(
            _permission(each, source_of(f"permissions[{n}]"))
            for n, each in enumerate(manifest.permissions)
        ),
        operations=tuple(
            _operation(each, source_of(f"operations[{n}]"))
            for n, each in enumerate(manifest.operations)
        ),
        integrations=tuple(
            _integration(each, source_of(f"integrations[{n}]"))
            for n, each in enumerate(manifest.integrations)
        ),
        tools=frozenset(each.key for each in (*manifest.tool_refs, *backends_of(manifest))),
        secrets=frozenset(slot.key for slot in manifest.secrets),
        knowledge=frozenset(template.key for template in manifest.knowledge_templates),
        workflows=frozenset(workflow.key for workflow in manifest.workflows),
        artifacts=frozenset(kind.key for kind in manifest.artifact_types),
        events=tuple(
            DeclaredEvent(topic=event.key, direction=event.direction) for event in manifest.events
        ),
        has_storage=manifest.storage is not None,
        is_server_assisted=bool(targets & {"server-assisted", "hybrid"}),
        bypasses_permissions=_bypasses_permissions(
            manifest.model_dump(mode="json", by_alias=True, exclude_unset=True)
        ),
        remember_scopes=_remember_scopes(manifest),
        asking=_asking(manifest),
        source=source_of("requires.capabilities"),
    )


def _capabilities(manifest: Manifest) -> Iterator[str]:
    yield from manifest.requires.capability_ranges
    yield from manifest.capability_names
    yield from manifest.capability_config


def _permission(permission: Permission, source: str) -> DeclaredPermission:
    written = permission.model_fields_set
    return DeclaredPermission(
        key=permission.key,
        scope=permission.scope,
        access=permission.access,
        domains=permission.domains if "domains" in written else None,
        paths=permission.paths if "paths" in written else None,
        entries=frozenset(permission.entries) if "entries" in written else None,
        reason=permission.reason or "",
        degraded_behavior=permission.degraded_behavior or "",
        source=source,
    )


def _operation(operation: Operation, source: str) -> DeclaredOperation:
    return DeclaredOperation(
        key=operation.key,
        side_effect=operation.side_effect,
        integration=operation.integration,
        approval_required=operation.approval_required is True,
        dry_run_required=operation.dry_run_required is True,
        idempotency_required=operation.idempotency_required is True,
        evidence_required=operation.evidence_required is True,
        auto_execute=operation.auto_execute,
        source=source,
    )


def _integration(integration: Integration, source: str) -> DeclaredIntegration:
    access = integration.access
    return DeclaredIntegration(
        key=integration.key,
        provider=integration.provider,
        may_write=None if access is None else access.write,
        capability=integration.host_capability,
        source=source,
    )


def _approval(manifest: Manifest) -> Approval | None:
    task = manifest.agent_runtime.agent_task if manifest.agent_runtime else None
    return task.approval if task else None


def _asking(manifest: Manifest) -> DeclaredAsking:
    approval = _approval(manifest) or Approval()
    return DeclaredAsking(
        behavior=approval.behavior or "host-mediated",
        can_change=approval.supports_updated_input is not False,
        can_wait=approval.supports_defer is not False,
    )


def _remember_scopes(manifest: Manifest) -> tuple[RememberScope, ...] | None:
    approval = _approval(manifest)
    if approval is None or "remember_scopes" not in approval.model_fields_set:
        return None
    return approval.remember_scopes


def _bypasses_permissions(value: object) -> bool:
    """Look for the forbidden key at any depth: where it was meant to act does not matter."""
    match value:
        case Mapping():
            written = cast("Mapping[str, object]", value)
            is_here = written.get("bypassPermissions", False) is not False
            return is_here or any(_bypasses_permissions(each) for each in written.values())
        case list():
            return any(_bypasses_permissions(each) for each in cast("list[object]", value))
        case _:
            return False


def rules_of(manifest: Manifest, source_of: SourceOf = usual_source) -> tuple[Rule, ...]:
    """Read the boundaries that the author set, `policy.riskBoundaries`."""
    written = (manifest.policy or {}).get("riskBoundaries")
    names = dict.fromkeys(_boundaries(written))
    return tuple(_boundary_rule(name, source_of("policy.riskBoundaries")) for name in names)


def _boundaries(written: object) -> Iterator[str]:
    match written:
        case str():
            yield written
        case Mapping():
            for name, is_on in cast("Mapping[object, object]", written).items():
                if is_on is not False:
                    yield str(name)
        case list() | tuple():
            for each in cast("list[object]", written):
                yield from _boundaries(each)
        case _:
            return


def _boundary_rule(name: str, source: str) -> Rule:
    ref = RuleRef(f"boundary.{name}", "manifest", source, _BOUNDARY_TEXTS.get(name, _UNKNOWN))
    match name:
        case "block_external_network":
            return Rule(ref, "deny", Match((Criterion("scopes", ("network",)),)))
        case "require_human_review_for_external_publishing":
            return Rule(
                ref, "ask", Match((Criterion("sideEffects", ("external_publish",)),)), "never"
            )
        case _:
            # It can't be enforced as meant, so everything that reaches outside is asked about.
            return Rule(
                ref, "ask", Match((Criterion("sideEffects", tuple(sorted(EXTERNAL))),)), "task"
            )


_BOUNDARY_TEXTS = {
    "block_external_network": "The app's author shut off its network access.",
    "require_human_review_for_external_publishing": "The app's author wants a person to review what is published.",
}
_UNKNOWN = "The app's author set a boundary that this host does not know, so it asks before changing anything outside."
