"""What a person allows an app or refuses it for good: permissions, yeses that last, nevers, and what was done by them."""

import time
import uuid
from collections.abc import Awaitable, Callable, Iterable

from lime_desktop.app_package.manifest.permissions import Permission
from lime_desktop.app_package.package import AppPackage
from lime_desktop.database.connection import Connection
from lime_desktop.host.app_center.changes.parts import CenterParts
from lime_desktop.host.app_center.records.records import (
    GrantUse,
    InstalledApp,
    StoredApproval,
    StoredGrant,
    StoredRefusal,
    now_ms,
)
from lime_desktop.host.app_center.records.rows import (
    add_uses,
    delete_approval,
    delete_grant,
    delete_refusal,
    put_app,
    put_approval,
    put_grant,
    put_refusal,
    read_uses,
)
from lime_desktop.policy.call import PolicyCall
from lime_desktop.policy.personal_rules import When, calls_by, calls_like
from lime_desktop.projection.host_profile import THIS_HOST
from lime_desktop.protocol.calls.app_data import (
    ApplyRetentionParams,
    ApplyRetentionResult,
    RetentionTerms,
)
from lime_desktop.protocol.capability_calls.evidence import RecordEvidenceParams
from lime_desktop.protocol.errors import InvalidInput
from lime_desktop.protocol.ids import AppId
from lime_desktop.protocol.provenance import Provenance

ReadPackage = Callable[[str], Awaitable[AppPackage]]
_MOST_SHOWN = 500


