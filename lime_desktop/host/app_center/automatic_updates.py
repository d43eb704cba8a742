"""Installs updates by itself, where the person wants that and nothing grows; everything else is asked about, with the reason.

Never while the app is open or works: what is in use waits. A version is tried a few times and then left to the person.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection

from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.packages.progress import InstallProgress, Progress, Step
from lime_desktop.host.app_center.records.offers import Offer
from lime_desktop.host.app_center.records.records import InstalledApp, now_ms
from lime_desktop.host.app_center.records.update_records import (
    MOST_FAILURES,
    OutcomeKind,
    RecordedChange,
    UpdateOutcome,
)
from lime_desktop.host.app_center.review.growth import reasons_to_ask
from lime_desktop.host.app_center.review.install_review import Consent, InstallReview
from lime_desktop.protocol.errors import AppError, AppServerUnavailable, Cancelled, Conflict

_log = logging.getLogger(__name__)

_MOST_CHANGES = 20
"""Of those that are kept to be told: the review of the app has all of them."""


class AutomaticUpdates:
    """Goes through the installed apps after the catalogs were read."""

    def __init__(
        self,
        center: AppCenter,
        is_open: Callable[[str], bool],
        has_runs: Callable[[str], Awaitable[bool]],
    ) -> None:
        """`is_open` says whether a view of an app is open, `has_runs` whether it works on something."""
        self._center = center
        self._is_open = is_open
        self._has_runs = has_runs
        self._turn = asyncio.Lock()
        self.waiting: frozenset[str] = frozenset()
        """Apps whose update waits for them to be closed."""

    async def run(self, unread: Collection[str] = ()) -> None:
        """Install what may be; `unread` are the catalogs that could not be read just now: they are tried another time."""
        async with self._turn:
            for app in self._center.installed():
                self.waiting -= {app.app_id}
                if self._is_wanted(app) and app.offered_by not in unread:
                    await self._consider(app)

    def _is_wanted(self, app: InstalledApp) -> bool:
        center = self._center
        is_sound = app.is_enabled and center.is_settled(app.app_id)
        return is_sound and center.update_policies.of(app.app_id) == "always"

    async def _consider(self, app: InstalledApp) -> None:
        offer = next(iter(self._center.updates.offers(app)), None)
        if offer is None or self._is_decided(app, offer):
            return
        try:
            if await self._is_in_use(app.app_id):
                self.waiting |= {app.app_id}
                return
            await self._take(app, offer)
        except Cancelled:
            self.waiting |= {app.app_id}
        except (AppServerUnavailable, Conflict) as error:
            # Nothing about this version: it is tried again with the next reading.
            _log.info("an update waits: %s", error.code, extra={"appId": app.app_id})
        except AppError as error:
            await self._note_failure(app, offer, error)

    def _is_decided(self, app: InstalledApp, offer: Offer) -> bool:
        """Whether this version was asked about, given up, or undone: then it is the person's to install."""
        points = self._center.rollback_points(app.app_id)
        if any(point.is_undone and point.app.version == offer.version for point in points):
            return True
        known = self._center.update_policies.outcome(app.app_id)
        if known is None or known.version != offer.version:
            return False
        return known.kind == "asked" or known.is_given_up

    async def _is_in_use(self, app_id: str) -> bool:
        return self._is_open(app_id) or await self._has_runs(app_id)

    async def _take(self, app: InstalledApp, offer: Offer) -> None:
        center = self._center
        review = await center.review_offer(offer)
        try:
            reasons = reasons_to_ask(review)
            if reasons:
                asked = _outcome("asked", app, offer, review, reasons)
                await center.update_policies.note(app.app_id, asked)
                return
            # Fetching takes a while: somebody may have opened it meanwhile.
            if await self._is_in_use(app.app_id):
                raise Cancelled("The app was opened")
            await self._install(app, review, _outcome("installed", app, offer, review))
        finally:
            await center.discard(review)

    async def _install(
        self, app: InstalledApp, review: InstallReview, outcome: UpdateOutcome
    ) -> None:
        # Noted first: what was installed by itself is told even if the program ends in the next moment. Until the
        # version is there, the note tells nobody anything.
        before = self._center.update_policies.outcome(app.app_id)
        await self._center.update_policies.note(app.app_id, outcome)
        consent = Consent(package_hash=review.staged.package_hash)
        progress = InstallProgress(lambda at: self._stop_if_opened(app.app_id, at))
        try:
            await self._center.install(review, consent, progress, is_attended=False)
        except AppError:
            await self._center.update_policies.note(app.app_id, before)
            raise

    def _stop_if_opened(self, app_id: str, progress: Progress) -> None:
        """The last moment before anything is changed: a view that was opened keeps the version it shows."""
        if progress.step is Step.DECIDING and self._is_open(app_id):
            raise Cancelled("The app was opened")

    async def _note_failure(self, app: InstalledApp, offer: Offer, error: AppError) -> None:
        known = self._center.update_policies.outcome(app.app_id)
        is_same = known is not None and known.version == offer.version
        before = known.failures if known is not None and is_same else 0
        failures = before + 1 if error.retryable else MOST_FAILURES
        # Told at the first failure, and once more when it is given up.
        is_news = before == 0 or failures >= MOST_FAILURES
        outcome = _outcome("failed", app, offer).model_copy(
            update={
                "failures": failures,
                "error": error.code,
                "is_seen": not is_news and known is not None and known.is_seen,
            }
        )
        await self._center.update_policies.note(app.app_id, outcome)


def _outcome(
    kind: OutcomeKind,
    app: InstalledApp,
    offer: Offer,
    review: InstallReview | None = None,
    reasons: tuple[str, ...] = (),
) -> UpdateOutcome:
    changes = review.changes.changes if review is not None and review.changes else ()
    notes = review.release_notes if review is not None else ()
    return UpdateOutcome(
        kind=kind,
        version=offer.version,
        from_version=app.version,
        at_ms=now_ms(),
        reasons=reasons,
        changes=tuple(
            RecordedChange(area=each.area, kind=each.kind, key=each.key)
            for each in changes[:_MOST_CHANGES]
        ),
        notes=dict(notes[0].texts) if notes else {},
    )
