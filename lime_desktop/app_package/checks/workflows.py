"""Workflows that a host could carry out: every flaw of a definition as a problem with its file and line."""

from collections.abc import Iterator, Mapping

from lime_desktop.app_package.checks.facts import PackageFacts
from lime_desktop.app_package.checks.references import declared_capabilities
from lime_desktop.app_package.problem_kinds import workflows as kinds
from lime_desktop.app_package.problem_kinds.fields import VALUE_MALFORMED
from lime_desktop.app_package.problem_kinds.rules import (
    CAPABILITY_UNDECLARED,
    KEY_NOT_UNIQUE,
    REFERENCE_UNKNOWN,
)
from lime_desktop.app_package.problems import Place, Problem, ProblemKind, Severity
from lime_desktop.app_package.text.located import ValuePath
from lime_desktop.app_package.workflow_files import WorkflowFile
from lime_desktop.workflow_model.flaws import Flaw, FlawKind
from lime_desktop.workflow_model.kinds import NEEDED_CAPABILITIES

_KINDS: Mapping[FlawKind, ProblemKind] = {
    FlawKind.STATES_MISSING: kinds.WORKFLOW_NOT_EXECUTABLE,
    FlawKind.STATE_MALFORMED: VALUE_MALFORMED,
    FlawKind.KEY_TWICE: KEY_NOT_UNIQUE,
    FlawKind.KIND_UNKNOWN: kinds.STATE_KIND_UNKNOWN,
    FlawKind.FIELD_MISSING: kinds.STATE_INCOMPLETE,
    FlawKind.FIELD_UNFIT: kinds.WORKFLOW_FIELD_UNFIT,
    FlawKind.EXPRESSION_INVALID: kinds.EXPRESSION_INVALID,
    FlawKind.SCHEMA_INVALID: kinds.WORKFLOW_SCHEMA_INVALID,
    FlawKind.TARGET_MISSING: kinds.STATE_UNKNOWN,
    FlawKind.TRANSITION_AMBIGUOUS: kinds.TRANSITION_AMBIGUOUS,
    FlawKind.STATE_UNREACHABLE: kinds.STATE_UNREACHABLE,
    FlawKind.CYCLE_ENDLESS: kinds.WORKFLOW_ENDLESS,
    FlawKind.RECOVERY_MISSING: kinds.WORKFLOW_RECOVERY_MISSING,
    FlawKind.RECOVERY_UNKNOWN: kinds.RECOVERY_UNKNOWN,
    FlawKind.READ_UNANSWERED: kinds.READ_UNANSWERED,
    FlawKind.OUTPUT_UNWRITTEN: kinds.OUTPUT_UNWRITTEN,
    FlawKind.NAME_UNDECLARED: REFERENCE_UNKNOWN,
}
_UNSAYABLE_IN_A_TABLE = frozenset({FlawKind.FIELD_MISSING, FlawKind.TRANSITION_AMBIGUOUS})
_MOST_NAMED = 4


def check(facts: PackageFacts) -> Iterator[Problem]:
    """Check each workflow."""
    declared = declared_capabilities(facts)
    for workflow in facts.workflows:
        yield from _out_of_reach(workflow, declared)
        if workflow.described.outline.states or workflow.written.get("states"):
            yield from problems_of(workflow)
        elif workflow.path is not None:
            message = "The workflow has no states that a host could run."
            yield kinds.WORKFLOW_NOT_EXECUTABLE.found(message, Place(workflow.path))


def problems_of(workflow: WorkflowFile) -> Iterator[Problem]:
    """Every flaw of one workflow that has states."""
    flaws = workflow.described.flaws
    if workflow.form == "table":
        yield from _not_executable(workflow, [f for f in flaws if f.kind in _UNSAYABLE_IN_A_TABLE])
        flaws = tuple(flaw for flaw in flaws if flaw.kind not in _UNSAYABLE_IN_A_TABLE)
    for flaw in flaws:
        # What stands in the manifest is held against the standard's own form elsewhere.
        if flaw.kind is not FlawKind.STATE_MALFORMED or workflow.form != "manifest":
            kind = _KINDS[flaw.kind]
            severity = _severity(flaw, workflow)
            yield kind.found(flaw.message, _place(workflow, flaw.path), severity=severity)


def _out_of_reach(workflow: WorkflowFile, declared: set[str]) -> Iterator[Problem]:
    """States of one that can run, which would fail at each run: no rule of a person's or an organization's changes that."""
    definition = workflow.described.definition
    if definition is None:
        return
    for outlined in workflow.described.outline.states:
        state = definition.states.get(outlined.key)
        needed = None if state is None else NEEDED_CAPABILITIES.get(state.kind)
        if needed is not None and needed not in declared:
            message = (
                f"The state `{outlined.key}` needs {needed}, which the manifest does not declare."
            )
            at = _place(workflow, ("states", outlined.at, "kind"))
            yield CAPABILITY_UNDECLARED.found(message, at)


def _severity(flaw: Flaw, workflow: WorkflowFile) -> Severity | None:
    # The specification asks it of the full descriptor; its own short form in a manifest has none.
    is_short = flaw.kind is FlawKind.RECOVERY_MISSING and workflow.form != "file"
    # The specification's own workflow calls a tool that its manifest does not list.
    is_usual = flaw.kind is FlawKind.NAME_UNDECLARED
    return Severity.WARNING if is_short or is_usual else None


def _not_executable(workflow: WorkflowFile, missing: list[Flaw]) -> Iterator[Problem]:
    """One problem for what a table has no columns for: nobody wants a line for each of its rows."""
    if missing:
        named = " ".join(flaw.message for flaw in missing[:_MOST_NAMED])
        more = len(missing) - _MOST_NAMED
        message = f"The table describes the workflow, and does not say all. {named}"
        message += f" And {more} more." if more > 0 else ""
        yield kinds.WORKFLOW_NOT_EXECUTABLE.found(message, _place(workflow, ("states",)))


def _place(workflow: WorkflowFile, path: ValuePath) -> Place:
    origin = workflow.origin_of(path)
    return Place(origin.file, origin.line) if origin else Place(workflow.path)
