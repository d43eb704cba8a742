"""lime.capabilities: what there is, from the one catalogue, and what this version refuses, with the reason why."""

from collections.abc import Callable
from dataclasses import replace

from pydantic import BaseModel

from lime_desktop.host.capabilities.handler import Handlers, HandlerServices, InstantHandler
from lime_desktop.protocol.capabilities import CAPABILITIES, Capability, capability_named
from lime_desktop.protocol.capability_calls.discovery import (
    CapabilityEntry,
    CapabilityParams,
    CapabilityProfile,
    GetCapabilityResult,
    ListCapabilitiesResult,
)
from lime_desktop.protocol.wire import Empty
from lime_desktop.readiness.refused_capabilities import REFUSED, Refused


def handlers(services: HandlerServices) -> Handlers:
    """The handlers by the name of their call."""
    profile = services.profile
    entries = {row.name: _entry(row) for row in CAPABILITIES}

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


def _entry(row: Capability) -> CapabilityEntry:
    refused = REFUSED.get(row.name)
    # The catalogue says what the standard has and this host means to have; what is refused meanwhile says so.
    return CapabilityEntry.of(
        row if refused is None else replace(row, unavailable_reason=refused.reason)
    )


def refuse(name: str) -> Callable[[HandlerServices], Handlers]:
    """The handlers of a capability that is refused whole; arguments are checked all the same, so that a mistake is found."""
    refused, capability = REFUSED[name], capability_named(name)
    methods = capability.methods if capability else ()
    refusing = {f"{name}.{method}": _refusal(refused) for method in methods}
    return lambda _: refusing


def _refusal(refused: Refused) -> InstantHandler:
    def answer(_: object) -> BaseModel:
        raise refused.error(refused.reason)

    return answer
