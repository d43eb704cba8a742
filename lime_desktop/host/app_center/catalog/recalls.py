"""Which installed versions were withdrawn or revoked? Says so for as long as it is known, and learns it for good.

Only the catalog that an app came from speaks of it: any other could switch off a stranger's app. What was revoked is
written down with the app, so that no older list, no other catalog and no removal of the catalog brings it back.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from lime_desktop.app_package.package import AppPackage
from lime_desktop.app_package.trust.verdict import Verdict, Verification
from lime_desktop.app_package.trust.verification_steps import REVOKED_SAID
from lime_desktop.host.app_center.packages.bundled import is_bundled
from lime_desktop.host.app_center.records.ledger import Ledger
from lime_desktop.host.app_center.records.recalls import (
    AppRecall,
    StoredRevocation,
    VersionRecall,
)
from lime_desktop.host.app_center.records.records import CatalogSource, InstalledApp, now_ms
from lime_desktop.host.app_center.records.rows import put_revocations
from lime_desktop.host.app_center.records.state import CenterState
from lime_desktop.protocol.errors import PackageInvalid


@dataclass(frozen=True, slots=True)
class StagedVersion:
    """A version that somebody wants to install."""

    app_id: str
    version: str
    package_hash: str


def newly_revoked(
    state: CenterState, sources: Iterable[CatalogSource]
) -> tuple[StoredRevocation, ...]:
    """What the catalogs revoke of all that lies here, and was not known yet. Pure, but for the time."""
    listed = {each.location: each for each in sources}
    return tuple(
        _revocation(app, said.reasons, "catalog", app.offered_by)
        for app in _kept(state)
        if app.offered_by is not None and not is_revoked(state, app.app_id, app.package_hash)
        if (said := recall_in(listed.get(app.offered_by), app)) and said.kind == "revoked"
    )


def is_revoked(state: CenterState, app_id: str, package_hash: str) -> bool:
    """Whether it is known of these bytes that they must not run."""
    return _known(state, app_id, package_hash) is not None


def recall_in(
    source: CatalogSource | None, version: InstalledApp | StagedVersion
) -> VersionRecall | None:
    """What a catalog says of a version, the worse first."""
    found = [
        each
        for each in (source.recalls if source else ())
        if each.app_id == version.app_id and each.concerns(version.version, version.package_hash)
    ]
    return min(found, key=lambda each: each.kind != "revoked", default=None)


class Recalls:
    """Answers from memory; asks publishers when it is told to."""

    def __init__(
        self,
        ledger: Ledger,
        sources: Callable[[], tuple[CatalogSource, ...]],
        newer: Callable[[InstalledApp], str | None],
    ) -> None:
        """`sources` are in the order in which they own names; `newer` gives the version that an app could be updated to."""
        self._ledger = ledger
        self._sources = sources
        self._newer = newer

    def of(self, app: InstalledApp) -> AppRecall | None:
        """How an installed version stands, if anything was said of it."""
        known = _known(self._ledger.state, app.app_id, app.package_hash)
        if known is not None:
            return AppRecall(kind="revoked", reasons=known.reasons, update=self._newer(app))
        said = recall_in(self._source(app.offered_by), app)
        if said is None:
            return None
        # That it must not run is learned with the reading of the list, and shown once it is on disk.
        return AppRecall(kind="withdrawn", reasons=said.reasons, update=self._newer(app))

    def is_revoked(self, app: InstalledApp) -> bool:
        """Whether an installed version must not run."""
        return is_revoked(self._ledger.state, app.app_id, app.package_hash)

    def refused(self, wanted: StagedVersion, source: str | None) -> VersionRecall | None:
        """Why a package must not be installed: the catalog it comes from, or that owns its name, revoked it."""
        said = recall_in(self._source(source) if source else self._owner(wanted.app_id), wanted)
        return said if said is not None and said.kind == "revoked" else None

    async def ask_publishers(
        self,
        load: Callable[[str], AppPackage],
        verify: Callable[[AppPackage], Verification],
    ) -> None:
        """Ask again where a signature names an address for that; who can't be reached changes nothing."""
        for app in tuple(self._ledger.state.apps.values()):
            if app.verdict is not Verdict.VERIFIED or is_bundled(app) or self.is_revoked(app):
                continue
            reason = await asyncio.to_thread(_asked, app, load, verify)
            if reason is not None:
                reasons = {"en": reason} if reason else {}
                await self._learn(_revocation(app, reasons, "publisher", app.signer or ""))

    async def _learn(self, revocation: StoredRevocation) -> None:
        await self._ledger.change(lambda connection: put_revocations(connection, (revocation,)))

    def _owner(self, app_id: str) -> CatalogSource | None:
        """Whom the name of a package belongs to that was chosen by itself."""
        state = self._ledger.state
        settled = state.apps.get(app_id) or state.kept_data.get(app_id)
        if settled is not None:
            return self._source(settled.offered_by)
        return next((each for each in self._sources() if _names(each, app_id)), None)

    def _source(self, location: str | None) -> CatalogSource | None:
        # Asked about every app whenever anything changes: from memory, and not by going through all of them.
        return None if location is None else self._ledger.state.sources.get(location)


def _asked(
    app: InstalledApp,
    load: Callable[[str], AppPackage],
    verify: Callable[[AppPackage], Verification],
) -> str | None:
    """The publisher's reason, if it revoked the package; None where it did not, or could not be asked. Blocks."""
    try:
        found = verify(load(app.app_id))
    except (PackageInvalid, OSError):
        return None
    if found.verdict is not Verdict.REVOKED:
        return None
    failed = next((each.reason for each in found.steps if each.status == "failed"), "")
    return failed.removeprefix(REVOKED_SAID).strip()


def _kept(state: CenterState) -> Iterator[InstalledApp]:
    """Every version that lies here: what is installed, and what it could be rolled back to."""
    yield from state.apps.values()
    for points in state.points.values():
        yield from (point.app for point in points)


def _known(state: CenterState, app_id: str, package_hash: str) -> StoredRevocation | None:
    known = state.revocations.get(app_id, ())
    return next((each for each in known if each.package_hash == package_hash), None)


def _names(source: CatalogSource, app_id: str) -> bool:
    return any(each.app_id == app_id for each in (*source.offers, *source.recalls))


def _revocation(
    app: InstalledApp,
    reasons: Mapping[str, str],
    said_by: Literal["catalog", "publisher"],
    source: str,
) -> StoredRevocation:
    return StoredRevocation(
        app_id=app.app_id,
        version=app.version,
        package_hash=app.package_hash,
        reasons=dict(reasons),
        said_by=said_by,
        source=source,
        learned_at_ms=now_ms(),
    )
