"""What would a person be asked, and when? From permissions and operations; asks nobody."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from lime_desktop.app_package.manifest import Manifest, Operation, Permission

ALWAYS_ASKED = frozenset({"external_publish", "external_delete", "bulk_update"})
"""Side effects that the standard never lets an app run by default."""


@dataclass(frozen=True, slots=True)
class PolicyPrompt:
    """One question to come."""

    kind: Literal["permission", "operation"]
    key: str
    moment: Literal["install", "first-use", "each-run"]
    subject: str
    """The permission's scope and access, or the operation's side effect."""
    reason: str | None = None
    is_required: bool = False
    is_dry_run_shown: bool = False


def policy_prompts(manifest: Manifest) -> tuple[PolicyPrompt, ...]:
    """List every question in the order of the manifest, permissions first."""
    return (
        *(_for_permission(permission) for permission in manifest.permissions),
        *_for_operations(manifest.operations),
    )


def _for_permission(permission: Permission) -> PolicyPrompt:
    return PolicyPrompt(
        kind="permission",
        key=permission.key,
        moment="install" if permission.required else "first-use",
        subject=f"{permission.scope}:{permission.access}"
        if permission.access
        else permission.scope,
        reason=permission.reason,
        is_required=bool(permission.required),
    )


def _for_operations(operations: tuple[Operation, ...]) -> Iterator[PolicyPrompt]:
    for operation in operations:
        if operation.approval_required or operation.side_effect in ALWAYS_ASKED:
            yield PolicyPrompt(
                kind="operation",
                key=operation.key,
                moment="each-run",
                subject=operation.side_effect,
                is_required=bool(operation.required),
                is_dry_run_shown=bool(operation.dry_run_required),
            )
