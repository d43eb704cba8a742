"""lime.skills: agent skills; they run only through the agent."""

from typing import Literal

from pydantic import Field, JsonValue

from lime_desktop.protocol.capability_calls.call import Call, CallParams, Effect, ResultValue
from lime_desktop.protocol.errors import RunNotFound
from lime_desktop.protocol.errors.of_calls import RECORDED_TASKS, STARTED_TASK, TOOLS
from lime_desktop.protocol.ids import NonEmpty, SessionId, TaskId, Timestamp
from lime_desktop.protocol.wire import Maybe, WireModel

NAME = "lime.skills"


class ListSkillsParams(CallParams):
    """Which skills to list."""

    kind: Maybe[Literal["bundled", "reference", "host"]] = None


class Skill(WireModel):
    """A skill that the app may use."""

    skill_id: str
    kind: Literal["bundled", "reference", "host"]
    title: str
    description: str
    activation: Literal["auto", "on-demand", "manual"]
    available: bool
    enabled: bool
    version: Maybe[str] = None
    """Of the skill that is here; absent where it says none."""
    wanted_version: Maybe[str] = None
    """The range that the app's manifest asks for."""
    unavailable_reason: Maybe[str] = None
    """What is missing, and how to get it."""
    reason_code: Maybe[Literal["not_installed", "version_unfit"]] = None


class ListSkillsResult(ResultValue[tuple[Skill, ...]]):
    """The skills that the app may use."""


class SkillParams(CallParams):
    """The skill meant."""

    skill_id: NonEmpty[str]


class BindSkillParams(SkillParams):
    """The skill to ask the person to enable, and why."""

    reason: Maybe[str] = Field(None, max_length=2_000)


class BindSkillResult(WireModel):
    """How the request stands. The answer never waits for a person."""

    skill_id: str
    status: Literal["bound", "pending", "denied"]
    """`pending`: the person was asked; repeat the call to get the outcome."""


class InvokeSkillParams(SkillParams):
    """The skill and its input."""

    input: JsonValue = None


class SkillInvocation(WireModel):
    """A skill at work in an agent task, or what came of it."""

    invocation_id: str
    skill_id: str
    task_id: TaskId
    """The agent task that runs it; follow it with lime.agent."""
    session_id: SessionId
    """Where the task runs."""
    status: Literal["running", "succeeded", "cancelled", "failed"]
    output: JsonValue = None
    started_at: Timestamp
    finished_at: Maybe[Timestamp] = None


class SkillInvocationParams(CallParams):
    """The invocation meant."""

    invocation_id: NonEmpty[str]


LIST_SKILLS = Call(
    NAME,
    "list",
    ListSkillsParams,
    ListSkillsResult,
    Effect.READ,
    "The app's skills.",
    by="server",
)
RESOLVE_SKILL = Call(
    NAME, "resolve", SkillParams, Skill, Effect.READ, "One skill.", by="server", errors=TOOLS
)
BIND_SKILL = Call(
    NAME,
    "bind",
    BindSkillParams,
    BindSkillResult,
    Effect.ASK,
    "Ask the person to enable a skill.",
    errors=TOOLS,
)
INVOKE_SKILL = Call(
    NAME,
    "invoke",
    InvokeSkillParams,
    SkillInvocation,
    Effect.EXECUTE,
    "Have an agent use a skill.",
    by="server",
    session_of=lambda run: run.session_id,
    errors=(*TOOLS, *STARTED_TASK),
)
GET_INVOCATION = Call(
    NAME,
    "getInvocation",
    SkillInvocationParams,
    SkillInvocation,
    Effect.READ,
    "How an invocation stands.",
    by="server",
    errors=(RunNotFound, *RECORDED_TASKS),
)

CALLS = (LIST_SKILLS, RESOLVE_SKILL, BIND_SKILL, INVOKE_SKILL, GET_INVOCATION)
