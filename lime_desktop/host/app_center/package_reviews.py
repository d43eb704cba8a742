"""How a review comes about: a package is fetched and copied, judged, and told with all that stands around it here."""

import asyncio
from dataclasses import dataclass
from pathlib import Path

from lime_desktop.app_package.trust.verdict import Verdict
from lime_desktop.host.app_center.catalog.catalog import Catalog
from lime_desktop.host.app_center.catalog.recalls import Recalls, StagedVersion
from lime_desktop.host.app_center.changes.parts import CenterParts
from lime_desktop.host.app_center.changes.updates import Updates
from lime_desktop.host.app_center.governance.membership import Membership
from lime_desktop.host.app_center.governance.overlays import AppOverlays
from lime_desktop.host.app_center.governance.product_rules import ProductRules
from lime_desktop.host.app_center.packages.progress import InstallProgress, Step
from lime_desktop.host.app_center.packages.staging import StagedPackage, stage
from lime_desktop.host.app_center.packages.trusting import VerifyPackage, signed_beside
from lime_desktop.host.app_center.permissions import PermissionStore
from lime_desktop.host.app_center.records.offers import Offer
from lime_desktop.host.app_center.review.install_review import (
    InstallReview,
    ReviewContext,
    make_review,
)
from lime_desktop.protocol.errors import SourceUnverified


@dataclass(frozen=True, slots=True, kw_only=True)
class PackageReviews:
    """Reviews packages with what the center knows of their app."""

    parts: CenterParts
    rules: ProductRules
    verify: VerifyPackage
    membership: Membership
    catalog: Catalog
    permissions: PermissionStore
    overlays: AppOverlays
    updates: Updates
    recalls: Recalls

    async def of_package(
        self, source: Path, progress: InstallProgress, offer: Offer | None
    ) -> InstallReview:
        """Review what lies at a path; `AppCenter.review` says the rest."""
        staged = await asyncio.to_thread(stage, source, self.parts.layout.staging, progress)
        try:
            review = await self._reviewed(staged, str(source), offer)
            progress.at(Step.REVIEWED)
        except BaseException:
            await asyncio.to_thread(staged.discard)
            raise
        return review

    async def of_offer(self, offer: Offer, progress: InstallProgress) -> InstallReview:
        """Review what a catalog offers; `AppCenter.review_offer` says the rest."""
        source = await self.catalog.fetch(offer, progress)
        try:
            review = await self.of_package(source, progress, offer)
        finally:
            await asyncio.to_thread(self.catalog.forget_download, source)
        promised = offer.package_hash or review.staged.package_hash
        if (review.app_id, review.staged.package_hash) != (offer.app_id, promised):
            await asyncio.to_thread(review.staged.discard)
            raise SourceUnverified("The package differs from the one that the catalog lists")
        return review

    async def _reviewed(
        self, staged: StagedPackage, path: str, offer: Offer | None
    ) -> InstallReview:
        app_id = staged.package.manifest.name
        verification = await asyncio.to_thread(self.verify, staged.package)
        installed = self.parts.ledger.state.apps.get(app_id)
        organisation = self.membership.organisation
        wanted = StagedVersion(app_id, staged.package.manifest.version, staged.package_hash)
        is_looked_for = offer is None and verification.verdict is Verdict.UNSIGNED
        around = ReviewContext(
            installed=installed,
            installed_package=await self.parts.package(app_id) if installed else None,
            granted=frozenset(grant.permission for grant in self.permissions.grants(app_id)),
            overlays=self.overlays.layers(app_id),
            has_kept_data=app_id in self.parts.ledger.state.kept_data,
            is_blocked_by_organisation=organisation is not None and not organisation.allows(app_id),
            is_of_another_product=not self.rules.admits(app_id, offer.source if offer else None),
            revocation=self.recalls.refused(wanted, offer.source if offer else None),
            notes=self.updates.notes(app_id, installed, offer),
            source=offer.location if offer else path,
            choice=self.catalog.choice(app_id, offer.source if offer else None),
            signed_twin=await asyncio.to_thread(signed_beside, Path(path), staged.package.manifest)
            if is_looked_for
            else None,
        )
        return await asyncio.to_thread(make_review, staged, verification, around)
