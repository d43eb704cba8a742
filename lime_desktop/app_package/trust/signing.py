"""Put a signature into a package: a folder gets the file, an archive gets a new archive beside it."""

import os
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from lime_desktop.app_package.archive.packing import NotPacked, write_archive
from lime_desktop.app_package.files.hashes import SIGNATURE_FILE, manifest_hash, signed_tree_hash
from lime_desktop.app_package.files.tree import FolderTree, PackageTree, revised
from lime_desktop.app_package.problem_kinds import trust as kinds
from lime_desktop.app_package.problems import Problem, Severity
from lime_desktop.app_package.trust.signature_file import (
    SignatureFile,
    read_signature_file,
    write_signature,
)
from lime_desktop.app_package.trust.statement import AppIdentity, Revocation, Statement

if TYPE_CHECKING:
    from lime_desktop.app_package.trust.signing_key import SigningKey


@dataclass(frozen=True, slots=True)
class Claims:
    """What the publisher says of themselves; None means «as before»."""

    publisher_id: str | None = None
    publisher_name: str | None = None
    verified_domain: str | None = None
    check_url: str | None = None
    cache_seconds: int | None = None


def now_text() -> str:
    """The time of signing, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def make_statement(
    tree: PackageTree, app: AppIdentity, claims: Claims, timestamp: str
) -> Statement | Problem:
    """Say what is to be signed: the package as it is, and claims new or kept from an older signature."""
    if any(each.severity is Severity.ERROR for each in tree.problems):
        return kinds.PACKAGE_UNREADABLE.found("The package's files can't all be read safely.")
    old = read_signature_file(tree)
    if isinstance(old, Problem):
        return old
    try:
        return _statement(tree, app, claims, old or SignatureFile(), timestamp)
    except OSError as error:
        return kinds.PACKAGE_UNREADABLE.found(f"A file could not be read: {error.strerror}.")


def _statement(
    tree: PackageTree, app: AppIdentity, claims: Claims, old: SignatureFile, timestamp: str
) -> Statement | Problem:
    digest = manifest_hash(tree)
    if digest is None:
        return kinds.PACKAGE_UNREADABLE.found("The package has no APP.md.")
    publisher_id = claims.publisher_id or old.trust.publisher_id or app.publisher_id
    if not publisher_id:
        return kinds.PUBLISHER_UNKNOWN.found(
            "Nobody is named as the publisher.", fix="Name the publisher's id with --publisher."
        )
    return Statement(
        name=app.name,
        version=app.version,
        package_hash=signed_tree_hash(tree),
        manifest_hash=digest,
        publisher_id=publisher_id,
        verified_domain=claims.verified_domain or old.trust.verified_domain or app.verified_domain,
        revocation=_revocation(claims, old),
        timestamp=timestamp,
    )


def _revocation(claims: Claims, old: SignatureFile) -> Revocation | None:
    check_url = claims.check_url or (old.revocation and old.revocation.check_url)
    if not check_url:
        return None
    kept_seconds = old.revocation.cache_seconds if old.revocation else 3600
    seconds = kept_seconds if claims.cache_seconds is None else claims.cache_seconds
    return Revocation(check_url, seconds)


def key_signature_file(
    tree: PackageTree, statement: Statement, key: "SigningKey", publisher_name: str | None = None
) -> bytes:
    """The signature file with an Ed25519 signature over the statement."""
    signature = key.sign(statement.to_bytes())
    proof = {"signatureRef": key.public_key.text, "signature": signature}
    return write_signature(
        _old_file(tree), statement, signed_by="ed25519", proof=proof, publisher_name=publisher_name
    )


def bundle_signature_file(
    tree: PackageTree, statement: Statement, bundle: str, publisher_name: str | None = None
) -> bytes:
    """The signature file with a sigstore bundle over the statement, made elsewhere."""
    proof = {"signatureRef": f"sigstore:{statement.name}@{statement.version}", "bundle": bundle}
    return write_signature(
        _old_file(tree), statement, signed_by="sigstore", proof=proof, publisher_name=publisher_name
    )


def _old_file(tree: PackageTree) -> bytes | None:
    return tree.read(SIGNATURE_FILE) if SIGNATURE_FILE in tree.files else None


def save_signature(tree: PackageTree, signature_file: bytes, target: Path) -> Path | Problem:
    """Put the file into a folder; for an archive, write a new one at `target`."""
    if isinstance(tree, FolderTree):
        return _write_whole(tree.root / SIGNATURE_FILE, signature_file)
    signed = revised(tree, put_in={SIGNATURE_FILE: signature_file})
    written = write_archive(signed, target)
    return written.problems[0] if isinstance(written, NotPacked) else target


def _write_whole(path: Path, data: bytes) -> Path | Problem:
    """Replace a file in one step, so that a half-written signature is never seen."""
    draft: Path | None = None
    try:
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".lime-sign-")
        draft = Path(name)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        draft.chmod(0o644)
        draft.replace(path)
    except OSError as error:
        if draft is not None:
            draft.unlink(missing_ok=True)
        return kinds.SIGNING_FAILED.found(f"{path} was not written: {error.strerror}.")
    return path
