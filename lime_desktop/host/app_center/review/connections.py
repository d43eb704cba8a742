"""By which ways does the outside reach the app, or the app the outside, beside what programs and permissions tell?"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from lime_desktop.app_package.manifest import Integration, Manifest
from lime_desktop.host.app_center.review.deferred_text import DeferredText
from lime_desktop.host.appearance.package_face import in_language
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.plain_text import plain_name

ConnectionKind = Literal["webhook", "browser"]


@dataclass(frozen=True, slots=True)
class DeclaredConnection:
    """One of them."""

    kind: ConnectionKind
    integration: Integration

    def words(self, texts: Texts) -> str:
        """What it means, in the host's words; only the other side's name is the author's."""
        named = in_language(self.integration.provider_i18n, texts.locale)
        provider = plain_name(named or self.integration.provider)
        return DeferredText(f"review.connection.{self.kind}", {"provider": provider}).words(texts)


def declared_connections(manifest: Manifest) -> tuple[DeclaredConnection, ...]:
    """All that the manifest names, in its order."""
    return tuple(_connections(manifest))


def _connections(manifest: Manifest) -> Iterator[DeclaredConnection]:
    for integration in manifest.integrations:
        kind = integration.adapter.kind if integration.adapter else None
        if kind in ("webhook", "browser"):
            yield DeclaredConnection(kind, integration)
