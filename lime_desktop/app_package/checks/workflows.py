"""Workflows that can run and recover: states that exist, are reached, and are of known kinds."""

from collections.abc import Iterator

from pydantic import ValidationError

from lime_desktop.app_package.checks.facts import PackageFacts
from lime_desktop.app_package.manifest import KNOWN_STATE_KINDS, WorkflowState
from lime_desktop.app_package.problem_kinds import rules
from lime_desktop.app_package.problem_kinds.fields import VALUE_MALFORMED
from lime_desktop.app_package.problems import Place, Problem, Severity
from lime_desktop.app_package.text.located import LocatedList, LocatedMap
from lime_desktop.app_package.workflow_files import WorkflowFile


def check(facts: PackageFacts) -> Iterator[Problem]:
    """Check each workflow."""
    for workflow in facts.workflows:
        states = workflow.written.get("states")
        if isinstance(states, LocatedList) and states:
            yield from _recovery(workflow)
            yield from _states(workflow, states)
        elif workflow.path is not None:
            message = "The workflow has no states that a host could run."
            yield rules.WORKFLOW_NOT_EXECUTABLE.found(message, Place(workflow.path))


def _recovery(workflow: WorkflowFile) -> Iterator[Problem]:
    if isinstance(workflow.written.get("recovery"), LocatedMap):
        return
    origin = workflow.written.origins["states"]
    # The specification asks it of the full descriptor; its own short form in a manifest has none.
    severity = Severity.ERROR if workflow.form == "file" else Severity.WARNING
    message = f"The workflow {workflow.key[:64]!r} does not say how it recovers."
    place = Place(origin.file, origin.line)
    yield rules.WORKFLOW_RECOVERY_MISSING.found(message, place, severity=severity)


def _states(workflow: WorkflowFile, written: LocatedList) -> Iterator[Problem]:
    states: dict[str, tuple[WorkflowState, Place]] = {}
    for item, origin in zip(written, written.origins, strict=True):
        place = Place(origin.file, origin.line)
        try:
            state = WorkflowState.model_validate(item)
        except ValidationError:
            if workflow.form != "manifest":
                message = "The state has no `key` and `kind`, or a field of the wrong type."
                yield VALUE_MALFORMED.found(message, place)
            continue
        if state.key in states:
            yield rules.KEY_NOT_UNIQUE.found("Two states have the same key.", place)
        states[state.key] = (state, place)
        if state.kind not in KNOWN_STATE_KINDS:
            yield rules.STATE_KIND_UNKNOWN.found("The kind of state is not a standard one.", place)
    if len(states) == len(written):
        yield from _transitions(states)


def _transitions(states: dict[str, tuple[WorkflowState, Place]]) -> Iterator[Problem]:
    for state, place in states.values():
        # `end` needs no state of its own: it is where a workflow stops.
        unknown = [name for name in state.next_keys if name not in {*states, "end"}]
        if unknown:
            message = f"{state.key[:64]!r} leads to {unknown[0][:64]!r}, which is no state here."
            yield rules.STATE_UNKNOWN.found(message, place)
    reached = _reachable(states)
    has_transitions = any(state.next_keys for state, _ in states.values())
    for key, (_, place) in states.items():
        if has_transitions and key not in reached:
            yield rules.STATE_UNREACHABLE.found("No state leads here.", place)


def _reachable(states: dict[str, tuple[WorkflowState, Place]]) -> set[str]:
    pending = [next(iter(states))] if states else []
    reached: set[str] = set()
    while pending:
        key = pending.pop()
        if key in states and key not in reached:
            reached.add(key)
            pending.extend(states[key][0].next_keys)
    return reached
