"""The four steps of verification. Each takes what the one before it established, or raises why it fails."""

from dataclasses import dataclass

from lime_desktop.app_package.files.hashes import manifest_hash, tree_hashes
from lime_desktop.app_package.files.tree import PackageTree
from lime_desktop.app_package.problem_kinds import trust as kinds
from lime_desktop.app_package.problems import Problem, ProblemKind, Severity
from lime_desktop.app_package.trust.publisher_key import decode_base64, parse_public_key
from lime_desktop.app_package.trust.revocation import NotRevoked, RevocationChecks, Revoked, Unknown
from lime_desktop.app_package.trust.signature_file import (
    SignatureFile,
    SignedPackage,
    plain_hex,
    read_signature_file,
)
from lime_desktop.app_package.trust.statement import AppIdentity, Statement
from lime_desktop.app_package.trust.trust_store import TrustedPublisher, TrustStore
from lime_desktop.app_package.trust.verdict import FoundHashes, VerifiedPublisher

REVOKED_SAID = "Withdrawn by its publisher."
"""What stands before the publisher's own reason."""


@dataclass(frozen=True, slots=True)
class Signed:
    """What step 2 established: this signer made this statement."""

    statement: Statement
    signer: str
    publisher: TrustedPublisher | None
    """Whom the statement names, if the user knows them. Whether the signer is theirs is step 4."""

    @property
    def is_signer_known(self) -> bool:
        """Whether the signer is one of the publisher's own."""
        if self.publisher is None:
            return False
        identities = {each.identity for each in self.publisher.sigstore}
        return self.signer in {*self.publisher.keys, *identities}


