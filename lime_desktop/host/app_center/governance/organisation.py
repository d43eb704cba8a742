"""What the person's organisation says of apps: its policy, its settings for apps, its brand, which apps it allows.

One file or address, JSON or YAML:

```yaml
version: 1
name: Example Ltd
policy: { rules: [ … ] }            # as a policy file, see `policy.policy_file`; version and name may be left out
apps: { allowed: [notes, mail], blocked: [games], updates: ask }   # no `allowed`: all that are not blocked;
                                    # `updates`: ask or never, and no app is updated by itself
overlays:                           # the tenant's layer, for one app or for all of them
  "*": { values: { budget.monthly: 50 }, locks: [budget] }
branding: { productName: Example Desk, brandName: Example, accent: "#0a5bd3", logo: logo.svg }
catalogs: [https://apps.example.com/catalog.json]   # these, and the logo, may lie beside the document
```

A document that is wrong in any place is refused whole; the last good one stays in force.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast

from pydantic import ConfigDict, Field, JsonValue

from lime_desktop.host.app_center.documents import read_document
from lime_desktop.host.app_center.packages.fetching import beside
from lime_desktop.overlay.layers import OverlayLayer
from lime_desktop.policy.policy_file import PolicyFile, parse_policy_file
from lime_desktop.protocol.errors import InvalidInput
from lime_desktop.protocol.wire import WireModel

_EVERY_APP = "*"


class _Part(WireModel):
    # A misspelt key would silently not be in force.
    model_config = ConfigDict(extra="forbid")


class OrganisationBranding(_Part):
    """How the product calls itself and looks in this organisation."""

    product_name: str | None = Field(default=None, min_length=1, max_length=60)
    brand_name: str | None = Field(default=None, min_length=1, max_length=60)
    accent: str | None = Field(default=None, pattern=r"^#[0-9a-fA-F]{6}$")
    logo: str | None = Field(default=None, min_length=1, max_length=500)
    """A picture, SVG or PNG."""
    support_url: str | None = Field(default=None, pattern=r"^https://", max_length=500)


class _Apps(_Part):
    allowed: tuple[str, ...] | None = None
    blocked: tuple[str, ...] = ()
    updates: Literal["ask", "never"] | None = None


class _Overlay(_Part):
    values: dict[str, JsonValue] = Field(default_factory=dict[str, JsonValue])
    locks: tuple[str, ...] = ()


class _Document(_Part):
    version: Literal[1]
    name: str = Field(min_length=1, max_length=128)
    policy: dict[str, JsonValue] | None = None
    apps: _Apps = _Apps()
    overlays: dict[str, _Overlay] = Field(default_factory=dict[str, _Overlay])
    branding: OrganisationBranding = OrganisationBranding()
    catalogs: tuple[str, ...] = Field(default=(), max_length=20)


@dataclass(frozen=True, slots=True)
class Organisation:
    """What is in force."""

    name: str
    source: str
    policy: PolicyFile
    branding: OrganisationBranding
    catalogs: tuple[str, ...]
    allowed: frozenset[str] | None
    blocked: frozenset[str]
    updates: Literal["ask", "never"] | None
    """How apps are updated at most; None where that is the person's to choose."""
    overlays: Mapping[str, OverlayLayer]

    @property
    def locks(self) -> frozenset[str]:
        """The settings, or their beginnings, that nobody below may change."""
        return frozenset(lock for layer in self.overlays.values() for lock in layer.locks)

    def allows(self, app_id: str) -> bool:
        """Whether an app may be here at all; a block outweighs an allowance."""
        return app_id not in self.blocked and (self.allowed is None or app_id in self.allowed)

    def layer_for(self, app_id: str) -> OverlayLayer:
        """The tenant's layer for an app: what is said of all apps, and over it what is said of this one."""
        common, own = self.overlays.get(_EVERY_APP), self.overlays.get(app_id)
        found = [layer for layer in (common, own) if layer is not None]
        return OverlayLayer(
            name="tenant",
            values={key: value for layer in found for key, value in layer.values.items()},
            locks=frozenset(lock for layer in found for lock in layer.locks),
        )


def parse_organisation(text: str, source: str) -> Organisation:
    """Read the document.

    Raises:
        InvalidInput: some of it cannot be read; what is wrong is named.
    """
    document = read_document(text, "organisation", _Document)
    return Organisation(
        name=document.name,
        source=source,
        policy=_policy(document, source),
        branding=document.branding,
        catalogs=tuple(beside(source, each) for each in document.catalogs),
        allowed=None if document.apps.allowed is None else frozenset(document.apps.allowed),
        blocked=frozenset(document.apps.blocked),
        updates=document.apps.updates,
        overlays={
            app_id: OverlayLayer(name="tenant", values=each.values, locks=frozenset(each.locks))
            for app_id, each in document.overlays.items()
        },
    )


def _policy(document: _Document, source: str) -> PolicyFile:
    written = {
        "version": 1,
        "name": document.name,
        **cast("dict[str, object]", document.policy or {}),
    }
    # JSON is YAML: the policy's own reader judges it, by the same rules as a file of its own.
    policy = parse_policy_file(json.dumps(written), layer="organisation", source=source)
    if policy.is_refused:
        raise InvalidInput(f"policy: {policy.problems[0]}")
    return policy
