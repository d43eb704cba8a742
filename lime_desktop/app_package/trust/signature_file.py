"""`app.signature.yaml`: the standard's shape, and the two fields this host adds to it.

``package.signature``   base64 of the Ed25519 signature over the statement; the key is ``package.signatureRef``
``package.bundle``      the sigstore bundle over the statement, as its JSON text

Hashes are written ``sha256:`` and hex, and read with or without the prefix.
"""

import io
import re
from typing import Annotated, Any, Literal, TypeGuard

from pydantic import Field, StrictInt, StrictStr, ValidationError
from ruamel.yaml import YAML

from lime_desktop.app_package.files.hashes import SIGNATURE_FILE
from lime_desktop.app_package.files.tree import PackageTree
from lime_desktop.app_package.problem_kinds.trust import SIGNATURE_FILE_INVALID
from lime_desktop.app_package.problems import Place, Problem, Severity
from lime_desktop.app_package.text.plain_text import ReadingBudget
from lime_desktop.app_package.text.yaml_text import parse_yaml
from lime_desktop.app_package.trust.statement import Revocation, Statement
from lime_desktop.protocol.wire import WireModel

DEFAULT_CACHE_SECONDS = 3600
_HEX = re.compile(r"(?:sha256:)?([0-9a-fA-F]{64})")


class SignedPackage(WireModel):
    """The package's hash, and the signature over the statement."""

    algorithm: StrictStr = "sha256"
    hash: StrictStr | None = None
    signed_by: StrictStr | None = None
    signature_ref: StrictStr | None = None
    timestamp: StrictStr | None = None
    signature: StrictStr | None = None
    bundle: StrictStr | None = None


class SignedManifest(WireModel):
    """The manifest's hash."""

    algorithm: StrictStr = "sha256"
    hash: StrictStr | None = None


class ClaimedTrust(WireModel):
    """Who claims to publish the package; nothing here is believed for being written here."""

    publisher: StrictStr | None = None
    publisher_id: StrictStr | None = None
    verified_domain: StrictStr | None = None


class RevocationAddress(WireModel):
    """Where to ask whether the package was withdrawn."""

    check_url: StrictStr
    cache_seconds: Annotated[StrictInt, Field(ge=0)] = DEFAULT_CACHE_SECONDS


class SignatureFile(WireModel):
    """The content of `app.signature.yaml`."""

    package: SignedPackage = SignedPackage()
    manifest: SignedManifest = SignedManifest()
    trust: ClaimedTrust = ClaimedTrust()
    revocation: RevocationAddress | None = None

    def statement(self, name: str, version: str, hashes: tuple[str, str]) -> Statement:
        """Say what its signature must be over, for the app and the hashes that were really found."""
        package_hash, manifest_hash = hashes
        revocation = self.revocation and Revocation(
            self.revocation.check_url, self.revocation.cache_seconds
        )
        return Statement(
            name,
            version,
            package_hash,
            manifest_hash,
            self.trust.publisher_id or "",
            self.trust.verified_domain,
            revocation,
            self.package.timestamp or "",
        )


def read_signature_file(tree: PackageTree) -> SignatureFile | Problem | None:
    """Read the package's signature file; None where there is none."""
    if SIGNATURE_FILE not in tree.files:
        return None
    try:
        data = tree.read(SIGNATURE_FILE)
    except OSError:
        return _invalid("The file could not be read.")
    return _parse(data)


def _parse(data: bytes) -> SignatureFile | Problem:
    parsed = parse_yaml(data, SIGNATURE_FILE, ReadingBudget())
    broken = [each for each in parsed.problems if each.severity is Severity.ERROR]
    if broken:
        return _invalid(broken[0].message, broken[0].line)
    if not _is_mapping(parsed.value) or not _is_mapping(parsed.value.get("signature")):
        return _invalid("The file has no `signature` at its top.")
    try:
        return SignatureFile.model_validate(parsed.value["signature"])
    except ValidationError as error:
        wrong = sorted({".".join(map(str, each["loc"])) for each in error.errors()})
        return _invalid(f"Not as the standard has it: {', '.join(wrong)}.")


def _invalid(message: str, line: int | None = None) -> Problem:
    return SIGNATURE_FILE_INVALID.found(message, Place(SIGNATURE_FILE, line))


def _is_mapping(value: object) -> TypeGuard[dict[str, object]]:
    return isinstance(value, dict)


def plain_hex(text: str | None) -> str | None:
    """The 64 hex digits of a written hash, without prefix and in lower case."""
    match = _HEX.fullmatch(text or "")
    return match[1].lower() if match else None


def write_signature(
    old: bytes | None,
    statement: Statement,
    *,
    signed_by: Literal["ed25519", "sigstore"],
    proof: dict[str, str],
    publisher_name: str | None = None,
) -> bytes:
    """Give the signature file for a statement, keeping an old file's comments, order and other keys."""
    yaml: Any = YAML()
    yaml.width = 4096
    document: Any = yaml.load(old.decode("utf-8-sig")) if old else {}
    signature = document.setdefault("signature", {})
    package = _section(signature, "package")
    for stale in ("signature", "bundle", "signatureRef"):
        package.pop(stale, None)
    package.update(algorithm="sha256", hash=statement.package_hash, signedBy=signed_by)
    package.update(proof, timestamp=statement.timestamp)
    manifest = {"algorithm": "sha256", "hash": statement.manifest_hash, "signedBy": signed_by}
    _section(signature, "manifest").update(manifest)
    _write_claims(signature, statement, publisher_name)
    out = io.BytesIO()
    yaml.dump(document, out)
    return out.getvalue()


def _write_claims(signature: Any, statement: Statement, publisher_name: str | None) -> None:
    claims = {
        "publisher": publisher_name,
        "publisherId": statement.publisher_id,
        "verifiedDomain": statement.verified_domain,
    }
    _section(signature, "trust").update({k: v for k, v in claims.items() if v is not None})
    if statement.revocation:
        address = {
            "checkUrl": statement.revocation.check_url,
            "cacheSeconds": statement.revocation.cache_seconds,
        }
        _section(signature, "revocation").update(address)


def _section(signature: Any, name: str) -> Any:
    if not isinstance(signature.get(name), dict):
        signature[name] = {}
    return signature[name]
