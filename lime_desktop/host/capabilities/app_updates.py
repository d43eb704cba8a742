"""lime.appUpdates: newer releases of the calling app, from the sources that the person chose. They alone install one."""

from pydantic import BaseModel

from lime_desktop.file_names import last_name
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.packages.fetching import is_url
from lime_desktop.host.app_center.records.offers import Offer
from lime_desktop.host.app_center.records.records import InstalledApp
from lime_desktop.host.app_center.review.install_review import InstallReview
from lime_desktop.host.capabilities.handler import Handlers, HandlerServices
from lime_desktop.protocol.capability_calls.app_updates import (
    AppUpdate,
    AppUpdatesSnapshot,
    ReleaseFile,
    UpdateStatus,
    UpdateVersionParams,
)
from lime_desktop.protocol.errors import CapabilityNotAvailable, InstallRefused
from lime_desktop.protocol.wire import Empty
from lime_desktop.unique_names import unique_table


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call."""
    rows = (*_finders(services).items(), *_askers(services).items())
    return unique_table(rows, of="handler")


def _finders(services: HandlerServices) -> Handlers:
    def get_snapshot(_: Empty) -> BaseModel:
        known = _known(services)
        return AppUpdatesSnapshot() if known is None else _snapshot(*known)

    async def check(_: Empty) -> BaseModel:
        center, app = _installed(services)
        await center.updates.check(app)
        return _snapshot(center, app)

    async def download(params: UpdateVersionParams) -> BaseModel:
        center, app = _installed(services)
        review = await center.updates.fetch(app, params.version)
        return UpdateStatus(version=_version_of(review), status="downloaded")

    return {
        "lime.appUpdates.getSnapshot": get_snapshot,
        "lime.appUpdates.check": check,
        "lime.appUpdates.download": download,
    }


def _askers(services: HandlerServices) -> Handlers:
    async def apply(params: UpdateVersionParams) -> BaseModel:
        center, app = _installed(services)
        if params.version == app.version:
            return UpdateStatus(version=app.version, status="applied")
        await center.updates.fetch(app, params.version)
        review = center.updates.take(app.app_id)
        services.shell.show_review(review)
        return UpdateStatus(version=_version_of(review), status="pending")

    def roll_back(_: Empty) -> BaseModel:
        center, app = _installed(services)
        point = center.earlier_point(app.app_id)
        if point is None:
            raise InstallRefused("There is no earlier version of this app to roll back to")
        services.shell.offer_rollback(point.app.version)
        return UpdateStatus(version=point.app.version, status="pending")

    return {"lime.appUpdates.apply": apply, "lime.appUpdates.rollback": roll_back}


def _known(services: HandlerServices) -> tuple[AppCenter, InstalledApp] | None:
    center, app = services.center(), services.app()
    if center is None or app.installed is None:
        return None
    # The release that is registered is the one that this page runs; which one is installed by now, the center knows.
    newest = center.installed_app(app.installed.app_id)
    return None if newest is None else (center, newest)


def _installed(services: HandlerServices) -> tuple[AppCenter, InstalledApp]:
    known = _known(services)
    if known is None:
        raise CapabilityNotAvailable(
            "This app has no catalog for updates: it was opened from a folder or is no longer installed"
        )
    return known


def _snapshot(center: AppCenter, app: InstalledApp) -> AppUpdatesSnapshot:
    updates = center.updates
    offers = updates.offers(app)
    fetched = updates.fetched(app.app_id)
    ready = None if fetched is None else _version_of(fetched)
    return AppUpdatesSnapshot(
        checked_at=updates.checked_at,
        available_updates=tuple(_update(app, offer) for offer in offers),
        downloaded_updates=tuple(_update(app, offer) for offer in offers if offer.version == ready),
    )


def _update(app: InstalledApp, offer: Offer) -> AppUpdate:
    is_web = is_url(offer.location)
    # Where a file lies on this machine is nothing an app may know.
    artifact = ReleaseFile(
        url=offer.location if is_web else None,
        sha256=offer.archive_hash,
        file_name=last_name(offer.location),
    )
    return AppUpdate(
        app_id=app.app_id,
        current_version=app.version,
        next_version=offer.version,
        source_kind="catalog-url" if is_url(offer.source) else "catalog-folder",
        artifact=artifact,
    )


def _version_of(review: InstallReview) -> str:
    return review.projection.manifest.version
