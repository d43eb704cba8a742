"""By which of its standing permissions did an app do what it did? Pure: the counts are the app center's."""

from collections.abc import Iterable, Mapping

from lime_desktop.app_package.manifest.permissions import Permission
from lime_desktop.host.app_center.records.records import GrantUse, StoredApproval
from lime_desktop.policy.reading import scope_of

Deeds = Mapping[str | None, tuple[GrantUse, ...]]


def deeds_by_grant(
    uses: Iterable[GrantUse],
    permissions: Iterable[Permission],
    approvals: Iterable[StoredApproval],
) -> Deeds:
    """What was done by the key of the permission or the id of the yes; under None what neither let pass."""
    of_rule = {f"approval.{each.approval_id}": each.approval_id for each in approvals}
    of_scope: dict[str, str] = {}
    for permission in permissions:
        of_rule |= dict.fromkeys((permission.key, f"permission.{permission.key}"), permission.key)
        of_scope.setdefault(permission.scope, permission.key)
    found: dict[str | None, tuple[GrantUse, ...]] = {}
    for use in uses:
        scope = scope_of(use.action.rpartition(".")[0])
        owner = of_rule.get(use.rule_id) or of_scope.get(scope or "")
        found[owner] = (*found.get(owner, ()), use)
    return found
