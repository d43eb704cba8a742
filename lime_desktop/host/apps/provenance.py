"""Where the records come from that an app causes: the host says it, never the app."""

from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.protocol.ids import AppId
from lime_desktop.protocol.provenance import Provenance


def provenance_of(app: RegisteredApp, entry_key: str | None = None) -> Provenance:
    """What records say of their origin that the app causes; one of its entries, where a view does."""
    origin = app.projection.provenance
    return Provenance(
        app_id=AppId(app.app_id),
        app_name=origin.app_name,
        app_version=origin.app_version,
        package_hash=origin.package_hash,
        manifest_hash=origin.manifest_hash,
        standard_version=origin.standard_version,
        entry_key=entry_key,
    )
