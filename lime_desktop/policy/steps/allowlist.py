"""Step one: did the manifest declare this? What is not declared can't be reached, whoever would allow it."""

from collections.abc import Iterator

from lime_desktop.app_package.manifest.permissions import PermissionScope
from lime_desktop.policy.call import PolicyCall, Target
from lime_desktop.policy.decision import Denial, Step
from lime_desktop.policy.declared import (
    DATA_SCOPES,
    Declared,
    DeclaredOperation,
    DeclaredPermission,
)
from lime_desktop.policy.facts import PolicyFacts
from lime_desktop.policy.resolved_call import ResolvedCall
from lime_desktop.policy.rules import RuleRef
from lime_desktop.policy.vocabulary import ALWAYS_AVAILABLE, EXTERNAL, covers_effect

PRODUCT = "Lime Desktop"
_REINSTALL = "and install the new version"
_DECLARED_IN = {
    "tool": "toolRefs",
    "secret": "secrets",
    "knowledge": "knowledgeTemplates",
    "workflow": "workflows",
    "artifact": "artifactTypes",
    "event": "events",
}


def check_allowlist(resolved: ResolvedCall, facts: PolicyFacts) -> Step:
    """Refuse what the manifest does not declare, and what can't be read beyond doubt."""
    call, declared = resolved.call, facts.declared
    denials = [
        *_malformed(resolved),
        *_forbidden(declared),
        *_undeclared_operations(resolved, declared),
    ]
    if call.capability not in ALWAYS_AVAILABLE:
        denials += [
            *_undeclared_capability(call, declared),
            *(
                denial
                for target in call.targets
                for denial in _undeclared_target(target, call, declared)
            ),
            *_undeclared_access(resolved, declared),
        ]
    return Step(name="manifest", denials=tuple(denials), notes=(_permitting_rule(call, declared),))


def _permitting_rule(call: PolicyCall, declared: Declared) -> RuleRef:
    if call.capability in ALWAYS_AVAILABLE:
        text = f"Every app may use {call.capability}."
        return RuleRef("host.always-available", "host", PRODUCT, text)
    text = f"The manifest declares {call.capability}."
    return RuleRef("manifest.capability", "manifest", declared.source, text)


def _malformed(resolved: ResolvedCall) -> Iterator[Denial]:
    for target in resolved.malformed:
        text = f"This {target.kind} can be read in more than one way, so it is not used."
        rule = RuleRef("host.target-malformed", "host", PRODUCT, text)
        yield Denial(rule, "malformed", f"Give the {target.kind} in its plain form.")


def _forbidden(declared: Declared) -> Iterator[Denial]:
    if declared.bypasses_permissions:
        text = "A manifest must not declare bypassPermissions; an app that does gets nothing."
        rule = RuleRef("host.bypass-permissions", "host", PRODUCT, text)
        yield Denial(rule, "undeclared", f"Remove bypassPermissions {_REINSTALL}.")


def _undeclared(declared: Declared, id: str, text: str, would_change: str) -> Denial:  # noqa: A002 it is a rule's id
    rule = RuleRef(f"manifest.{id}", "manifest", declared.source, text)
    return Denial(rule, "undeclared", would_change)


def _undeclared_capability(call: PolicyCall, declared: Declared) -> Iterator[Denial]:
    for name in call.capabilities:
        if name not in ALWAYS_AVAILABLE and not declared.has_capability(name, call.entry):
            text = f"The manifest does not declare {name}."
            change = f"Declare {name} in requires.capabilities {_REINSTALL}."
            yield _undeclared(declared, "capability-undeclared", text, change)
    if call.runs_remotely and not declared.is_server_assisted:
        text = "The manifest does not say that parts of this app run on a server."
        change = f"Declare the runtime target server-assisted {_REINSTALL}."
        yield _undeclared(declared, "server-undeclared", text, change)
    if call.capability == "lime.storage" and call.access == "write" and not declared.has_storage:
        text = "The manifest declares no storage namespace to write to."
        yield _undeclared(declared, "storage-undeclared", text, f"Declare storage {_REINSTALL}.")


