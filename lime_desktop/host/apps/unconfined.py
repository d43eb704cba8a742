"""Programs of an app without a sandbox: a person may allow it for one app, unless whoever governs here forbids it."""

from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.apps.governing import Governing, governing
from lime_desktop.policy.call import Call
from lime_desktop.policy.declared import Declared
from lime_desktop.policy.reading import read_call
from lime_desktop.policy.rules import RuleRef
from lime_desktop.protocol.errors import PolicyDenied


def forbidding_rule(holds: Governing, app_id: str) -> RuleRef | None:
    """The rule by which nobody may allow it, such as a policy file's `deny` of `execution: [unconfined]`."""
    call = Call(
        app_id=app_id,
        capability="lime.terminal",
        method="run",
        access="execute",
        is_unconfined=True,
    )
    facets = read_call(call, Declared(app_id=app_id)).facets
    denying = (each for each in holds.policy.rules if each.effect == "deny")
    return next((rule.ref for rule in denying if rule.match.touches(facets)), None)


async def allow_unconfined(center: AppCenter, app_id: str) -> None:
    """Let an installed app's programs run where no sandbox is.

    Raises:
        AppNotInstalled: there is no such app.
        PolicyDenied: the organisation, the workspace or the person themselves forbids it.
    """
    package = await center.package(app_id)
    rule = forbidding_rule(governing(center, package.manifest), app_id)
    if rule is not None:
        raise PolicyDenied(f"It is not allowed here: {rule.text}", details={"rule": rule.id})
    await center.permits.let_run_unconfined(app_id)
