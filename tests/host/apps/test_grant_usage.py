"""What an app did stands beside the permission that it did it by (the issue: every standing grant, and what it did)."""

from lime_desktop.app_package.manifest.permissions import Permission
from lime_desktop.host.app_center.records.records import GrantUse, StoredApproval
from lime_desktop.host.apps.app_access import usage_by_grant
from lime_desktop.protocol.ids import AppId

APP = AppId("notes")


def use(rule_id: str, action: str) -> GrantUse:
    return GrantUse(app_id=APP, rule_id=rule_id, action=action, count=1, last_at_ms=1)


def test_a_deed_is_found_by_its_rule_or_by_the_scope_of_its_call() -> None:
    by_rule, by_scope = use("permission.sites", "example.org"), use("x", "lime.storage.set")
    by_yes, by_none = use("approval.yes", "lime.terminal.run"), use("x", "lime.ui.toast")
    permissions = [
        Permission.model_validate({"key": "sites", "scope": "network"}),
        Permission.model_validate({"key": "keep", "scope": "storage"}),
    ]
    approval = StoredApproval(
        approval_id="yes",
        app_id=APP,
        subject="",
        answers=(),
        workspace_id="default",
        action="lime.terminal.run",
        given_at_ms=1,
    )
    assert usage_by_grant([by_rule, by_scope, by_yes, by_none], permissions, [approval]) == {
        "sites": (by_rule,),
        "keep": (by_scope,),
        "yes": (by_yes,),
        None: (by_none,),
    }
