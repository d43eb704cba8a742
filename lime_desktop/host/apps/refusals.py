"""What a person refuses for good, as it is kept: a call, or a permission with everything that rests on it."""

import time
import uuid

from lime_desktop.app_package.manifest.permissions import Permission
from lime_desktop.host.app_center.records.records import StoredRefusal
from lime_desktop.policy.call import Call
from lime_desktop.policy.personal_rules import When, calls_by, calls_like
from lime_desktop.protocol.ids import AppId

_MOST_SHOWN = 500


def action_of(call: Call) -> str:
    """What a call does, for a person to read."""
    return " ".join([call.name, *(target.value for target in call.targets)])


def exact_action_of(call: Call) -> str:
    """The same with the program or the arguments that it is done with, where a yes holds for these alone."""
    exactly = call.exactly
    return f"{action_of(call)} ({exactly[:_MOST_SHOWN]})" if exactly else action_of(call)


def refused_call(call: Call) -> StoredRefusal:
    """Never this call of this app again, whatever its arguments."""
    return _refusal(call.app_id, None, action_of(call), calls_like(call))


def refused_permission(app_id: str, permission: Permission) -> StoredRefusal:
    """Never anything that would rest on this permission."""
    action = f"{permission.scope} ({permission.key})"
    return _refusal(app_id, permission.key, action, calls_by(app_id, permission))


def _refusal(app_id: str, permission: str | None, action: str, when: When) -> StoredRefusal:
    return StoredRefusal(
        refusal_id=uuid.uuid4().hex,
        app_id=AppId(app_id),
        permission=permission,
        action=action,
        when={str(facet): patterns for facet, patterns in when.items()},
        said_at_ms=time.time_ns() // 1_000_000,
    )
