"""From a review and a consent to an installed app. One transaction decides; before it nothing refers to the copy."""

import asyncio
from collections.abc import Iterable, Iterator

from lime_desktop.database.connection import Connection
from lime_desktop.host.app_center.changes.due_hooks import due_at_install
from lime_desktop.host.app_center.changes.parts import CenterParts
from lime_desktop.host.app_center.packages.progress import InstallProgress, Step
from lime_desktop.host.app_center.records.records import InstalledApp, StoredGrant, now_ms
from lime_desktop.host.app_center.records.rows import put_app, put_grants
from lime_desktop.host.app_center.review.declared_retention import declared_terms
from lime_desktop.host.app_center.review.install_review import Consent, InstallReview
from lime_desktop.protocol.calls.app_data import RetentionTerms
from lime_desktop.protocol.errors import ApprovalRequired, InvalidInput, SourceUnverified
from lime_desktop.protocol.ids import AppId


async def install(
    parts: CenterParts, review: InstallReview, consent: Consent, progress: InstallProgress
) -> InstalledApp:
    """Install what was reviewed, with the permissions that were given.

    Raises:
        AppError: the review or the consent does not allow it; nothing was changed.
    """
    check_consent(review, consent)
    due = due_at_install(review.package.manifest)
    app = new_record(review, now_ms()).model_copy(update={"is_enabled": not due, "due_hooks": due})
    grants = tuple(granted_now(app.app_id, consent.granted, now_ms(), is_update=False))
    await asyncio.to_thread(parts.store.adopt, review.staged, review.app_id, progress)

    def decide(connection: Connection) -> None:
        put_app(connection, app)
        put_grants(connection, app.app_id, grants)

    progress.at(Step.DECIDING)
    await parts.ledger.change(decide)
    progress.at(Step.DECIDED)
    return app


def check_consent(review: InstallReview, consent: Consent) -> None:
    """Refuse what was not reviewed, what may not be, and what nobody agreed to."""
    if review.refusals:
        raise review.refusals[0].as_error()
    if consent.package_hash != review.staged.package_hash:
        raise SourceUnverified("The package changed since the review. Review it again")
    if review.needs_acceptance and not consent.accepts_unverified:
        raise ApprovalRequired(
            "The publisher of this package is not verified. Accept that to install it",
            details={"verdict": review.verification.verdict.value},
        )
    if review.choice.is_change and not consent.accepts_source:
        raise ApprovalRequired(
            "This package comes from a different catalog than the installed app. Accept that to install it",
            details={"source": review.choice.source, "before": review.choice.before},
        )
    undeclared = consent.granted - {ask.key for ask in review.asks}
    if undeclared:
        raise InvalidInput.at_fields([("granted", "not_declared")])


def new_record(review: InstallReview, now_ms: int) -> InstalledApp:
    """The app as it will be known."""
    publisher = review.verification.publisher
    return InstalledApp(
        app_id=AppId(review.app_id),
        title=review.package.manifest.title,
        titles=dict(review.package.manifest.display_name_i18n),
        version=review.package.manifest.version,
        package_hash=review.staged.package_hash,
        manifest_hash=review.projection.provenance.manifest_hash,
        source=review.source,
        offered_by=review.choice.source or review.choice.before,
        install_mode=review.install_mode,
        verdict=review.verification.verdict,
        publisher_id=publisher.publisher_id if publisher else None,
        signer=publisher.signer if publisher else None,
        installed_at_ms=review.installed.installed_at_ms if review.installed else now_ms,
        updated_at_ms=now_ms,
        agreed_retention=_agreed_retention(review),
        retention_told_at_ms=_told_at_ms(review),
    )


def _agreed_retention(review: InstallReview) -> RetentionTerms | None:
    """The terms that the review lists. Of an update, only those that were agreed to before: others are offered in the settings."""
    terms, before = declared_terms(review.package.manifest), review.installed
    return terms if before is None or before.agreed_retention == terms else None


def _told_at_ms(review: InstallReview) -> int | None:
    is_kept = review.installed is not None and _agreed_retention(review) is not None
    return review.installed.retention_told_at_ms if is_kept and review.installed else None


def granted_now(
    app_id: AppId, permissions: Iterable[str], now_ms: int, *, is_update: bool
) -> Iterator[StoredGrant]:
    """Grants as they are given in a review."""
    for permission in sorted(permissions):
        yield StoredGrant(
            app_id=app_id,
            permission=permission,
            granted_at_ms=now_ms,
            given_at="update" if is_update else "install",
        )
