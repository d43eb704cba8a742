"""What a person gave an app beside its package: files, secrets, sites to open, programs without a sandbox.

Read to be shown to them with what the app did by it, agreed to, and taken back by them.
"""

from collections.abc import Iterable, Mapping

from lime_desktop.app_package.manifest.permissions import Permission
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.records.records import GrantUse, StoredApproval
from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.apps.app_governance import AppGovernance, governing
from lime_desktop.network.hosts import parse_host
from lime_desktop.policy.call import PolicyCall
from lime_desktop.policy.declared import Declared
from lime_desktop.policy.resolved_call import resolve_call, scope_of
from lime_desktop.policy.rules import RuleRef
from lime_desktop.protocol.calls.approvals import LIST_GIVEN, GivenThing, ListGivenParams
from lime_desktop.protocol.calls.files import TAKE_FILE, TakeFileParams
from lime_desktop.protocol.calls.knowledge import UNBIND_KNOWLEDGE, UnbindKnowledgeParams
from lime_desktop.protocol.calls.secrets import (
    SIGN_IN_SLOT,
    SIGN_OUT,
    UNBIND_SECRET,
    SignOutParams,
    UnbindSecretParams,
)
from lime_desktop.protocol.errors import PolicyDenied
from lime_desktop.protocol.ids import AppId


async def read_given(call: CallServer, app_id: str) -> tuple[GivenThing, ...]:
    """Everything that an app holds of its person's."""
    return (await call(LIST_GIVEN, ListGivenParams(app_id=AppId(app_id)))).things


async def take_back(call: CallServer, app_id: str, thing: GivenThing) -> None:
    """The app has it no longer; what lies on the disk stays where it is."""
    app = AppId(app_id)
    match thing.kind:
        case "secret" if thing.key.startswith(SIGN_IN_SLOT):
            # At the system itself too: a token that is only forgotten goes on to work.
            connector_id = thing.key.removeprefix(SIGN_IN_SLOT)
            await call(SIGN_OUT, SignOutParams(app_id=app, connector_id=connector_id))
        case "secret":
            await call(UNBIND_SECRET, UnbindSecretParams(app_id=app, slot=thing.key))
        case "knowledge":
            await call(UNBIND_KNOWLEDGE, UnbindKnowledgeParams(app_id=app, key=thing.key))
        case "file":
            await call(TAKE_FILE, TakeFileParams(app_id=app, ref=thing.key))


UsageByGrant = Mapping[str | None, tuple[GrantUse, ...]]


def usage_by_grant(
    uses: Iterable[GrantUse],
    permissions: Iterable[Permission],
    approvals: Iterable[StoredApproval],
) -> UsageByGrant:
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


def site_of(url: str) -> str | None:
    """The host a link leads to, or None where that is open to doubt."""
    return parse_host(url)


def is_agreed(link_sites: tuple[str, ...], app_id: str, url: str) -> bool:
    """Whether the person agreed to this app opening this site."""
    site = site_of(url)
    return site is not None and f"{app_id} {site}" in link_sites


def agreed_sites(link_sites: tuple[str, ...], app_id: str, url: str) -> tuple[str, ...]:
    """The same sites with one more."""
    site = site_of(url)
    if site is None or is_agreed(link_sites, app_id, url):
        return link_sites
    return (*link_sites, f"{app_id} {site}")


def forbidding_rule(holds: AppGovernance, app_id: str) -> RuleRef | None:
    """The rule by which nobody may allow it, such as a policy file's `deny` of `execution: [unconfined]`."""
    call = PolicyCall(
        app_id=app_id,
        capability="lime.terminal",
        method="run",
        access="execute",
        is_unconfined=True,
    )
    facets = resolve_call(call, Declared(app_id=app_id)).facets
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
    await center.permissions.let_run_unconfined(app_id)
