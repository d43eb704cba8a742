"""lime.terminal: commands that the host runs, each one approved."""

from typing import Literal

from pydantic import Field

from lime_desktop.protocol.capability_calls.call import Call, CallParams, Effect
from lime_desktop.protocol.ids import EvidenceId, NonEmpty, Timestamp
from lime_desktop.protocol.wire import Maybe, WireModel

NAME = "lime.terminal"


class RunCommandParams(CallParams):
    """A command line, where to run it, and why."""

    command: str = Field(min_length=1, max_length=32_000)
    cwd_ref: Maybe[NonEmpty[str]] = None
    """A folder reference; the workspace otherwise."""
    reason: Maybe[str] = Field(None, max_length=2_000)


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


RUN_COMMAND = Call(
    NAME,
    "run",
    RunCommandParams,
    CommandRun,
    Effect.EXTERNAL,
    "Run a command once a person approved it.",
)
GET_RUN = Call(
    NAME,
    "getRun",
    CommandRunParams,
    CommandRun,
    Effect.READ,
    "How a command stands.",
    by="server",
)
CANCEL_RUN = Call(
    NAME, "cancel", CommandRunParams, CommandRun, Effect.EXECUTE, "Stop a command.", by="server"
)

CALLS = (RUN_COMMAND, GET_RUN, CANCEL_RUN)
