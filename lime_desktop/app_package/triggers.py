"""What starts a workflow of an app when something happens: the `triggers` of each of its workflows. Starts nothing.

The standard says that workflows are started by entries and schedules, and knows no events; the form here is ours. Which
tables there are is not looked at: a table may come with a later migration.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import cast

from lime_desktop.app_package.text.located import LocatedMap, ValuePath, children
from lime_desktop.app_package.workflow_files import WorkflowFile
from lime_desktop.workflow_model.flaws import Flaw, FlawKind
from lime_desktop.workflow_model.triggers.reading import trigger_from
from lime_desktop.workflow_model.triggers.trigger import COMMON_FIELDS, EVENT_FIELDS, Trigger

MOST_TRIGGERS = 50


@dataclass(frozen=True, slots=True)
class DeclaredTrigger:
    """One trigger of a workflow."""

    key: str
    """The workflow's and its own: `book/new-invoice`."""
    title: str
    titles: Mapping[str, str]
    """The same by language."""
    workflow: WorkflowFile
    trigger: Trigger | None
    """None where something is wrong: then nobody offers it."""
    flaws: tuple[Flaw, ...]
    """What is wrong, with paths into the trigger."""
    path: ValuePath = field(repr=False)
    """Where it is in its workflow."""


def read_triggers(
    effective: LocatedMap, workflows: tuple[WorkflowFile, ...]
) -> tuple[DeclaredTrigger, ...]:
    """Every trigger of an app, in the order of its workflows; of two of one key, the first is sound."""
    declared = _declared(effective)
    found: dict[str, DeclaredTrigger] = {}
    twice: list[DeclaredTrigger] = []
    for workflow in workflows:
        for part, written, _ in children(workflow.written.get("triggers")):
            made = _read(workflow, ("triggers", part), written, declared)
            if made.key in found:
                twice.append(_as_twice(made))
            else:
                found[made.key] = made
    return tuple(islice((*found.values(), *twice), MOST_TRIGGERS))


def _declared(effective: LocatedMap) -> Mapping[str, frozenset[str]]:
    webhooks = (
        each
        for _, each, _ in children(effective.get("integrations"))
        if isinstance(each, LocatedMap)
        and isinstance(adapter := each.get("adapter"), LocatedMap)
        and adapter.get("kind") == "webhook"
    )
    kinds = (
        each
        for _, each, _ in children(effective.get("artifactTypes"))
        if isinstance(each, LocatedMap)
    )
    topics = (
        each
        for _, each, _ in children(effective.get("events"))
        if isinstance(each, LocatedMap) and each.get("direction") in {"publish", "both"}
    )
    return {
        "topic": frozenset(str(each.get("key")) for each in topics),
        "webhook": frozenset(str(each.get("key")) for each in webhooks),
        "artifact": frozenset(str(each.get("key")) for each in kinds),
    }


def _read(
    workflow: WorkflowFile,
    path: ValuePath,
    written: object,
    declared: Mapping[str, frozenset[str]],
) -> DeclaredTrigger:
    if not isinstance(written, LocatedMap):
        flaw = Flaw(FlawKind.FIELD_UNFIT, (), "A trigger must be an object.")
        return DeclaredTrigger(f"{workflow.key}/{path[-1]}", "", {}, workflow, None, (flaw,), path)
    own, title = written.get("key"), written.get("title")
    trigger, flaws = trigger_from(written, declared)
    missing = [] if isinstance(own, str) and own else [_nameless()]
    unmet = [] if trigger is None else _unmet(workflow, trigger)
    found = (*flaws, *missing, *unmet)
    name = own if isinstance(own, str) and own else str(path[-1])
    return DeclaredTrigger(
        key=f"{workflow.key}/{name}",
        title=title if isinstance(title, str) and title else name,
        titles=_titles(written.get("titleI18n")),
        workflow=workflow,
        trigger=None if found else trigger,
        flaws=found,
        path=path,
    )


def _titles(written: object) -> Mapping[str, str]:
    if not isinstance(written, LocatedMap):
        return {}
    return {str(tag): title for tag, title in written.items() if isinstance(title, str) and title}


def _nameless() -> Flaw:
    return Flaw(FlawKind.FIELD_MISSING, ("key",), "It needs `key`, by which it is allowed.")


def _as_twice(made: DeclaredTrigger) -> DeclaredTrigger:
    flaw = Flaw(FlawKind.KEY_TWICE, ("key",), "Another trigger of the workflow has this key.")
    return DeclaredTrigger(
        made.key,
        made.title,
        made.titles,
        made.workflow,
        None,
        (*made.flaws, flaw),
        made.path,
    )


def _unmet(workflow: WorkflowFile, trigger: Trigger) -> list[Flaw]:
    """Why its workflow cannot be started by such an event. What the values are is seen when one happens."""
    definition = workflow.described.definition
    if definition is None:
        message = f"The workflow `{workflow.key[:64]}` is described, not executable."
        return [Flaw(FlawKind.TARGET_MISSING, (), message)]
    inputs = cast("Mapping[str, object]", definition.inputs or {})
    kinds = inputs.get("type", "object")
    required = inputs.get("required")
    needed = cast("list[object]", required) if isinstance(required, list) else []
    brought = EVENT_FIELDS[trigger.kind] | COMMON_FIELDS
    lacking = [str(each) for each in needed if each not in brought]
    is_object = kinds == "object" or (isinstance(kinds, list) and "object" in kinds)
    if is_object and not lacking:
        return []
    named = ", ".join(f"`{each[:64]}`" for each in lacking[:5])
    about = f"an event brings no {named}" if is_object else "an event is an object"
    message = f"`inputs` of the workflow `{workflow.key[:64]}` take no such event: {about}."
    return [Flaw(FlawKind.FIELD_UNFIT, ("on",), message)]
