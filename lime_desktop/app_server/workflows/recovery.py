"""What follows from a failure: tried again, passed over, led elsewhere, put before a person, or the end. Pure."""

from dataclasses import dataclass
from typing import TypeAlias

from lime_desktop.app_server.workflows.outcomes import Failed
from lime_desktop.app_server.workflows.steps.table import working
from lime_desktop.workflow_model.definition import WorkflowDefinition
from lime_desktop.workflow_model.recovery import Do, GoTo, Reaction, Retry
from lime_desktop.workflow_model.states import State

USUAL_RETRIES = 3
"""Where the author wants retries and does not say how many."""
LONGER = 2.0
"""How much longer each attempt may take, where a longer time-out is wanted."""
_RETRYING = frozenset({"retry", "show_error_and_retry", "retry_with_longer_timeout"})
_SHOWING = frozenset({"show_error_and_allow_retry", "show_error_and_retry"})


@dataclass(frozen=True, slots=True)
class TryAgain:
    """After this time."""

    wait_s: float


@dataclass(frozen=True, slots=True)
class PassOver:
    """On with the next state; this one has come to nothing."""


@dataclass(frozen=True, slots=True)
class LeadTo:
    """On with another state."""

    state_key: str


@dataclass(frozen=True, slots=True)
class AskPerson:
    """The run waits until somebody tries again, or stops it."""


@dataclass(frozen=True, slots=True)
class GiveUp:
    """The run fails."""


Response: TypeAlias = TryAgain | PassOver | LeadTo | AskPerson | GiveUp


def respond(
    definition: WorkflowDefinition, state: State, outcome: Failed, attempt: int
) -> Response:
    """What follows from the failure of this attempt."""
    if outcome.is_cut_off:
        return TryAgain(0)
    reaction = _reaction(definition, state, outcome)
    policy = _policy(definition, state)
    if not outcome.is_final and attempt <= _most(definition, policy, reaction):
        return TryAgain(_wait_s(policy or Retry(), attempt))
    match reaction:
        case GoTo(state_key):
            return LeadTo(state_key)
        case Do("skip"):
            return PassOver()
        case Do(word) if word in _SHOWING:
            return AskPerson()
        case _:
            return GiveUp()


def limit_of(definition: WorkflowDefinition, state: State, attempt: int) -> float | None:
    """How long an attempt may take: longer each time, where the author wants that after a time-out."""
    said = working(state)
    if said is None or said.timeout_s is None:
        return None
    is_longer = definition.recovery.on_timeout == Do("retry_with_longer_timeout")
    return said.timeout_s * (LONGER ** (attempt - 1) if is_longer else 1)


def _reaction(definition: WorkflowDefinition, state: State, outcome: Failed) -> Reaction:
    said = working(state)
    if outcome.is_timeout:
        return definition.recovery.on_timeout
    if said is not None and said.on_error is not None:
        return said.on_error
    return definition.recovery.on_error


def _policy(definition: WorkflowDefinition, state: State) -> Retry | None:
    said = working(state)
    return (said.retry if said else None) or definition.retry


def _most(definition: WorkflowDefinition, policy: Retry | None, reaction: Reaction) -> int:
    stated = policy.most if policy else 0
    wants_retries = isinstance(reaction, Do) and reaction.word in _RETRYING
    if not wants_retries:
        return stated
    return stated or definition.recovery.most_retries or USUAL_RETRIES


def _wait_s(policy: Retry, attempt: int) -> float:
    return min(policy.wait_s * policy.factor ** (attempt - 1), policy.longest_s)
