"""Why may this package not be installed here? Every reason at once; none means that a person may decide."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from semantic_version import Version

from lime_desktop.app_package.package import AppPackage
from lime_desktop.app_package.trust.verdict import Verdict, Verification
from lime_desktop.host.app_center.records.recalls import VersionRecall
from lime_desktop.host.app_center.records.records import InstalledApp
from lime_desktop.host.app_center.review.deferred_text import DeferredText
from lime_desktop.projection.host_profile import HostProfile
from lime_desktop.protocol.errors import (
    AppError,
    InstallRefused,
    PackageInvalid,
    PolicyDenied,
    SourceUnverified,
)


class RefusalCode(StrEnum):
    """What stands in the way."""

    PACKAGE_INVALID = "package-invalid"
    SIGNATURE_FAILED = "signature-failed"
    PACKAGE_REVOKED = "package-revoked"
    REVOCATION_UNKNOWN = "revocation-unknown"
    PUBLISHER_CHANGED = "publisher-changed"
    ALREADY_INSTALLED = "already-installed"
    SAME_VERSION_OTHER_BYTES = "same-version-other-bytes"
    DOWNGRADE = "downgrade"
    VERSION_ORDER_UNKNOWN = "version-order-unknown"
    MODE_UNSUPPORTED = "mode-unsupported"
    BLOCKED_BY_ORGANISATION = "blocked-by-organisation"
    NOT_THIS_PRODUCT = "not-this-product"


_ERRORS: dict[RefusalCode, type[AppError]] = {
    RefusalCode.PACKAGE_INVALID: PackageInvalid,
    RefusalCode.SIGNATURE_FAILED: SourceUnverified,
    RefusalCode.PACKAGE_REVOKED: SourceUnverified,
    RefusalCode.REVOCATION_UNKNOWN: SourceUnverified,
    RefusalCode.PUBLISHER_CHANGED: SourceUnverified,
    RefusalCode.BLOCKED_BY_ORGANISATION: PolicyDenied,
    RefusalCode.NOT_THIS_PRODUCT: PolicyDenied,
}

_BY_VERDICT = {
    Verdict.FAILED: RefusalCode.SIGNATURE_FAILED,
    Verdict.REVOKED: RefusalCode.PACKAGE_REVOKED,
    Verdict.REVOCATION_UNKNOWN: RefusalCode.REVOCATION_UNKNOWN,
}


@dataclass(frozen=True, slots=True)
class Refusal:
    """One reason."""

    code: RefusalCode
    words: DeferredText

    def as_error(self) -> AppError:
        """The refusal for a caller who went on regardless."""
        kind = _ERRORS.get(self.code, InstallRefused)
        return kind(
            f"The package was not installed: {self.code}", details={"reason": self.code.value}
        )


@dataclass(frozen=True, slots=True)
class Candidate:
    """A package that somebody wants to install, and what is known of it."""

    package: AppPackage
    package_hash: str
    verification: Verification
    installed: InstalledApp | None
    is_blocked_by_organisation: bool = False
    is_of_another_product: bool = False
    """Whether this product is for one app, and that is another."""
    revocation: VersionRecall | None = None
    """What the catalog says that it comes from, or that owns its name, if it must not run."""


def refusals(candidate: Candidate, profile: HostProfile) -> tuple[Refusal, ...]:
    """Collect what stands in the way."""
    return tuple(_refusals(candidate, profile))


def _refusals(candidate: Candidate, profile: HostProfile) -> Iterator[Refusal]:
    manifest = candidate.package.manifest
    if candidate.is_blocked_by_organisation:
        yield _refuse(RefusalCode.BLOCKED_BY_ORGANISATION, app=manifest.name)
    if candidate.is_of_another_product:
        yield _refuse(RefusalCode.NOT_THIS_PRODUCT, app=manifest.name)
    if not candidate.package.is_valid:
        yield _refuse(RefusalCode.PACKAGE_INVALID)
    modes = manifest.install.modes if manifest.install else ("in_lime",)
    if not set(modes) & set(profile.install_modes):
        code = RefusalCode.MODE_UNSUPPORTED
        yield Refusal(code, DeferredText(f"review.refused.{code}", lists={"modes": tuple(modes)}))
    if (code := _BY_VERDICT.get(candidate.verification.verdict)) is not None:
        failed = next(s for s in candidate.verification.steps if s.status == "failed")
        said = DeferredText(
            f"review.refused.{code}", {"reason": failed.reason}, problem=failed.code
        )
        yield Refusal(code, said)
    if candidate.revocation is not None:
        code = RefusalCode.PACKAGE_REVOKED
        reasons = {"reason": candidate.revocation.reasons}
        yield Refusal(code, DeferredText(f"review.refused.{code}", by_language=reasons))
    if candidate.installed is not None:
        yield from _refused_replacements(candidate, candidate.installed)


def _refused_replacements(candidate: Candidate, installed: InstalledApp) -> Iterator[Refusal]:
    version = candidate.package.manifest.version
    if candidate.package_hash == installed.package_hash:
        yield _refuse(RefusalCode.ALREADY_INSTALLED, version=version)
        return
    code = _order(version, installed.version)
    if code is not None:
        yield _refuse(code, version=version, installed=installed.version)
    if installed.verdict is Verdict.VERIFIED and not _is_same_publisher(candidate, installed):
        yield _refuse(RefusalCode.PUBLISHER_CHANGED, publisher=installed.publisher_id or "")


def _order(version: str, installed: str) -> RefusalCode | None:
    if version == installed:
        return RefusalCode.SAME_VERSION_OTHER_BYTES
    try:
        # Without what builds are called by: two builds of one version are one version.
        new, old = (Version(each).truncate("prerelease") for each in (version, installed))
    except ValueError:
        # Guessing would let an old version pass for a new one.
        return RefusalCode.VERSION_ORDER_UNKNOWN
    if new == old:
        return RefusalCode.SAME_VERSION_OTHER_BYTES
    return RefusalCode.DOWNGRADE if new < old else None


def _is_same_publisher(candidate: Candidate, installed: InstalledApp) -> bool:
    publisher = candidate.verification.publisher
    return publisher is not None and publisher.publisher_id == installed.publisher_id


def _refuse(code: RefusalCode, **values: str) -> Refusal:
    return Refusal(code, DeferredText(f"review.refused.{code}", values))
