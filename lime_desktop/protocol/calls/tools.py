"""tool/*: tools that run for a page of an app, outside of any agent's turn.

The host says who asks and what people agreed to; the tool's own demands are judged here once more.
"""

from typing import Literal

from pydantic import Field, JsonValue

from lime_desktop.protocol.capability_calls.tools import CommandRun, ToolInvocation
from lime_desktop.protocol.ids import AppId, JsonObject, NonEmpty, Timestamp
from lime_desktop.protocol.wire import HostOnlyParams, Method, WireModel

MAX_WAIT_MS = 25_000


class AppToolParams(HostOnlyParams):
    """A tool of an app, and what it is to do."""

    app_id: NonEmpty[AppId]
    tool: NonEmpty[str]
    """Its full name, or the key that the manifest gives it."""
    action: NonEmpty[str] | None = None
    """Which of several, where the key stands for a server or a program with several operations."""
    input: JsonObject = Field(default_factory=dict)
    scope_id: NonEmpty[str]
    """What the call belongs to, such as one open view: tools that keep files keep them apart by it."""


class DescribeToolParams(AppToolParams):
    """What has policy to be asked before this call?"""


class ToolTarget(WireModel):
    """Something that a call reaches for."""

    kind: Literal["domain", "path", "tool", "secret", "knowledge", "workflow", "artifact", "event"]
    value: str


class ToolDemand(WireModel):
    """The call in policy's words."""

    tool_name: str
    title: str | None = None
    capability: str
    """What it is: a program is `lime.terminal`, a tool server `lime.mcp`."""
    method: str
    also_as: tuple[str, ...] = ()
    """What the manifest calls it besides; both are judged."""
    program: tuple[str, ...] = ()
    """The program that would run, by its own name, and every word that it is given."""
    is_unconfined: bool = False
    """Nothing walls the program off."""
    bound_to: str = ""
    """A digest of what acts on what: a yes that is kept holds for the same alone."""
    access: Literal["read", "write", "execute"]
    side_effect: str
    targets: tuple[ToolTarget, ...] = ()
    operation: str | None = None
    unavailable_reason: str | None = None
    """Why it cannot be called now; a tool that can has none."""
    unavailable_code: str | None = None
    """The same as a stable word, such as `no_sandbox`."""


class DescribeToolResult(WireModel):
    """What the call would be."""

    demand: ToolDemand


class AgreedToolParams(AppToolParams):
    """A tool's call that people were asked about, and what they said yes to."""

    entry: NonEmpty[str] | None = None
    operation: NonEmpty[str] | None = None
    """The declared operation that the page says it carries out."""
    has_idempotency_key: bool = False
    is_dry_run_done: bool = False
    agreed: tuple[str, ...] = ()
    """The rules that somebody said yes to for this very call; what they do not cover is refused."""


class InvokeAppToolParams(AgreedToolParams):
    """Run a tool. Whoever cancels a call that waits to the end cancels the tool."""

    keeps_input: bool = False
    """Whether a program is given more to read while it runs."""
    wait_ms: int | None = Field(default=5_000, ge=0, le=MAX_WAIT_MS)
    """How long the answer may wait for the end; None waits to the end."""


class GiveInputParams(AgreedToolParams):
    """Give a running program more to read: the call that runs it, with the new text as its `stdin`."""

    run_id: NonEmpty[str]
    close: bool = False
    """Whether nothing comes after it."""


class ToolRun(WireModel):
    """A tool at work, or what came of it."""

    invocation_id: str
    tool_name: str
    status: Literal["running", "succeeded", "failed", "cancelled"]
    progress: float = Field(default=0, ge=0, le=1)
    message: str | None = None
    """The newest word about it; of a failure, its reason."""
    category: str | None = None
    """Of a failure: what kind of thing went wrong."""
    text: str = ""
    structured: JsonValue = None
    """The same in a form for programs, where the tool gives one."""
    refs: tuple[str, ...] = ()
    exit_code: int | None = None
    """Of a command that ended by itself."""
    started_at: Timestamp
    finished_at: Timestamp | None = None

    def as_invocation(self, key: str | None = None) -> ToolInvocation:
        """The run as lime.tools tells of it, under the key by which it was called."""
        output = self.text if self.structured is None else self.structured
        return ToolInvocation(
            invocation_id=self.invocation_id,
            key=key or self.tool_name,
            status=self.status,
            progress=self.progress,
            message=self.message,
            output=output if self.status == "succeeded" else None,
            refs=self.refs,
            started_at=self.started_at,
            finished_at=self.finished_at,
        )

    def as_command_run(self) -> CommandRun:
        """The run as lime.terminal tells of it: a program that ended by itself has exited, whatever its code."""
        return CommandRun(
            run_id=self.invocation_id,
            status="exited"
            if self.status == "succeeded" or self.category == "exit_code"
            else self.status,
            exit_code=self.exit_code,
            output=self.text or self.message or "",
            output_ref=self.refs[0] if self.refs else None,
            started_at=self.started_at,
            finished_at=self.finished_at,
        )


class ToolRunResult(WireModel):
    """How it stands."""

    run: ToolRun


class ListAppToolsParams(HostOnlyParams):
    """Which tools and connections that an app names are there?"""

    app_id: NonEmpty[AppId]


class ListAppToolsResult(WireModel):
    """By the keys of the manifest, and by the tools' own names. Nothing was started to find out."""

    tools: tuple[str, ...]
    integrations: tuple[str, ...]
    services: tuple[str, ...] = ()
    """The app's own backends whose program is here, walled off or not."""


class ReadSandboxParams(HostOnlyParams):
    """Can programs of apps be walled off here?"""


class ReadSandboxResult(WireModel):
    """What walls them off, or why nothing does."""

    mode: Literal["bubblewrap", "none"]
    absence: str | None = None
    """Why there is no sandbox."""
    mend: str | None = None
    """The line that gets one, where there is such a line."""


DESCRIBE_TOOL = Method("tool/describe", DescribeToolParams, DescribeToolResult)
INVOKE_TOOL = Method("tool/invoke", InvokeAppToolParams, ToolRunResult)
GIVE_INPUT = Method("tool/input", GiveInputParams, ToolRunResult)
LIST_APP_TOOLS = Method("tool/list", ListAppToolsParams, ListAppToolsResult)
READ_SANDBOX = Method("tool/sandbox", ReadSandboxParams, ReadSandboxResult)
