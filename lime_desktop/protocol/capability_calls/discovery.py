"""lime.capabilities: what does this host offer?"""

from collections.abc import Mapping
from typing import Literal

from lime_desktop.protocol.capabilities import Capability, Group, Owner, Stage
from lime_desktop.protocol.capability_calls.call import Call, CallParams, Effect, ResultValue
from lime_desktop.protocol.ids import NonEmpty
from lime_desktop.protocol.wire import Empty, Maybe, WireModel

NAME = "lime.capabilities"


class CapabilityEntry(WireModel):
    """A capability as this host has it."""

    name: str
    version: str
    group: Group
    stage: Stage
    owner: Owner
    methods: tuple[str, ...]
    summary: str
    enabled: bool
    implementation: Literal["none", "native"]
    """This host has no mocks and no adapters: a capability is real or refused."""
    unavailable_reason: Maybe[str] = None

    @classmethod
    def of(cls, capability: Capability) -> "CapabilityEntry":
        """The catalogue's row as it travels."""
        return cls(
            name=capability.name,
            version=capability.version,
            group=capability.group,
            stage=capability.stage,
            owner=capability.owner,
            methods=capability.methods,
            summary=capability.summary,
            enabled=capability.is_offered,
            implementation="native" if capability.is_offered else "none",
            unavailable_reason=capability.unavailable_reason,
        )


class ListCapabilitiesResult(ResultValue[tuple[CapabilityEntry, ...]]):
    """Every capability that the standard or its SDK names, offered or not."""


class CapabilityParams(CallParams):
    """The capability meant."""

    capability: NonEmpty[str]


class GetCapabilityResult(ResultValue[CapabilityEntry | None]):
    """The capability, or null where nobody knows it."""


class CapabilityProfile(WireModel):
    """The host as an app meets it."""

    app_runtime_version: str
    standard_versions: tuple[str, ...]
    runtime_targets: tuple[str, ...]
    capabilities: Mapping[str, str]
    """Name → newest contract version, for what is offered."""
    standards: tuple[str, ...] = ()
    feature_flags: Mapping[str, bool] = {}


CALLS = (
    Call(NAME, "list", Empty, ListCapabilitiesResult, Effect.READ, "Everything there is."),
    Call(NAME, "get", CapabilityParams, GetCapabilityResult, Effect.READ, "One capability."),
    Call(NAME, "getProfile", Empty, CapabilityProfile, Effect.READ, "The host in versions."),
)  # fmt: skip
