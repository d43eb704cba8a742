"""What came of verifying a package: values for people, programs and the install dialog."""

from enum import StrEnum
from typing import Literal, TypeAlias

from lime_desktop.protocol.wire import WireModel

StepName: TypeAlias = Literal["hashes", "signature", "revocation", "publisher"]
STEP_ORDER: tuple[StepName, ...] = ("hashes", "signature", "revocation", "publisher")


class Verdict(StrEnum):
    """The result in one word. Only `verified` may be installed without a further question."""

    VERIFIED = "verified"
    UNSIGNED = "unsigned"
    """Nothing shows who made it. A person may still decide to install it."""
    FAILED = "failed"
    """Something contradicts the signature."""
    REVOKED = "revoked"
    REVOCATION_UNKNOWN = "revocation-unknown"
    UNKNOWN_PUBLISHER = "unknown-publisher"
    """Signed, by someone the user has not said they trust."""


class StepStatus(StrEnum):
    """How one step ended."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


class Step(WireModel):
    """One step, and why it ended as it did."""

    name: StepName
    status: StepStatus
    reason: str
    code: str | None = None
    fix: str | None = None


class FoundHashes(WireModel):
    """The hashes of the files as they are; None where there is nothing to hash."""

    package_hash: str | None = None
    signed_hash: str | None = None
    """The package hash without `app.signature.yaml`: the one that a signature declares."""
    manifest_hash: str | None = None


class VerifiedPublisher(WireModel):
    """A publisher as the user's trust file knows them; never as a package describes itself."""

    publisher_id: str
    name: str | None
    domain: str | None
    signer: str
    """The key or the sigstore identity that signed."""


class Verification(WireModel):
    """A verdict, every step, and the publisher if that is certain."""

    verdict: Verdict
    steps: tuple[Step, ...]
    hashes: FoundHashes
    publisher: VerifiedPublisher | None = None
    signed_at: str | None = None
    """When the signer says it was signed; only where the signature is valid."""

    @property
    def is_verified(self) -> bool:
        """Whether all four steps are behind it."""
        return self.verdict is Verdict.VERIFIED
