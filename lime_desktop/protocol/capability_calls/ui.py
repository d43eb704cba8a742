"""lime.ui and lime.branding: the app's place in the host's windows, and how the hosting product looks and calls itself."""

from typing import Annotated, Literal

from pydantic import AliasChoices, Field, JsonValue

from lime_desktop.protocol.bridge.from_app import (
    DownloadPayload,
    NavigatePayload,
    OpenExternalPayload,
    ToastPayload,
)
from lime_desktop.protocol.bridge.snapshot import HostSnapshot
from lime_desktop.protocol.capability_calls.call import Acknowledged, Call, CallParams, Effect
from lime_desktop.protocol.errors import (
    ArtifactNotFound,
    EntryNotFound,
    FileReferenceUnknown,
    HostActionFailed,
    SessionNotFound,
    UntrustedUrl,
)
from lime_desktop.protocol.errors.of_calls import NAMED_TASK
from lime_desktop.protocol.ids import ArtifactId, JsonObject, NonEmpty, Timestamp
from lime_desktop.protocol.wire import Empty, Maybe, WireModel

NAME = "lime.ui"


class RegisterRouteParams(CallParams):
    """A page of the app that the host may open by itself, as from its command palette."""

    path: Annotated[str, Field(pattern=r"^/", max_length=1_024)]
    title: Maybe[str] = Field(None, max_length=200)
    entry_key: Maybe[NonEmpty[str]] = None
    """The declared entry that the route belongs to; the current one otherwise."""
    placement: Literal["page", "panel", "settings", "artifact-viewer"] = "page"


class RegisterRouteResult(WireModel):
    """The route is known until the view closes."""

    registered: bool = True
    path: str


class GetLocaleResult(WireModel):
    """The language and region to show."""

    locale: str
    """A BCP 47 tag, such as `zh-CN`."""
    timezone: str
    direction: Literal["ltr", "rtl"] = "ltr"


class OpenArtifactParams(CallParams):
    """An artifact to show in the host's viewer."""

    id: NonEmpty[ArtifactId] = Field(validation_alias=AliasChoices("id", "artifactId"))


class OpenedResult(WireModel):
    """It is open."""

    opened: bool = True


class NavigateResult(WireModel):
    """Where the view is now."""

    navigated_to: str


class DownloadResult(WireModel):
    """What became of the file."""

    downloaded: bool = True
    """False while the person is still choosing a place: it is saved when they have, and a repeated call says so."""
    status: Maybe[Literal["pending"]] = None
    """`pending`: the chooser is open; repeat the call to hear of the outcome."""


class SelectDirectoryParams(CallParams):
    """A folder to ask the person for."""

    title: Maybe[str] = Field(None, max_length=200)
    persist: bool = False
    """Ask for a reference that outlives the view."""


class SelectDirectoryResult(WireModel):
    """The folder by reference; `path` is its display name, never where it lies."""

    path: str | None
    """What published apps show; null when nothing was chosen."""
    ref: Maybe[str] = None
    """Grants access to the folder through lime.files."""
    cancelled: bool
    message: Maybe[str] = None
    """Says so when the chooser is still open: repeat the call to get the choice."""


class AgentRunParams(CallParams):
    """The run to show in the host's drawer, and how."""

    task_id: Maybe[str] = None
    session_id: Maybe[str] = None
    bridge_action: Maybe[str] = None
    title: Maybe[str] = Field(None, max_length=500)
    mode: Literal["drawer", "modal", "page"] = "drawer"
    expected_output: Maybe[JsonValue] = None
    runtime_process: Maybe[JsonObject] = None
    runtime_facts: Maybe[JsonValue] = None
    task: Maybe[JsonObject] = None
    snapshot: Maybe[JsonObject] = None
    events: Maybe[tuple[JsonObject, ...]] = None


class AgentRunSurface(WireModel):
    """The host's own run drawer."""

    surface: Literal["host_agent_run"] = "host_agent_run"
    mode: Maybe[Literal["drawer", "modal", "page"]] = None
    task_id: Maybe[str] = None


class OpenAgentRunResult(AgentRunSurface):
    """The drawer is open."""

    opened: bool = True


class UpdateAgentRunResult(AgentRunSurface):
    """The drawer shows the new state."""

    updated: bool = True


class CloseAgentRunResult(AgentRunSurface):
    """The drawer is closed."""

    closed: bool = True


CALLS = (
    Call(NAME, "registerRoute", RegisterRouteParams, RegisterRouteResult, Effect.WRITE,
         "Make a page of the app known to the host.",
         errors=(EntryNotFound, UntrustedUrl)),
    Call(NAME, "getLocale", Empty, GetLocaleResult, Effect.READ,
         "The language, region and time zone to show."),
    Call(NAME, "openArtifact", OpenArtifactParams, OpenedResult, Effect.ASK,
         "Show an artifact in the host's viewer.",
         errors=(ArtifactNotFound,)),
    Call(NAME, "toast", ToastPayload, Acknowledged, Effect.ASK, "Show a short notice."),
    Call(NAME, "navigate", NavigatePayload, NavigateResult, Effect.WRITE,
         "Go to another route or entry of the app.",
         errors=(EntryNotFound, UntrustedUrl)),
    Call(NAME, "openExternal", OpenExternalPayload, OpenedResult, Effect.EXTERNAL,
         "Open a page in the person's browser.",
         errors=(UntrustedUrl,)),
    Call(NAME, "download", DownloadPayload, DownloadResult, Effect.ASK,
         "Save a file where the person says.",
         errors=(UntrustedUrl, FileReferenceUnknown, HostActionFailed)),
    Call(NAME, "selectDirectory", SelectDirectoryParams, SelectDirectoryResult, Effect.ASK,
         "Ask the person for a folder.",
         errors=(FileReferenceUnknown,)),
    Call(NAME, "getSnapshot", Empty, HostSnapshot, Effect.READ, "The current snapshot of the host."),
    Call(NAME, "openAgentRun", AgentRunParams, OpenAgentRunResult, Effect.ASK,
         "Show a run in the host's drawer.",
         errors=(SessionNotFound, *NAMED_TASK)),
    Call(NAME, "updateAgentRun", AgentRunParams, UpdateAgentRunResult, Effect.ASK,
         "Change what the drawer shows.",
         errors=(SessionNotFound, *NAMED_TASK)),
    Call(NAME, "closeAgentRun", AgentRunParams, CloseAgentRunResult, Effect.ASK,
         "Close the drawer."),
)  # fmt: skip


BRANDING = "lime.branding"


class BrandingSnapshot(WireModel):
    """The brand in force."""

    state: Literal["unbranded", "branded", "customized"]
    brand_name: str
    product_name: str
    channel: str
    theme: str
    primary_color: str
    logo_text: str
    updated_at: Timestamp


BRANDING_CALLS = (
    Call(BRANDING, "getSnapshot", Empty, BrandingSnapshot, Effect.READ, "The brand in force."),
)  # fmt: skip
