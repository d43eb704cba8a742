"""What the facts of a run say beside their standard fields, typed: of the whole run, and of each step."""

from typing import Any, Literal, TypeVar

import msgspec

from lime_desktop.protocol.capability_calls.workflow import WaitsFor
from lime_desktop.protocol.ids import JsonObject

Phase = Literal["running", "waiting"]


class Failure(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why something failed."""

    code: str
    message: str
    retryable: bool = False


class Value(msgspec.Struct, frozen=True, omit_defaults=True):
    """A value as a fact holds it: within, or by reference where it is large or a field is named like a key."""

    inline: Any = None
    ref: str | None = None


NOTHING = Value()


class PlannedFailure(msgspec.Struct, frozen=True, omit_defaults=True, rename="camel"):
    """How a state fails, whatever it would have come to."""

    code: str
    message: str
    retryable: bool = True
    until_attempt: int = 1


class RunPlan(msgspec.Struct, frozen=True, omit_defaults=True, rename="camel"):
    """What a developer wants otherwise in a run. Heeded only while its app is one that somebody works on."""

    is_held: bool = False
    branches: dict[str, str] = {}
    failures: dict[str, PlannedFailure] = {}
    ahead_ms: int = 0
    """How far its time is ahead of the machine's."""


class RunDetail(msgspec.Struct, frozen=True, omit_defaults=True, rename="camel"):
    """What is known of a run."""

    key: str
    definition_ref: str
    provenance: dict[str, Any]
    trigger: str = "call"
    input: Value = NOTHING
    set_by: dict[str, str] = {}
    """Of its input, who set which part."""
    output: Value = NOTHING
    workspace_id: str | None = None
    locale: str | None = None
    model: str | None = None
    first: str | None = None
    """The state that it begins with, where that is not the definition's first: of a fork."""
    forked_from: str | None = None
    place_of: str | None = None
    """The run whose place it has taken, as its app went back to a checkpoint: the first of them."""
    parent_run_id: str | None = None
    parent_step_id: str | None = None
    caused_by: str | None = None
    """The run that made the event happen which started this one."""
    phase: Phase = "running"
    is_paused: bool = False
    """Beside the phase: what happens in a step meanwhile must not end the pause."""
    state: str = ""
    states: list[str] = []
    waits_for: WaitsFor | None = None
    due_at: str | None = None
    started_at: str | None = None
    error: Failure | None = None
    failed_step: str | None = None
    decision: Literal["reject"] | None = None
    """Of one that ended cancelled: what was put to a person was rejected."""
    cost_usd: float = 0.0
    checkpoint: str | None = None
    checkpoint_state: Value = NOTHING
    plan: RunPlan | None = None


class StepDetail(msgspec.Struct, frozen=True, omit_defaults=True, rename="camel"):
    """What is known of a step."""

    state: str
    kind: str
    title: str = ""
    attempt: int = 1
    input: Value = NOTHING
    output: Value = NOTHING
    next: list[str] = []
    item: Value | None = None
    """What `$.item` stands for on the way that this step is on; stated by its first step."""
    waits_for: WaitsFor | None = None
    due_at: str | None = None
    due_means: Literal["timeout", "deadline", "over", "retry"] | None = None
    """What it means when that moment comes."""
    session_id: str | None = None
    turn_id: str | None = None
    task_id: str | None = None
    action_id: str | None = None
    ways: int | None = None
    """How many ways it has opened."""
    cost_usd: float = 0.0
    tokens: int = 0
    decision: str | None = None
    decided_by: str | None = None
    note: str | None = None
    is_inherited: bool = False
    is_compensation: bool = False
    of_step: str | None = None
    """The step that this one takes back."""


T = TypeVar("T")


def read(detail: JsonObject | None, kind: type[T]) -> T:
    """A detail as it was stored."""
    return msgspec.convert(detail or {}, kind)


def stated(**fields: object) -> JsonObject:
    """Some fields of a detail, as a fact states them; None takes one back."""
    return {_camel(name): msgspec.to_builtins(value) for name, value in fields.items()}


def written(detail: RunDetail | StepDetail) -> JsonObject:
    """A whole detail, as a fact states it."""
    return msgspec.to_builtins(detail)


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)
