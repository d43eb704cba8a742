"""What the publisher signed, and where to ask whether it was revoked."""

from typing import Annotated

from pydantic import Field

from lime_desktop.app_package.manifest.values import ManifestModel, Text, Time


class PackageSignature(ManifestModel):
    """The declared hash of the package tree and the signature over it."""

    algorithm: str | None = None
    hash: Text | None = None
    """Plain hex, or with a `sha256:` prefix."""
    signed_by: str | None = None
    signature_ref: str | None = None
    timestamp: Time | None = None


class ManifestSignature(ManifestModel):
    """The declared hash of APP.md."""

    algorithm: str | None = None
    hash: Text | None = None
    signed_by: str | None = None


class SignatureTrust(ManifestModel):
    """Who claims to have signed."""

    publisher: str | None = None
    publisher_id: str | None = None
    verified_domain: str | None = None


class Revocation(ManifestModel):
    """Where revocation is looked up, and for how long an answer holds."""

    check_url: str | None = None
    cache_seconds: Annotated[int, Field(ge=0)] | None = None


class Signature(ManifestModel):
    """The content of `app.signature.yaml`."""

    package: PackageSignature | None = None
    manifest: ManifestSignature | None = None
    trust: SignatureTrust | None = None
    revocation: Revocation | None = None
