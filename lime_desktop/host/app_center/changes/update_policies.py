"""How each app is updated: as the person chose for it, else as for every app, and never more freely than the organization allows."""

from lime_desktop.host.app_center.governance.membership import Membership
from lime_desktop.host.app_center.records.ledger import Ledger
from lime_desktop.host.app_center.records.rows import put_auto_update
from lime_desktop.host.app_center.records.update_records import (
    EVERY_APP,
    StoredAutoUpdate,
    UpdateOutcome,
    UpdatePolicy,
)
from lime_desktop.protocol.errors import AppNotInstalled

_FREEDOM: dict[UpdatePolicy, int] = {"never": 0, "ask": 1, "always": 2}


class UpdatePolicies:
    """Kept in host.db, with what came of the last version that was to be installed by itself."""

    def __init__(self, ledger: Ledger, membership: Membership) -> None:
        self._ledger = ledger
        self._membership = membership

    @property
    def default(self) -> UpdatePolicy:
        """What holds for apps of which the person said nothing."""
        return self.chosen(EVERY_APP) or "ask"

    @property
    def forced(self) -> UpdatePolicy | None:
        """The freest that the organization allows, if it says so."""
        organisation = self._membership.organisation
        return None if organisation is None else organisation.updates

    def chosen(self, app_id: str) -> UpdatePolicy | None:
        """What the person chose for one app."""
        return self._row(app_id).policy

    def of(self, app_id: str) -> UpdatePolicy:
        """What holds for an app."""
        wanted, most = self.chosen(app_id) or self.default, self.forced
        return wanted if most is None else min(wanted, most, key=_FREEDOM.__getitem__)

    def outcome(self, app_id: str) -> UpdateOutcome | None:
        """What came of the last version that was to be installed by itself."""
        return self._row(app_id).outcome

    async def choose(self, app_id: str, policy: UpdatePolicy | None) -> None:
        """Take the person's choice for an app, or for every app.

        Raises:
            AppNotInstalled: there is no such app.
        """
        if app_id != EVERY_APP and app_id not in self._ledger.state.apps:
            raise AppNotInstalled(f"{app_id} is not installed")
        await self._put(self._row(app_id).model_copy(update={"policy": policy}))

    async def note(self, app_id: str, outcome: UpdateOutcome | None) -> None:
        """Keep what came of a version; None where it needs no telling any more."""
        if app_id in self._ledger.state.apps:
            await self._put(self._row(app_id).model_copy(update={"outcome": outcome}))

    async def see(self, app_id: str) -> None:
        """The person has read what came of it."""
        outcome = self.outcome(app_id)
        if outcome is not None and not outcome.is_seen:
            await self.note(app_id, outcome.model_copy(update={"is_seen": True}))

    def _row(self, app_id: str) -> StoredAutoUpdate:
        return self._ledger.state.auto_updates.get(app_id) or StoredAutoUpdate(app_id=app_id)

    async def _put(self, row: StoredAutoUpdate) -> None:
        await self._ledger.change(lambda connection: put_auto_update(connection, row))
