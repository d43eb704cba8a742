"""Newer releases of installed apps: found in the sources a person chose, fetched and checked, installed by nobody but them."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

from semantic_version import Version

from lime_desktop.host.app_center.catalog.catalog import Catalog
from lime_desktop.host.app_center.catalog.search import is_newer
from lime_desktop.host.app_center.records.offers import Offer
from lime_desktop.host.app_center.records.records import InstalledApp
from lime_desktop.host.app_center.review.install_review import InstallReview
from lime_desktop.host.app_center.review.notes import VersionNotes
from lime_desktop.protocol.errors import CapabilityNotAvailable, InstallRefused
from lime_desktop.protocol.ids import Timestamp


class Updates:
    """What the sources offer for apps that are here. One fetched release per app is held, ready to be decided on."""

    def __init__(
        self,
        catalog: Catalog,
        review: Callable[[Offer], Awaitable[InstallReview]],
        discard: Callable[[InstallReview], Awaitable[None]],
    ) -> None:
        self.checked_at: Timestamp | None = None
        """When the sources were last asked for an app's sake."""
        self._catalog = catalog
        self._review = review
        self._discard = discard
        self._fetched: dict[str, InstallReview] = {}

    def offers(self, app: InstalledApp) -> tuple[Offer, ...]:
        """The releases newer than the installed one, the newest first. Versions that have no order are left out."""
        installed = _version(app.version)
        if installed is None:
            return ()
        newer = [
            (version, offer)
            for offer in self._catalog.offers
            if offer.app_id == app.app_id
            and (version := _version(offer.version)) is not None
            and version > installed
        ]
        return tuple(offer for _, offer in sorted(newer, key=lambda each: each[0], reverse=True))

    def newest_version(self, app: InstalledApp) -> str | None:
        """The newest release, if there is a newer one than the installed."""
        return next((each.version for each in self.offers(app)), None)

    def notes(
        self, app_id: str, installed: InstalledApp | None, offer: Offer | None
    ) -> tuple[VersionNotes, ...]:
        """What the catalog says is new in an offer, and in the versions that it skips, the newest first."""
        if offer is None:
            return ()
        newer = self.offers(installed) if installed else ()
        same = [each for each in newer if each.source == offer.source and each.app_id == app_id]
        listed = [each for each in same if not is_newer(each.version, offer.version)] or [offer]
        return tuple(VersionNotes(each.version, each.notes) for each in listed if each.notes)

    def fetched(self, app_id: str) -> InstallReview | None:
        """The release that lies ready."""
        return self._fetched.get(app_id)

    async def check(self, app: InstalledApp) -> None:
        """Ask every source anew.

        Raises:
            CapabilityNotAvailable: no source offers this app at all; where it came from, nothing newer can be seen.
            AppError: a source that might offer it could not be read, and no other does.
        """
        failures = await self._catalog.refresh()
        if not any(offer.app_id == app.app_id for offer in self._catalog.offers):
            raise next(iter(failures.values()), CapabilityNotAvailable(_no_source(app)))
        self.checked_at = datetime.now(UTC).isoformat(timespec="milliseconds")

    async def fetch(self, app: InstalledApp, version: str | None) -> InstallReview:
        """Bring a release here and judge it; the one that lay ready before goes.

        Raises:
            CapabilityNotAvailable: no source offers it.
            InstallRefused: it may not be installed here.
            AppError: it could not be fetched, or is not what was promised.
        """
        offer = next((e for e in self.offers(app) if version in {None, e.version}), None)
        if offer is None:
            raise CapabilityNotAvailable(_no_source(app))
        held = self._fetched.get(app.app_id)
        if held is not None and held.projection.manifest.version == offer.version:
            return held
        review = await self._review(offer)
        if review.refusals:
            await self._discard(review)
            raise review.refusals[0].as_error()
        await self.let_go(app.app_id)
        self._fetched[app.app_id] = review
        return review

    def take(self, app_id: str) -> InstallReview:
        """Hand the release over to whoever shows it to a person.

        Raises:
            InstallRefused: none lies ready.
        """
        review = self._fetched.pop(app_id, None)
        if review is None:
            raise InstallRefused("No release was fetched for this app")
        return review

    async def let_go(self, app_id: str) -> None:
        """Forget what lies ready."""
        if (review := self._fetched.pop(app_id, None)) is not None:
            await self._discard(review)


def _no_source(app: InstalledApp) -> str:
    return f"No catalog offers a newer version of {app.app_id}"


def _version(text: str) -> Version | None:
    try:
        # Without what builds are called by: two builds of one version are one version.
        return Version(text).truncate("prerelease")
    except ValueError:
        return None
