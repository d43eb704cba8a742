"""What a benchmark tries: a suite of tasks in YAML or JSON, read with the file, the line and the remedy of every fault.

```yaml
name: answers
version: 1
timeoutSeconds: 120                 # each trial; a model that does not answer in time has failed it
repeat: 3                           # trials of each task on each model
tolerance: { successRate: 0.1, tokens: 0.2, cost: 0.2, seconds: 0.5 }
tasks:
  - key: opening-hours
    entry: chat
    prompt: When are you open?
    gates: [grounded]               # quality gates of the app
    checks: [{ check: policy, always: [Monday] }]
```
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field, JsonValue, ValidationError

from lime_desktop.app_package.eval_files import MAX_CHECKS, Check, SchemaCheck
from lime_desktop.app_package.manifest.values import ClosedManifestModel, Items, Text
from lime_desktop.app_package.package import AppPackage
from lime_desktop.app_package.problems import Place, Problem, ProblemKind
from lime_desktop.app_package.text.json_text import parse_json
from lime_desktop.app_package.text.located import LocatedMap, ValuePath, find, key_path
from lime_desktop.app_package.text.plain_text import MAX_TEXT_BYTES, ReadingBudget
from lime_desktop.app_package.text.yaml_text import parse_yaml
from lime_desktop.app_package.value_schema import read_schema
from lime_desktop.developer.benchmark import suite_problems as kinds
from lime_desktop.protocol.agent_tasks import StartTaskParams
from lime_desktop.runtime_views.benchmarks import Tolerance

MOST_TASKS = 50
MOST_TRIALS = 20
_KEY = r"^[a-z0-9][a-z0-9._-]{0,63}$"
_ASKED = (
    *("entry", "taskKind", "title", "prompt", "input", "expectedOutput", "knowledge", "tools"),
    *("costLimit", "maxOutputTokens"),
)
"""The fields of a task that `startTask` takes as they are."""

Key = Annotated[str, Field(pattern=_KEY)]
Seconds = Annotated[int, Field(ge=1, le=3_600)]
Trials = Annotated[int, Field(ge=1, le=MOST_TRIALS)]
Share = Annotated[float, Field(ge=0, le=100)]


class SuiteTolerance(ClosedManifestModel):
    """How much worse a task may do; what is not said is as usual."""

    success_rate: Annotated[float, Field(ge=0, le=1)] | None = None
    tokens: Share | None = None
    cost: Share | None = None
    seconds: Share | None = None


class SuiteTask(ClosedManifestModel):
    """One task: what is asked, and what an answer must hold to."""

    key: Key
    entry: Text | None = None
    task_kind: Text | None = None
    title: Text | None = None
    prompt: Text | None = None
    input: JsonValue = None
    expected_output: dict[str, JsonValue] | None = None
    knowledge: Items[JsonValue] = ()
    tools: Items[JsonValue] = ()
    cost_limit: dict[str, JsonValue] | None = None
    max_output_tokens: int | None = None
    gates: Items[Text] = ()
    """Quality gates of the app, by key."""
    checks: Annotated[tuple[Check, ...], Field(max_length=MAX_CHECKS, strict=False)] = ()
    sources: Items[str] = ()
    """What stands for the knowledge of the app, where a check asks for it."""
    timeout_seconds: Seconds | None = None
    repeat: Trials | None = None

    def asked(self) -> dict[str, Any]:
        """What `startTask` is asked, as it would be written."""
        written = self.model_dump(by_alias=True, include=set(type(self).model_fields))
        return {name: written[name] for name in _ASKED if written[name] not in (None, ())}


class Suite(ClosedManifestModel):
    """A suite as it is written."""

    name: Key
    version: Annotated[str, Field(min_length=1, max_length=64)] | int
    timeout_seconds: Seconds = 120
    repeat: Trials = 1
    tolerance: SuiteTolerance = SuiteTolerance()
    tasks: Annotated[
        tuple[SuiteTask, ...], Field(min_length=1, max_length=MOST_TASKS, strict=False)
    ]

    def tolerated(self) -> Tolerance:
        """What is tolerated, with what is usual where nothing is said."""
        return Tolerance.model_validate(self.tolerance.model_dump(exclude_none=True))


@dataclass(frozen=True, slots=True)
class SuiteFile:
    """What was found: the suite only where nothing is wrong."""

    suite: Suite | None
    digest: str
    problems: tuple[Problem, ...] = ()


def read_suite(body: bytes, name: str, package: AppPackage) -> SuiteFile:
    """Read a suite for one app, with everything that is wrong with it."""
    digest = f"sha256:{hashlib.sha256(body).hexdigest()}"
    if len(body) > MAX_TEXT_BYTES:
        message = f"The file is larger than {MAX_TEXT_BYTES} bytes."
        return SuiteFile(None, digest, (kinds.NOT_A_SUITE.found(message, Place(name)),))
    parse = parse_json if name.endswith(".json") else parse_yaml
    parsed = parse(body, name, ReadingBudget())
    if parsed.problems:
        return SuiteFile(None, digest, tuple(parsed.problems))
    if not isinstance(parsed.value, LocatedMap):
        message = "The file holds no keys and values."
        return SuiteFile(None, digest, (kinds.NOT_A_SUITE.found(message, Place(name, 1)),))
    try:
        suite = Suite.model_validate(parsed.value)
    except ValidationError as error:
        return SuiteFile(None, digest, tuple(_broken(error, parsed.value, ())))
    problems = tuple(_wrong(suite, parsed.value, package))
    return SuiteFile(None if problems else suite, digest, problems)


def _wrong(suite: Suite, written: LocatedMap, package: AppPackage) -> Iterator[Problem]:
    """What no field says by itself: keys twice, names that the app does not have, tasks that nobody could start."""
    seen: set[str] = set()
    for number, task in enumerate(suite.tasks):
        at: ValuePath = ("tasks", number)
        if task.key in seen:
            yield _found(kinds.TASK_TWICE, f"{task.key} is there twice.", written, (*at, "key"))
        seen.add(task.key)
        try:
            StartTaskParams.model_validate(task.asked())
        except ValidationError as error:
            yield from _broken(error, written, at)
        yield from _unknown(task, written, at, package)


def _unknown(
    task: SuiteTask, written: LocatedMap, at: ValuePath, package: AppPackage
) -> Iterator[Problem]:
    manifest, gates = package.manifest, package.quality_gates
    if task.entry is not None and task.entry not in {each.key for each in manifest.entries}:
        message = f"{manifest.name} has no entry {task.entry}."
        yield _found(kinds.NAME_UNKNOWN, message, written, (*at, "entry"))
    for number, key in enumerate(task.gates):
        place = (*at, "gates", number)
        if key in gates.broken:
            message = f"The gate {key} can't be run: {gates.broken[key]}."
            yield _found(kinds.GATE_NOT_RUNNABLE, message, written, place)
        elif key not in gates.gates:
            message = f"{manifest.name} has no quality gate {key}."
            yield _found(kinds.NAME_UNKNOWN, message, written, place)
    for number, check in enumerate(task.checks):
        if isinstance(check, SchemaCheck) and not read_schema(package.tree, check.schema_path):
            message = f"{check.schema_path} is no JSON Schema of the package."
            yield _found(kinds.NAME_UNKNOWN, message, written, (*at, "checks", number, "schema"))


def _broken(error: ValidationError, written: LocatedMap, below: ValuePath) -> Iterator[Problem]:
    """A problem for each place that breaks a rule: one that fits no arm of a union breaks one in each."""
    told: set[ValuePath] = set()
    for detail in error.errors(include_url=False, include_input=False):
        path = _place(written, (*below, *detail["loc"]), detail["type"])
        if path in told:
            continue
        told.add(path)
        shown = key_path(path) or "The suite"
        match detail["type"]:
            case "missing":
                yield _found(kinds.VALUE_MISSING, f"{shown} is missing.", written, path)
            case "extra_forbidden":
                yield _found(kinds.KEY_UNKNOWN, f"{shown} is not known.", written, path)
            case _:
                message = f"{shown}: {detail['msg']}."
                yield _found(kinds.VALUE_INVALID, message, written, path)


def _place(written: LocatedMap, path: ValuePath, kind: str) -> ValuePath:
    """Where the file is wrong: pydantic's path without the arms of unions that it names on the way."""
    found: ValuePath = ()
    for number, part in enumerate(path):
        is_last = number == len(path) - 1
        if find(written, (*found, part))[0] is not None or (is_last and kind == "missing"):
            found = (*found, part)
    return found


def _found(kind: ProblemKind, message: str, written: LocatedMap, path: ValuePath) -> Problem:
    _, origin = find(written, path)
    file, line = origin or (None, None)
    return kind.found(message, Place(file, line, key_path(path)))