class StepFailedError(Exception):
    """A step failed; `verify` turns it into a result."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.code)
        self.problem = problem


def _fails(kind: ProblemKind, message: str) -> StepFailedError:
    return StepFailedError(kind.found(message))


def find_hashes(tree: PackageTree) -> FoundHashes:
    """Hash the files, if they can all be read safely."""
    if any(each.severity is Severity.ERROR for each in tree.problems):
        raise _fails(kinds.PACKAGE_UNREADABLE, "The package's files can't all be read safely.")
    try:
        hashes = tree_hashes(tree)
        return FoundHashes(
            package_hash=hashes.package,
            signed_hash=hashes.signed,
            manifest_hash=manifest_hash(tree),
        )
    except OSError as error:
        reason = error.strerror or "input/output error"
        raise _fails(kinds.PACKAGE_UNREADABLE, f"A file could not be read: {reason}.") from None


def check_hashes(tree: PackageTree, found: FoundHashes) -> SignatureFile | None:
    """Step 1: the files are those that the signature file declares; None where nothing is declared."""
    file = read_signature_file(tree)
    if isinstance(file, Problem):
        raise StepFailedError(file)
    if file is None or (file.package.hash is None and file.package.signed_by is None):
        return None
    if {file.package.algorithm, file.manifest.algorithm} != {"sha256"}:
        raise _fails(kinds.HASH_ALGORITHM_UNSUPPORTED, "The hashes are not SHA-256.")
    if plain_hex(file.package.hash) != plain_hex(found.signed_hash):
        raise _fails(kinds.PACKAGE_HASH_MISMATCH, "The package's files are not the signed ones.")
    if plain_hex(file.manifest.hash) != plain_hex(found.manifest_hash):
        raise _fails(kinds.MANIFEST_HASH_MISMATCH, "APP.md is not the signed one.")
    return file


def check_signature(
    file: SignatureFile, statement: Statement, store: TrustStore, bundle: str | None
) -> Signed:
    """Step 2: someone signed the statement about exactly this package."""
    publisher = store.publishers.get(statement.publisher_id)
    match file.package.signed_by:
        case "ed25519":
            signer = _key_that_signed(file.package, statement)
        case "sigstore":
            signer = _identity_that_signed(bundle or file.package.bundle, statement, store)
        case None:
            raise _fails(kinds.PACKAGE_UNSIGNED, "The package declares hashes but no signature.")
        case other:
            message = f"Signatures of the kind {other[:40]!r} are not known."
            raise _fails(kinds.SIGNATURE_KIND_UNSUPPORTED, message)
    return Signed(statement, signer, publisher)


def unsigned() -> StepFailedError:
    """Step 2 for a package with nothing to check."""
    return _fails(kinds.PACKAGE_UNSIGNED, "The package is not signed.")


def _key_that_signed(package: SignedPackage, statement: Statement) -> str:
    if package.signature is None:
        raise _fails(kinds.PACKAGE_UNSIGNED, "The package names a key but has no signature.")
    key = parse_public_key(package.signature_ref or "")
    signature = decode_base64(package.signature)
    if key is None or signature is None:
        raise _fails(kinds.SIGNATURE_INVALID, "The key or the signature is not spelled rightly.")
    # Loading cryptography takes time: only packages with something to check pay.
    from lime_desktop.app_package.trust.signing_key import is_signature_of  # noqa: PLC0415

    if not is_signature_of(key, statement.to_bytes(), signature):
        raise _fails(kinds.SIGNATURE_INVALID, "The signature is not valid for this package.")
    return key.text


def _identity_that_signed(bundle: str | None, statement: Statement, store: TrustStore) -> str:
    if bundle is None:
        raise _fails(kinds.PACKAGE_UNSIGNED, "The package names sigstore but has no bundle.")
    publisher = store.publishers.get(statement.publisher_id)
    if publisher is None:
        # A bundle means something only for identities that are known beforehand.
        raise _unknown_publisher(statement)
    try:
        # Loading sigstore takes a second or more: only packages that need it pay.
        from lime_desktop.app_package.trust.sigstore_bundle import verify_bundle  # noqa: PLC0415
    except ImportError:
        message = "The sigstore library is not installed."
        raise _fails(kinds.SIGSTORE_MISSING, message) from None
    root = store.sigstore_trust_root
    signed_by = verify_bundle(bundle, statement.to_bytes(), publisher.sigstore, root)
    if isinstance(signed_by, Problem):
        raise StepFailedError(signed_by)
    return signed_by.identity


def _unknown_publisher(statement: Statement) -> StepFailedError:
    return _fails(kinds.PUBLISHER_UNKNOWN, f"{statement.publisher_id!r} is not trusted here.")


def check_revocation(signed: Signed, checks: RevocationChecks) -> tuple[bool, str]:
    """Step 3: the package has not been withdrawn. Says whether that was checked, and why.

    A signer who is not known is not asked about: a stranger's package must not make this machine call
    addresses of the stranger's choice.
    """
    revocation = signed.statement.revocation
    if revocation is None:
        return False, "The publisher names no revocation service."
    if not signed.is_signer_known:
        return False, "Not asked: the signer is not known here."
    match checks.state_of(signed.statement, revocation):
        case Revoked(reason):
            raise _fails(kinds.PACKAGE_REVOKED, f"{REVOKED_SAID} {reason}".strip())
        case Unknown(reason):
            raise _fails(kinds.REVOCATION_UNKNOWN, reason)
        case NotRevoked(was_remembered):
            source = "a remembered answer" if was_remembered else "the revocation service"
            return True, f"Not withdrawn, says {source}."


def check_publisher(signed: Signed, app: AppIdentity) -> VerifiedPublisher:
    """Step 4: the signer is a publisher the user trusts, with the domain they claim."""
    statement, publisher = signed.statement, signed.publisher
    if publisher is None:
        raise _unknown_publisher(statement)
    if not signed.is_signer_known:
        message = f"The key is not one of {statement.publisher_id!r}."
        raise _fails(kinds.PUBLISHER_KEY_UNKNOWN, message)
    domain = statement.verified_domain
    if domain is not None and domain.lower() not in map(str.lower, publisher.domains):
        message = f"{domain!r} is not known to belong to {statement.publisher_id!r}."
        raise _fails(kinds.PUBLISHER_DOMAIN_UNKNOWN, message)
    if app.publisher_id not in {None, statement.publisher_id}:
        raise _fails(kinds.PUBLISHER_MISMATCH, "APP.md names another publisher.")
    if app.verified_domain not in {None, domain}:
        raise _fails(kinds.PUBLISHER_MISMATCH, "APP.md names another domain than the signature.")
    return VerifiedPublisher(
        publisher_id=statement.publisher_id,
        name=publisher.name,
        domain=domain,
        signer=signed.signer,
    )
