"""What an app may know of its host. Built field by field: nothing gets in by being nearby.

A snapshot has no place for tokens, keys, paths or ledgers, and its top level never holds `ok`,
`value` or `result`, which published SDKs would take for an answer.
"""

from collections.abc import Mapping
from typing import Literal, TypeAlias

from lime_desktop.protocol.bridge.envelope import PROTOCOL, VERSION
from lime_desktop.protocol.calls.models import ModelQuality
from lime_desktop.protocol.ids import AppId, NonEmpty, Timestamp
from lime_desktop.protocol.wire import Maybe, WireModel

VisibilityState: TypeAlias = Literal["visible", "hidden", "prerender"]
ReadinessStatus: TypeAlias = Literal[
    "ready", "needs-setup", "failed", "ready-degraded", "blocked", "unknown"
]


class AppContext(WireModel):
    """The app and the entry that the view shows."""

    app_id: NonEmpty[AppId]
    entry_key: Maybe[str] = None
    display_name: str
    route: Maybe[str] = None
    runtime_origin: str
    version: str
    install_mode: Literal["in_lime", "standalone", "runtime_backed", "web_host"] = "in_lime"


class HostContext(WireModel):
    """The host, as far as it matters for display."""

    name: str = "Lime"
    version: str
    bridge_protocol: Literal["lime.agentApp.bridge"] = PROTOCOL
    bridge_version: Literal[1] = VERSION
    locale: str
    timezone: str
    visibility_state: VisibilityState = "visible"
    sent_at: Timestamp


class Theme(WireModel):
    """Colours and sizes as they are in force."""

    theme_mode: Literal["light", "dark", "system"]
    effective_theme_mode: Literal["light", "dark"]
    color_scheme_id: str
    tokens: Mapping[str, str]
    """CSS variables; published theme code applies those that start with `--lime-` or `--app-`."""


class CloudContext(WireModel):
    """Whether somebody is signed in; sent only to apps that declare lime.cloudSession."""

    control_plane_base_url: Maybe[str] = None
    tenant_id: Maybe[str] = None
    has_session: bool


class WorkspaceContext(WireModel):
    """Where the app's work belongs, by id."""

    workspace_id: str
    tenant_id: Maybe[str] = None


class CapabilitySummary(WireModel):
    """What the app may call in this entry."""

    available: tuple[str, ...]
    blocked: tuple[str, ...] = ()
    reasons: Mapping[str, str] = {}
    """Why, for each blocked capability, in words for a person."""


class SetupFinding(WireModel):
    """Something that a person still has to do."""

    key: str
    kind: str
    severity: Literal["info", "warning", "error"]
    message: str


class ReadinessSummary(WireModel):
    """Whether the entry can run, and what is missing."""

    status: ReadinessStatus
    findings: tuple[SetupFinding, ...] = ()


class ModelSummary(WireModel):
    """Whether a task of this app would be answered now, and how well. Sent only to apps that declare lime.agent or lime.models."""

    status: Literal["ready", "demo", "none", "unknown"]
    """`ready`: an able model would answer. `demo`: the person chose a demo model, whose answers are mostly wrong. `none`:
    nobody would answer, and a task is refused; do what needs no model. `unknown`: the host is still finding out."""
    quality: Maybe[ModelQuality] = None
    """Of the model that would answer."""
    label: Maybe[str] = None
    """What the model is called, for display."""
    is_local: Maybe[bool] = None
    """Whether nothing leaves this machine."""
    reason_code: Maybe[str] = None
    """Why nobody would answer: `demo_model`, `weights_missing`, `key_missing`, `engine_unavailable` …"""
    message: Maybe[str] = None
    """The same in words for a person, in their language."""


class HostSnapshot(WireModel):
    """Everything that an app may know of its host at one moment."""

    app: AppContext
    host: HostContext
    theme: Theme
    capabilities: CapabilitySummary
    readiness: ReadinessSummary
    workspace: Maybe[WorkspaceContext] = None
    cloud: Maybe[CloudContext] = None
    models: Maybe[ModelSummary] = None
