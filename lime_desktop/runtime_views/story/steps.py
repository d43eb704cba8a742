"""The shapes of a story: a step, what it opens to, what went wrong in it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.task_events import Cost
from lime_desktop.runtime_views.view_status import ViewStatus

StepKind: TypeAlias = Literal[
    "asked", "looked", "model", "tool", "question", "document", "evidence", "work", "notice", "end"
]
DetailForm: TypeAlias = Literal["line", "markdown", "text", "data"]
Value: TypeAlias = str | int | float


@dataclass(frozen=True, slots=True)
class Detail:
    """One thing that a step opens to: `story.detail.<name>` is its title."""

    name: str
    text: str
    form: DetailForm = "text"


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why a step failed, as far as the events say."""

    category: str | None = None
    """The stable word for the kind of failure, e.g. `upstream_failed`."""
    message: str | None = None
    reason_code: str | None = None
    code: str | None = None
    hint: str | None = None
    declared_code: str | None = None
    """Its code in the app's own catalogue, which says what to do."""
    may_retry: bool | None = None
    """Whether the app says that it may be tried again, and as often; None where it says nothing."""


@dataclass(frozen=True, slots=True)
class Step:
    """One sentence of a story. `key` names its text, `values` fill it in."""

    step_id: str
    kind: StepKind
    key: str
    at: str
    state: ViewStatus
    values: Mapping[str, Value] = field(default_factory=dict[str, Value])
    is_quiet: bool = False
    """Housekeeping of the runtime: there for whoever wants everything."""
    ended_at: str | None = None
    turn_id: str | None = None
    artifact_id: str | None = None
    tool_call_id: str | None = None
    trouble: Trouble | None = None
    details: tuple[Detail, ...] = ()
    exact: tuple[JsonObject, ...] = ()
    """The newest events of the step as they were written."""
    event_count: int = 0
    tokens: tuple[int, int] | None = None
    """Read and written."""
    cost: Cost | None = None
    seconds: float | None = None
    """How long it took, by its own account or by its events."""
    sequence: int = 0
    """The place of its newest event in the session."""
