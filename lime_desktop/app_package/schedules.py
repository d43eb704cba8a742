"""What an app wants started by itself: services with a `schedule`, and which workflow each begins. Starts nothing.

The standard gives a service a `schedule`, an entry of the kind `background-task` its `service`, and says nothing of what
is started. Here it is a workflow: named by the service, or by the entry that names the service. No program is run for it.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import cast

from pydantic import JsonValue

from lime_desktop.app_package.text.located import LocatedMap, ValuePath, children
from lime_desktop.app_package.value_schema import fits
from lime_desktop.app_package.workflow_files import WorkflowFile
from lime_desktop.spelling import did_you_mean
from lime_desktop.workflow_model.flaws import Flaw, FlawKind
from lime_desktop.workflow_model.schedules.reading import schedule_from
from lime_desktop.workflow_model.schedules.schedule import Schedule

SCHEDULED_KINDS = frozenset({"scheduler", "background-task"})
"""The kinds of services that start something by time; others are programs: see `backends`."""
MOST_SCHEDULES = 50


@dataclass(frozen=True, slots=True)
class DeclaredSchedule:
    """A service with a schedule."""

    key: str
    """The service's."""
    title: str
    entry_key: str | None
    """The background task that it is the schedule of."""
    workflow_key: str | None
    """What it starts."""
    input: JsonValue
    schedule: Schedule | None
    """None where something is wrong: then nobody offers it."""
    flaws: tuple[Flaw, ...]
    """What is wrong, with paths into the service."""
    path: ValuePath = field(repr=False)
    """Where the service is in the manifest."""


def read_schedules(
    effective: LocatedMap, workflows: tuple[WorkflowFile, ...]
) -> tuple[DeclaredSchedule, ...]:
    """Every schedule of an app, in the order of its services; of two of one key, the first."""
    found: dict[str, DeclaredSchedule] = {}
    for path, service in _scheduled(effective):
        made = _read(path, service, _entry_of(effective, service.get("key")), workflows)
        if len(found) < MOST_SCHEDULES:
            found.setdefault(made.key, made)
    return tuple(found.values())


def _scheduled(effective: LocatedMap) -> Iterator[tuple[ValuePath, LocatedMap]]:
    for part, service, _ in children(effective.get("services")):
        if not isinstance(service, LocatedMap) or not isinstance(service.get("key"), str):
            continue
        kind = service.get("kind")
        if kind == "scheduler" or (kind in SCHEDULED_KINDS and "schedule" in service):
            yield ("services", part), service


def _entry_of(effective: LocatedMap, service_key: object) -> Mapping[str, object]:
    for _, entry, _ in children(effective.get("entries")):
        if (
            isinstance(entry, LocatedMap)
            and entry.get("kind") == "background-task"
            and entry.get("service") == service_key
        ):
            return entry
    return {}


def _read(
    path: ValuePath,
    service: LocatedMap,
    entry: Mapping[str, object],
    workflows: tuple[WorkflowFile, ...],
) -> DeclaredSchedule:
    schedule, flaws = schedule_from(service)
    named = service.get("workflow", entry.get("workflow"))
    given, unfit = _input(service)
    workflow, missing = _workflow(named, given, workflows)
    found = (*flaws, *(unfit or missing))
    key, title, entry_key = str(service["key"]), entry.get("title"), entry.get("key")
    return DeclaredSchedule(
        key=key,
        title=title if isinstance(title, str) and title else key,
        entry_key=entry_key if isinstance(entry_key, str) else None,
        workflow_key=workflow,
        input=given,
        schedule=None if found else schedule,
        flaws=found,
        path=path,
    )


def _input(service: LocatedMap) -> tuple[JsonValue, tuple[Flaw, ...]]:
    """What the workflow is given: JSON, or a flaw. YAML knows more kinds of values, such as dates."""
    try:
        return _plain(service.get("input")), ()
    except (TypeError, ValueError, RecursionError):
        return None, (Flaw(FlawKind.FIELD_UNFIT, ("input",), "`input` is no JSON."),)


def _plain(value: object) -> JsonValue:
    return cast("JsonValue", json.loads(json.dumps(value, allow_nan=False)))


def _workflow(
    named: object, given: JsonValue, workflows: tuple[WorkflowFile, ...]
) -> tuple[str | None, tuple[Flaw, ...]]:
    """The workflow that is begun, by its key or its file, and why it cannot be."""
    found = next((each for each in workflows if named in {each.key, each.path}), None)
    if not isinstance(named, str) or found is None:
        known = [each.key for each in workflows]
        meant = did_you_mean(named, known) if isinstance(named, str) else ""
        message = "It names no workflow of the app, so there is nothing to start."
        return None, (_nothing(f"{message}{meant}"),)
    definition = found.described.definition
    if definition is None:
        message = f"The workflow `{found.key[:64]}` is described, not executable."
        return found.key, (_nothing(message),)
    # Checked as a run's start checks it: the schema without the places of its values.
    inputs = cast("Mapping[str, object] | None", _plain(definition.inputs))
    if inputs is not None and not fits(inputs, given):
        message = f"`input` is not what the workflow `{found.key[:64]}` takes."
        return found.key, (Flaw(FlawKind.FIELD_UNFIT, ("input",), message),)
    return found.key, ()


def _nothing(message: str) -> Flaw:
    return Flaw(FlawKind.FIELD_MISSING, ("workflow",), message)
