"""Sigstore bundles, checked by the `sigstore` library: offline, with a given trust root, for given identities.

The library is an extra and slow to load, so this module is imported only when a bundle is to be checked. A
bundle proves that someone signed; without naming who, that is worth nothing, so there is always an identity
and an issuer.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.x509 import (
    Certificate,
    DuplicateExtension,
    ExtensionNotFound,
    InvalidVersion,
)
from sigstore.errors import Error, VerificationError
from sigstore.models import Bundle, TrustedRoot
from sigstore.verify import Verifier
from sigstore.verify.policy import Identity

from lime_desktop.app_package.problem_kinds import trust
from lime_desktop.app_package.problems import Problem
from lime_desktop.app_package.trust.trust_store import SigstoreIdentity

# What a bundle made by an attacker can get out of the parsers below: all of it means «not valid».
_UNREADABLE = (
    *(ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError),
    *(
        InvalidSignature,
        UnsupportedAlgorithm,
        ExtensionNotFound,
        DuplicateExtension,
        InvalidVersion,
    ),
)


def verify_bundle(
    bundle: str,
    statement: bytes,
    identities: Sequence[SigstoreIdentity],
    trust_root: Path | None,
) -> SigstoreIdentity | Problem:
    """Say which of the identities signed the statement, or why none is shown to have."""
    verifier = _verifier(trust_root)
    if isinstance(verifier, Problem):
        return verifier
    try:
        parsed = Bundle.from_json(bundle)
    except (Error, *_UNREADABLE):
        return trust.SIGSTORE_BUNDLE_INVALID.found("The sigstore bundle is malformed.")
    policy = _OneOf(identities)
    try:
        verifier.verify_artifact(statement, parsed, policy)
    except (Error, *_UNREADABLE):
        return _why_not(policy)
    return policy.matched or _why_not(policy)


def _why_not(policy: "_OneOf") -> Problem:
    if policy.was_asked and policy.matched is None:
        message = "The signature was made by an identity that is not the publisher's."
        return trust.SIGNER_IDENTITY_UNKNOWN.found(message)
    return trust.SIGNATURE_INVALID.found("The sigstore signature is not valid for this package.")


def _verifier(trust_root: Path | None) -> Verifier | Problem:
    try:
        if trust_root is None:
            return Verifier.production(offline=True)
        return Verifier(trusted_root=TrustedRoot.from_file(str(trust_root)))
    except (Error, OSError, *_UNREADABLE):
        return trust.SIGSTORE_TRUST_ROOT_INVALID.found("The sigstore trust root can't be read.")


@dataclass
class _OneOf:
    """The library's policy interface: the certificate must belong to one of these, and we note which."""

    identities: Sequence[SigstoreIdentity]
    was_asked: bool = False
    matched: SigstoreIdentity | None = field(default=None)

    def verify(self, cert: Certificate) -> None:
        self.was_asked = True
        for each in self.identities:
            try:
                Identity(identity=each.identity, issuer=each.issuer).verify(cert)
            except VerificationError:
                continue
            self.matched = each
            return
        raise VerificationError("none of the expected identities")
