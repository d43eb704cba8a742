"""Which package, to the byte, an object was compiled from; and how that is put on the object."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import cast

STANDARD = "agentapp"


@dataclass(frozen=True)
class Provenance:
    """The identity that every object of a projection carries."""

    app_name: str
    app_version: str
    package_hash: str
    manifest_hash: str
    standard_version: str

    @cached_property
    def document(self) -> Mapping[str, str]:
        """The standard's shape of it."""
        return {
            "appName": self.app_name,
            "appVersion": self.app_version,
            "packageHash": self.package_hash,
            "manifestHash": self.manifest_hash,
            "standard": STANDARD,
            "standardVersion": self.standard_version,
        }

    def on(self, value: Mapping[str, object]) -> dict[str, object]:
        """Copy an object, with its provenance."""
        return {**value, "provenance": self.document}

    def on_each(self, values: object) -> list[dict[str, object]]:
        """Copy a list of objects (or nothing), each with its provenance."""
        return [self.on(value) for value in cast("list[dict[str, object]]", values or [])]
