"""lime.tools and lime.terminal: tools that the host runs for an app, and commands, each one approved."""

from typing import Literal, TypeAlias

from pydantic import AliasChoices, Field, JsonValue

from lime_desktop.protocol.capability_calls.call import Call, CallParams, Effect
from lime_desktop.protocol.errors.of_calls import RUN_TOOL, TOOLS
from lime_desktop.protocol.ids import EvidenceId, NonEmpty, Timestamp
from lime_desktop.protocol.wire import Maybe, WireModel

NAME = "lime.tools"

InvocationStatus: TypeAlias = Literal["running", "succeeded", "failed", "cancelled"]


class InvokeToolParams(CallParams):
    """The tool and its input."""

    key: NonEmpty[str] = Field(validation_alias=AliasChoices("key", "tool"))
    """Its key in the manifest; where that stands for several tools, `key/action`."""
    input: JsonValue = None

    @property
    def declared_key(self) -> str:
        """What the manifest calls it: no key has a stroke in it."""
        return self.key.partition("/")[0]

    @property
    def action(self) -> str | None:
        """Which of several."""
        return self.key.partition("/")[2] or None


class ToolInvocation(WireModel):
    """A tool at work, or what came of it."""

    invocation_id: str
    key: str
    status: InvocationStatus
    progress: float = Field(0, ge=0, le=1)
    message: Maybe[str] = None
    output: JsonValue = None
    """What the tool gave, once it succeeded."""
    refs: tuple[str, ...] = ()
    """Files and sources that the output is about."""
    evidence_id: Maybe[EvidenceId] = None
    started_at: Timestamp
    finished_at: Maybe[Timestamp] = None


class InvocationParams(CallParams):
    """The invocation meant."""

    invocation_id: NonEmpty[str]


INVOKE_TOOL = Call(
    NAME,
    "invoke",
    InvokeToolParams,
    ToolInvocation,
    Effect.EXECUTE,
    "Run a tool; a long one is still running when the answer comes.",
    errors=RUN_TOOL,
)
GET_PROGRESS = Call(
    NAME,
    "getProgress",
    InvocationParams,
    ToolInvocation,
    Effect.READ,
    "How far a tool is.",
    by="server",
    errors=TOOLS,
)

CALLS = (INVOKE_TOOL, GET_PROGRESS)


TERMINAL = "lime.terminal"
MOST_INPUT_CHARACTERS = 64_000
"""At a time."""


class RunCommandParams(CallParams):
    """A command line, where to run it, and why."""

    command: str = Field(min_length=1, max_length=32_000)
    cwd_ref: Maybe[NonEmpty[str]] = None
    """A folder reference; the workspace otherwise."""
    reason: Maybe[str] = Field(None, max_length=2_000)
    keep_input: bool = False
    """Whether it is to be given input while it runs; unless asked for, it reads the end of its input at once."""


class CommandRun(WireModel):
    """A command at work, or what came of it."""

    run_id: str
    status: Literal["running", "exited", "cancelled", "failed"]
    exit_code: Maybe[int] = None
    output: str = ""
    """The newest part of what it wrote."""
    output_ref: Maybe[str] = None
    """All of it, where it is long."""
    evidence_id: Maybe[EvidenceId] = None
    started_at: Timestamp
    finished_at: Maybe[Timestamp] = None


class CommandRunParams(CallParams):
    """The run meant."""

    run_id: NonEmpty[str]


class WriteInputParams(CommandRunParams):
    """What a running command is to read, and whether that is the end of it."""

    text: str = Field("", max_length=MOST_INPUT_CHARACTERS)
    close: bool = False


RUN_COMMAND = Call(
    TERMINAL,
    "run",
    RunCommandParams,
    CommandRun,
    Effect.EXTERNAL,
    "Run a command once a person approved it.",
    errors=RUN_TOOL,
)
GET_RUN = Call(
    TERMINAL,
    "getRun",
    CommandRunParams,
    CommandRun,
    Effect.READ,
    "How a command stands.",
    by="server",
    errors=TOOLS,
)
CANCEL_RUN = Call(
    TERMINAL,
    "cancel",
    CommandRunParams,
    CommandRun,
    Effect.EXECUTE,
    "Stop a command.",
    by="server",
    errors=TOOLS,
)

WRITE_INPUT = Call(
    TERMINAL,
    "write",
    WriteInputParams,
    CommandRun,
    Effect.EXTERNAL,
    "Give a running command something to read, approved as the command was.",
    errors=RUN_TOOL,
)

TERMINAL_CALLS = (RUN_COMMAND, GET_RUN, WRITE_INPUT, CANCEL_RUN)
