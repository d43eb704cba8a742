"""capability/list: what a session of this app could use here, and what this runtime supports."""

from typing import Literal

from pydantic import Field

from lime_desktop.protocol.ids import AppId, JsonObject, NonEmpty, RuntimeId, SessionId, Timestamp
from lime_desktop.protocol.wire import Maybe, Method, WireModel


class ListCapabilitiesParams(WireModel):
    """Filter by app, workspace or session."""

    app_id: NonEmpty[AppId] | None = None
    workspace_id: NonEmpty[str] | None = None
    session_id: NonEmpty[SessionId] | None = None
    cursor: NonEmpty[str] | None = None
    limit: int = Field(default=100, ge=1, le=500)


class ListedCapability(WireModel):
    """One capability. Never a module path, a prompt or a private folder."""

    id: str
    title: str
    description: str | None = None
    methods: tuple[str, ...] = ()
    unavailable_reason: Maybe[str] = None
    """Why every call of it is refused here; absent where it can be used."""


class RuntimeCapability(WireModel):
    """One ability of the runtime itself."""

    id: str
    status: Literal["supported", "unsupported", "degraded", "experimental"]
    scope: Literal["runtime", "provider", "session", "turn", "tool"] = "runtime"
    title: str
    detail: str | None = None
    version: str | None = None
    metadata: JsonObject | None = None


class RuntimeCapabilityManifest(WireModel):
    """What this runtime can do, so that a client need not try."""

    schema_version: Literal["lime-runtime-capability-manifest/v0.1"] = (
        "lime-runtime-capability-manifest/v0.1"
    )
    runtime_id: RuntimeId
    provider_id: str | None = None
    session_id: SessionId | None = None
    generated_at: Timestamp
    capabilities: tuple[RuntimeCapability, ...]


class ListCapabilitiesResult(WireModel):
    """One page."""

    capabilities: tuple[ListedCapability, ...]
    next_cursor: str | None = None
    runtime_capability_manifest: RuntimeCapabilityManifest | None = None


LIST_CAPABILITIES = Method("capability/list", ListCapabilitiesParams, ListCapabilitiesResult)
