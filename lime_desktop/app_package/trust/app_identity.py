"""What a package says it is, as far as signatures are concerned."""

from dataclasses import dataclass

from lime_desktop.app_package.manifest import Manifest


@dataclass(frozen=True, slots=True)
class AppIdentity:
    """Name, version and claimed publisher, from the effective manifest."""

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