def _undeclared_operations(resolved: ResolvedCall, declared: Declared) -> Iterator[Denial]:
    call = resolved.call
    if call.operation is not None and not resolved.operations:
        text = f"The manifest declares no operation {call.operation}."
        change = f"Declare it in app.operations.yaml {_REINSTALL}."
        yield _undeclared(declared, "operation-undeclared", text, change)
    elif call.side_effect in EXTERNAL and not resolved.operations:
        text = f"The manifest declares no operation with the side effect {call.side_effect}."
        change = f"Declare one in app.operations.yaml {_REINSTALL}."
        yield _undeclared(declared, "side-effect-undeclared", text, change)
    for operation in resolved.operations:
        yield from _exceeded_operation(operation, call, declared)


def _exceeded_operation(
    operation: DeclaredOperation, call: PolicyCall, declared: Declared
) -> Iterator[Denial]:
    if not covers_effect(operation.side_effect, call.side_effect):
        text = (
            f"{operation.key} declares {operation.side_effect}, but this does {call.side_effect}."
        )
        rule = RuleRef("manifest.side-effect-exceeded", "manifest", operation.source, text)
        yield Denial(rule, "undeclared", f"Declare the real side effect {_REINSTALL}.")
    integration = declared.integration(operation.integration)
    if operation.side_effect not in EXTERNAL or operation.integration is None:
        return
    if integration is None or integration.may_write is False:
        text = (
            f"{operation.key} would change {operation.integration}, which is not declared writable."
        )
        rule = RuleRef("manifest.integration-read-only", "manifest", operation.source, text)
        change = f"Declare the integration with write access {_REINSTALL}."
        yield Denial(rule, "undeclared", change)


def _undeclared_target(target: Target, call: PolicyCall, declared: Declared) -> Iterator[Denial]:
    if target.kind in {"domain", "path"}:
        if not permissions_for(target, call, declared):
            text = f"No declared permission covers the {target} for {call.access}."
            change = f"Declare a permission that names it {_REINSTALL}."
            yield _undeclared(declared, "target-undeclared", text, change)
    elif not _is_declared(target, call, declared):
        text = f"The manifest does not declare the {target}."
        change = f"Declare it in {_DECLARED_IN[target.kind]} {_REINSTALL}."
        yield _undeclared(declared, "target-undeclared", text, change)


def _is_declared(target: Target, call: PolicyCall, declared: Declared) -> bool:
    integrations = {integration.key for integration in declared.integrations}
    topics = {
        event.topic
        for event in declared.events
        if event.direction in {"both", call.event_direction}
    }
    known = {
        "tool": declared.tools | integrations,
        "secret": declared.secrets,
        "knowledge": declared.knowledge,
        "workflow": declared.workflows,
        "artifact": declared.artifacts,
        "event": topics,
    }
    return target.value in known[target.kind]


def permissions_for(
    target: Target, call: PolicyCall, declared: Declared
) -> tuple[DeclaredPermission, ...]:
    """Find the declared permissions that reach a domain or path, those that name it first."""
    scopes: set[PermissionScope] = (
        {"network"} if target.kind == "domain" else {"filesystem", "workspace"}
    )
    found = [
        permission
        for permission in declared.permissions
        if permission.scope in scopes
        and permission.is_for(call.entry)
        and (target.kind == "domain" or permission.covers_access(call.access))
        and permission.covers_target(target)
    ]
    return tuple(sorted(found, key=lambda each: (not each.names_targets, each.key)))


def permissions_in_scope(
    scope: PermissionScope, call: PolicyCall, declared: Declared
) -> tuple[DeclaredPermission, ...]:
    """Find the declared permissions that speak of a capability's kind of access."""
    found = [
        permission
        for permission in declared.permissions
        if permission.scope == scope
        and permission.is_for(call.entry)
        and (scope not in DATA_SCOPES or permission.covers_access(call.access))
    ]
    return tuple(sorted(found, key=lambda each: each.key))


def _undeclared_access(resolved: ResolvedCall, declared: Declared) -> Iterator[Denial]:
    for scope in sorted(resolved.capability_scopes):
        speaks_of_it = any(permission.scope == scope for permission in declared.permissions)
        if speaks_of_it and not permissions_in_scope(scope, resolved.call, declared):
            text = f"The declared {scope} permissions do not include {resolved.call.access} here."
            change = f"Declare that access for this entry {_REINSTALL}."
            yield _undeclared(declared, "access-undeclared", text, change)
