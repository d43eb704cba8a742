"""lime.capabilities: what there is, from the one catalogue, and what is not offered, with the reason why."""

from pydantic import BaseModel

from lime_desktop.host.capabilities.handler import Handlers, HandlerServices
from lime_desktop.protocol.capabilities import CAPABILITIES
from lime_desktop.protocol.capability_calls.discovery import (
    CapabilityEntry,
    CapabilityParams,
    CapabilityProfile,
    GetCapabilityResult,
    ListCapabilitiesResult,
)
from lime_desktop.protocol.wire import Empty


def handlers(services: HandlerServices) -> Handlers:
    """The handlers by the name of their call."""
    profile = services.profile
    entries = {row.name: CapabilityEntry.of(row) for row in CAPABILITIES}

    def get(params: CapabilityParams) -> BaseModel:
        return GetCapabilityResult(entries.get(params.capability))

    def list_all(_: Empty) -> BaseModel:
        return ListCapabilitiesResult(tuple(entries.values()))

    def get_profile(_: Empty) -> BaseModel:
        return CapabilityProfile(
            app_runtime_version=profile.app_runtime_versions[-1],
            standard_versions=profile.manifest_versions,
            runtime_targets=profile.runtime_targets,
            capabilities={name: versions[-1] for name, versions in profile.capabilities.items()},
            standards=profile.standards,
        )

    return {
        "lime.capabilities.get": get,
        "lime.capabilities.list": list_all,
        "lime.capabilities.getProfile": get_profile,
    }