class PermissionStore:
    """Part of the app center. Reads answer from memory; a change is kept when it returns."""

    def __init__(self, parts: CenterParts, package: ReadPackage) -> None:
        self._parts = parts
        self._ledger = parts.ledger
        self._package = package

    def grants(self, app_id: str) -> tuple[StoredGrant, ...]:
        """What a person allowed an app."""
        return self._ledger.state.grants.get(app_id, ())

    def approvals(self, app_id: str) -> tuple[StoredApproval, ...]:
        """The yeses that a person keeps for an app."""
        return self._ledger.state.approvals.get(app_id, ())

    def refusals(self, app_id: str) -> tuple[StoredRefusal, ...]:
        """What a person refuses an app for good."""
        return self._ledger.state.refusals.get(app_id, ())

    async def uses(self) -> tuple[GrantUse, ...]:
        """What every app did by something it was allowed, the newest first."""
        return await self._ledger.read(read_uses)

    async def grant(self, app_id: str, permission: str, expires_at_ms: int | None = None) -> None:
        """Give an app one of the permissions it declares.

        Raises:
            InvalidInput: the app declares no such permission.
        """
        package = await self._package(app_id)
        if permission not in {each.key for each in package.manifest.permissions}:
            raise InvalidInput.at_fields([("permission", "not_declared")])
        grant = StoredGrant(
            app_id=self._parts.installed(app_id).app_id,
            permission=permission,
            granted_at_ms=now_ms(),
            expires_at_ms=expires_at_ms,
        )
        # Who grants what they refused has thought again.
        outdated = [each for each in self.refusals(app_id) if each.permission == permission]

        def keep(connection: Connection) -> None:
            put_grant(connection, grant)
            for refusal in outdated:
                delete_refusal(connection, refusal.refusal_id)

        await self._ledger.change(keep)

    async def revoke(self, app_id: str, permission: str) -> None:
        """Take a permission back; taking back what was not given changes nothing."""
        self._parts.installed(app_id)
        await self._ledger.change(lambda connection: delete_grant(connection, app_id, permission))

    async def keep_approval(self, approval: StoredApproval) -> None:
        """Let a yes hold until it is taken back."""
        await self._ledger.change(lambda connection: put_approval(connection, approval))

    async def forget_approval(self, approval_id: str) -> None:
        """Take a yes back; one that is gone already changes nothing."""
        await self._ledger.change(lambda connection: delete_approval(connection, approval_id))

    async def refuse(self, refusal: StoredRefusal) -> None:
        """Let a never hold until it is taken back; said again of the same calls it changes nothing."""
        if all(each.when != refusal.when for each in self.refusals(refusal.app_id)):
            await self._ledger.change(lambda connection: put_refusal(connection, refusal))

    def refused_app(self, refusal_id: str) -> str:
        """Which app a never is about; nothing where it is gone already."""
        everything = (each for found in self._ledger.state.refusals.values() for each in found)
        return next((each.app_id for each in everything if each.refusal_id == refusal_id), "")

    async def forget_refusal(self, refusal_id: str) -> None:
        """Take a never back; one that is gone already changes nothing."""
        await self._ledger.change(lambda connection: delete_refusal(connection, refusal_id))

    async def let_run_unconfined(self, app_id: str) -> None:
        """Let an app's programs run where no sandbox is. There is none of it without evidence.

        Raises:
            AppError: the evidence could not be kept.
        """
        shown = self._parts.installed(app_id)
        await self._parts.data.record(
            provenance_of_record(shown), _evidence("Its programs can run without a sandbox.")
        )
        app = self._parts.installed(app_id)
        # Another version may have come meanwhile, and nobody was asked about that.
        if app.package_hash == shown.package_hash:
            await self._put(app.model_copy(update={"unconfined_since_ms": now_ms()}))

    async def stop_running_unconfined(self, app_id: str) -> None:
        """Take that back; taking back what was not given changes nothing."""
        app = self._parts.installed(app_id)
        if app.runs_unconfined:
            await self._put(app.model_copy(update={"unconfined_since_ms": None}))
            await self._parts.data.record(
                provenance_of_record(app), _evidence("Its programs run only in a sandbox.")
            )

    async def agree_to_retention(self, app_id: str, terms: RetentionTerms | None) -> None:
        """Have an app's data removed by these terms from now on, or not at all."""
        app = self._parts.installed(app_id)
        changed = {"agreed_retention": terms, "retention_told_at_ms": None}
        await self._put(app.model_copy(update=changed))

    async def tell_retention(self, app_id: str, terms: RetentionTerms, at_ms: int) -> bool:
        """Keep that a person was told how much goes by these terms; false where they hold no more."""
        app = self._parts.installed(app_id)
        if app.agreed_retention != terms:
            return False
        await self._put(app.model_copy(update={"retention_told_at_ms": at_ms}))
        return True

    async def foresee_retention(self, app_id: str, terms: RetentionTerms) -> ApplyRetentionResult:
        """Count what of an app would go by these terms now.

        Raises:
            AppError: the App Server could not do it.
        """
        app = self._parts.installed(app_id)
        params = ApplyRetentionParams(
            app_id=app.app_id, terms=terms, provenance=provenance_of_record(app), only_counts=True
        )
        return await self._parts.data.retain(params)

    async def hold_retention(self, app_id: str) -> ApplyRetentionResult:
        """Remove what of an app is older than a person agreed to. Where nobody did, or it is off, nothing goes.

        Raises:
            AppError: the App Server could not do it.
        """
        app = self._parts.installed(app_id)
        if app.agreed_retention is None or not app.is_enabled:
            return ApplyRetentionResult()
        provenance = provenance_of_record(app)
        params = ApplyRetentionParams(
            app_id=app.app_id, terms=app.agreed_retention, provenance=provenance
        )
        return await self._parts.data.retain(params)

    async def _put(self, app: InstalledApp) -> None:
        await self._ledger.change(lambda connection: put_app(connection, app))

    async def count_uses(self, uses: Iterable[GrantUse]) -> None:
        """Remember what was done by something allowed."""
        await self._ledger.count(lambda connection: add_uses(connection, uses))


def provenance_of_record(app: InstalledApp) -> Provenance:
    """Which app a fact of the host's own is about."""
    return Provenance(
        app_id=app.app_id,
        app_name=app.app_id,
        app_version=app.version,
        package_hash=app.package_hash,
        manifest_hash=app.manifest_hash,
        standard_version=THIS_HOST.standard_version,
    )


def _evidence(message: str) -> RecordEvidenceParams:
    return RecordEvidenceParams(
        kind="sandbox-waiver", message=message, subject="lime.terminal", refs=()
    )


def action_of(call: PolicyCall) -> str:
    """What a call does, for a person to read."""
    return " ".join([call.name, *(target.value for target in call.targets)])


def exact_action_of(call: PolicyCall) -> str:
    """The same with the program or the arguments that it is done with, where a yes holds for these alone."""
    exactly = call.exactly
    return f"{action_of(call)} ({exactly[:_MOST_SHOWN]})" if exactly else action_of(call)


def refused_call(call: PolicyCall) -> StoredRefusal:
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
