r"""What a signature says. The one text that is signed, for both kinds of signature.

The standard leaves open what exactly is signed. Here it is a JSON object in one canonical spelling: keys
sorted, no spaces, everything outside ASCII as ``\uXXXX``, UTF-8. Its members, all always present:

``purpose``         the constant below, so that no other text signed by the same key can pass for this one
``name, version``   the app and its version: a signature can't be moved to another release
``packageHash``     the tree hash without ``app.signature.yaml``, which can't contain its own hash
``manifestHash``    the hash of ``APP.md``
``publisherId``     who claims to publish it
``verifiedDomain``  the domain they claim, or null
``revocation``      ``{"cacheSeconds": …, "checkUrl": …}`` or null
``timestamp``       when it was signed, as written in the signature file

``app.signature.yaml`` itself is outside the package hash. Everything in it that verification acts on is
therefore in the statement: without that, whoever passes a package on could point revocation at a server of
their own, or take it out.
"""

import json
from dataclasses import dataclass
from typing import TypeGuard

from lime_desktop.app_package.manifest import Manifest

PURPOSE = "lime-desktop/agent-app-package/v1"


@dataclass(frozen=True, slots=True)
class Revocation:
    """Where to ask whether the package was withdrawn, and how long an answer holds."""

    check_url: str
    cache_seconds: int


@dataclass(frozen=True, slots=True)
class Statement:
    """The members of the signed text."""

    name: str
    version: str
    package_hash: str
    manifest_hash: str
    publisher_id: str
    verified_domain: str | None
    revocation: Revocation | None
    timestamp: str

    def to_bytes(self) -> bytes:
        """Spell the statement in its one canonical form."""
        revocation = self.revocation and {
            "checkUrl": self.revocation.check_url,
            "cacheSeconds": self.revocation.cache_seconds,
        }
        members = {
            "purpose": PURPOSE,
            "name": self.name,
            "version": self.version,
            "packageHash": self.package_hash,
            "manifestHash": self.manifest_hash,
            "publisherId": self.publisher_id,
            "verifiedDomain": self.verified_domain,
            "revocation": revocation,
            "timestamp": self.timestamp,
        }
        return json.dumps(members, sort_keys=True, separators=(",", ":")).encode("ascii")


def timestamp_of(data: bytes) -> str | None:
    """Read the time out of a statement that was written earlier, so that it can be written again."""
    try:
        members: object = json.loads(data)
    except ValueError:
        return None
    timestamp = members.get("timestamp") if _is_object(members) else None
    return timestamp if isinstance(timestamp, str) else None


def _is_object(value: object) -> TypeGuard[dict[str, object]]:
    return isinstance(value, dict)


@dataclass(frozen=True, slots=True)
class AppIdentity:
    """What a package says it is, as far as signatures are concerned: from the effective manifest."""

    name: str
    version: str
    publisher_id: str | None = None
    verified_domain: str | None = None


def identity_of(manifest: Manifest) -> AppIdentity:
    """Take the identity out of a manifest."""
    publisher = manifest.publisher
    if publisher is None:
        return AppIdentity(manifest.name, manifest.version)
    return AppIdentity(
        manifest.name, manifest.version, publisher.publisher_id, publisher.verified_domain
    )
