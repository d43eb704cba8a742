"""The states of a workflow: one class per kind, each with exactly the fields that its kind has."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

from lime_desktop.workflow_model.expressions.syntax import Expression
from lime_desktop.workflow_model.expressions.templates import Template
from lime_desktop.workflow_model.kinds import StateKind
from lime_desktop.workflow_model.recovery import Reaction, Retry

Schema: TypeAlias = Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """What every state may say of itself."""

    key: str
    title: str | None = None
    description: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Compensation:
    """What takes a step back when the run fails later."""

    tool: str
    input: Template


@dataclass(frozen=True, slots=True, kw_only=True)
class Working(Described):
    """A state that does something: it may fail, take too long, be tried again and be taken back."""

    next: str | None = None
    """None where the run, or the branch of a parallel state, ends after it."""
    output: Schema | None = None
    timeout_s: float | None = None
    retry: Retry | None = None
    on_error: Reaction | None = None
    compensate: Compensation | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StartState(Described):
    """Where a run begins."""

    kind: ClassVar = StateKind.START
    next: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EndState(Described):
    """Where a run ends, and how."""

    kind: ClassVar = StateKind.END
    status: Literal["succeeded", "failed", "cancelled"] = "succeeded"
    output: Template | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentTaskState(Working):
    """An agent is given a task."""

    kind: ClassVar = StateKind.AGENT_TASK
    entry: str | None = None
    agent: str | None = None
    prompt: Template | None = None
    input: Template | None = None
    tools: tuple[str, ...] = ()
    knowledge: tuple[str, ...] = ()
    model: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCallState(Working):
    """A tool is called once."""

    kind: ClassVar = StateKind.TOOL_CALL
    tool: str
    action: str | None = None
    input: Template
    idempotency_key: Template | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanReviewState(Described):
    """A person decides on exactly this content."""

    kind: ClassVar = StateKind.HUMAN_REVIEW
    content: Template
    schema: Schema | None = None
    """The content's form: what its fields are called, in the person's language."""
    approve: str | None = None
    modify: str | None = None
    """None where a person may not change what they decide on, or the run ends then."""
    reject: str | None = None
    """None where a no ends the run as rejected."""
    deadline_s: float | None = None
    on_deadline: Reaction | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UserInputState(Described):
    """A person fills in a form."""

    kind: ClassVar = StateKind.USER_INPUT
    next: str | None = None
    form: Schema
    deadline_s: float | None = None
    on_deadline: Reaction | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StorageWriteState(Working):
    """Something is written into the app's storage."""

    kind: ClassVar = StateKind.STORAGE_WRITE
    table: str | None = None
    storage_key: Template | None = None
    value: Template | None = None
    mode: Literal["set", "insert", "upsert", "delete"] = "set"


@dataclass(frozen=True, slots=True, kw_only=True)
class ArtifactCreateState(Working):
    """A deliverable is made."""

    kind: ClassVar = StateKind.ARTIFACT_CREATE
    artifact_kind: str
    artifact_title: Template
    content: Template


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeSearchState(Working):
    """Passages are looked for."""

    kind: ClassVar = StateKind.KNOWLEDGE_SEARCH
    query: Template
    template: str | None = None
    top_k: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalState(Working):
    """A quality gate judges something."""

    kind: ClassVar = StateKind.EVAL
    eval: str
    subject: Template


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceRecordState(Working):
    """Something is put on record."""

    kind: ClassVar = StateKind.EVIDENCE_RECORD
    event: str
    data: Template | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """One way of a branch."""

    when: Expression
    next: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchState(Described):
    """The first case that holds says where to go, else the default."""

    kind: ClassVar = StateKind.BRANCH
    cases: tuple[Case, ...]
    otherwise: str


@dataclass(frozen=True, slots=True)
class ForEach:
    """The same state once for every item of a list."""

    over: Expression
    state_key: str
    limit: int | None = None
    """How many items are worked on at the same time. Every item is, in the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParallelState(Described):
    """Several states at the same time, which meet again in the next."""

    kind: ClassVar = StateKind.PARALLEL
    next: str | None = None
    ways: tuple[str, ...] | ForEach
    join: Literal["all", "any", "first-error"] = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitState(Described):
    """Some time passes, a moment comes or an event."""

    kind: ClassVar = StateKind.WAIT
    next: str | None = None
    for_s: float | None = None
    until: Template | None = None
    event: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SubWorkflowState(Working):
    """Another workflow of the app runs as one step."""

    kind: ClassVar = StateKind.SUB_WORKFLOW
    workflow: str
    input: Template | None = None


State: TypeAlias = (
    StartState
    | EndState
    | AgentTaskState
    | ToolCallState
    | HumanReviewState
    | UserInputState
    | StorageWriteState
    | ArtifactCreateState
    | KnowledgeSearchState
    | EvalState
    | EvidenceRecordState
    | BranchState
    | ParallelState
    | WaitState
    | SubWorkflowState
)
