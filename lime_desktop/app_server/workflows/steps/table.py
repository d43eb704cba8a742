"""Which class carries out which kind of state."""

from collections.abc import Mapping

from lime_desktop.app_server.workflows.steps.step_kind import AnyStepKind
from lime_desktop.workflow_model.kinds import StateKind
from lime_desktop.workflow_model.states import State, Working

StepTable = Mapping[StateKind, AnyStepKind]


def follows(state: State) -> tuple[str, ...]:
    """The state that follows by its own `next`; none where its way ends with it."""
    found = getattr(state, "next", None)
    return (found,) if isinstance(found, str) else ()


def working(state: State) -> Working | None:
    """The state as one that does something, if it does."""
    return state if isinstance(state, Working) else None


def title_of(state: State) -> str:
    """What a person reads of it."""
    return state.title or state.key
