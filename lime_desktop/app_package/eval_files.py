"""The quality gates of a package: what each checks, and why one cannot be run. Nothing is run here.

A gate's file is YAML or JSON with `checks`. It may bring `cases`, contents whose verdict is known, for `lime-desktop eval`.
A person's review needs no file; what its file says is for the person.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field, JsonValue, ValidationError

from lime_desktop.app_package.files.path_rules import normalised
from lime_desktop.app_package.files.tree import PackageTree
from lime_desktop.app_package.manifest.resources import Eval
from lime_desktop.app_package.manifest.values import ClosedManifestModel, Items, ManifestModel, Text
from lime_desktop.app_package.reading import PackageReader
from lime_desktop.app_package.text.located import LocatedMap
from lime_desktop.app_package.value_schema import read_schema

READINESS_FILE = "evals/readiness.yaml"
MAX_CHECKS = 50
MAX_CASES = 1_000

Unrunnable = Literal["no-file", "not-a-gate", "no-checks", "no-schema", "no-cases"]
"""Why nobody can run a gate, by a stable word."""


class GroundingCheck(ClosedManifestModel):
    """Each sentence rests on a source: a passage of the app's knowledge, or a text that the content itself gives."""

    check: Literal["grounding"]
    knowledge: Items[Text] = ()
    """Templates whose documents count as sources; with neither this nor `sources`, all that are bound."""
    sources: Items[Text] = ()
    """Places in the content, as JSON pointers, that hold the words of its sources."""


class BannedWordsCheck(ClosedManifestModel):
    """None of these words, and none that somebody set for the app."""

    check: Literal["banned-words"]
    words: Items[Text] = ()


class PolicyCheck(ClosedManifestModel):
    """Sentences that must not, or must, be there."""

    check: Literal["policy"]
    never: Items[Text] = ()
    always: Items[Text] = ()


class CompletenessCheck(ClosedManifestModel):
    """Nothing is missing."""

    check: Literal["completeness"]
    fields: Items[Text] = ()
    """Places that are filled, as JSON pointers."""
    sections: Items[Text] = ()
    """Headings that have words below them."""
    min_words: Annotated[int, Field(ge=0)] = 0


class SchemaCheck(ClosedManifestModel):
    """The content fits a JSON Schema of the package."""

    check: Literal["schema"]
    schema_path: Text = Field(alias="schema")


Check = Annotated[
    GroundingCheck | BannedWordsCheck | PolicyCheck | CompletenessCheck | SchemaCheck,
    Field(discriminator="check"),
]


class EvalCase(ManifestModel):
    """A content whose verdict is known. One that has no content is for a benchmark, and is not run here."""

    key: str | None = None
    kind: str | None = None
    """The kind of artifact that it is; any otherwise."""
    title: str = ""
    content: JsonValue = None
    content_path: str | None = None
    """A file of the package that holds it: JSON, or text as it is."""
    sources: Items[str] = ()
    """What stands for the knowledge of the app, where a check asks for it."""
    accepted: bool = True

    @property
    def has_content(self) -> bool:
        """Whether there is anything to judge."""
        return self.content is not None or self.content_path is not None


class GateFile(ManifestModel):
    """What a gate's file says."""

    checks: Annotated[tuple[Check, ...], Field(max_length=MAX_CHECKS, strict=False)] = ()
    cases: Annotated[tuple[EvalCase, ...], Field(max_length=MAX_CASES, strict=False)] = ()
    questions: Items[str] = ()
    """What a person looks at."""


@dataclass(frozen=True, slots=True)
class QualityGate:
    """A gate that can be run."""

    declared: Eval
    file: GateFile
    schemas: Mapping[str, Mapping[str, JsonValue]]
    """The schemas that its checks name, by path."""

    @property
    def is_for_people(self) -> bool:
        """Whether a person decides."""
        return self.declared.kind == "human-review"

    @property
    def judges_artifacts(self) -> bool:
        """Whether it is asked when something is delivered; the others are run by hand."""
        return self.declared.kind in {None, "quality", "safety", "human-review"}

    def applies_to(self, kind: str, entry_key: str | None) -> bool:
        """Whether it judges an artifact of this kind that came from this entry."""
        named = self.declared.applies_to
        return self.judges_artifacts and (not named or kind in named or entry_key in named)


@dataclass(frozen=True, slots=True)
class EvalFiles:
    """What a package declares to judge by."""

    gates: Mapping[str, QualityGate]
    """Those that can be run, by key."""
    broken: Mapping[str, Unrunnable]
    """Those that nobody can run, and why."""
    runnable: frozenset[str]
    """The keys of the gates, and of what readiness checks by itself."""

    @property
    def triable(self) -> frozenset[str]:
        """Those that bring something to be run on before anything is delivered."""
        found = self.gates.items()
        return frozenset(
            key for key, each in found if not each.is_for_people and _contents(each.file)
        )


def read_gates(tree: PackageTree, declared: tuple[Eval, ...]) -> EvalFiles:
    """Read the file of every eval."""
    gates: dict[str, QualityGate] = {}
    broken: dict[str, Unrunnable] = {}
    reader = PackageReader(tree)
    for each in declared:
        found = _read_gate(reader, each)
        if isinstance(found, QualityGate):
            gates[each.key] = found
        elif found is not None:
            broken[each.key] = found
    return EvalFiles(gates, broken, frozenset(each.key for each in declared) - broken.keys())


def _is_readiness(declared: Eval) -> bool:
    return declared.kind == "readiness" and normalised(declared.path or "") == READINESS_FILE


def _read_gate(reader: PackageReader, declared: Eval) -> QualityGate | Unrunnable | None:
    if _is_readiness(declared):
        return None if reader.has(READINESS_FILE) else "no-file"
    path = normalised(declared.path) if declared.path is not None else None
    if path is None or not reader.has(path):
        is_enough = declared.kind == "human-review" and declared.path is None
        return QualityGate(declared, GateFile(), {}) if is_enough else "no-file"
    try:
        file = _read_file(reader, path)
    except ValidationError:
        return "not-a-gate"
    if file is None:
        # What is written for the person who reviews may be prose.
        return (
            QualityGate(declared, GateFile(), {})
            if declared.kind == "human-review"
            else "not-a-gate"
        )
    return _with_schemas(reader.tree, declared, file)


def _read_file(reader: PackageReader, path: str) -> GateFile | None:
    if path.endswith(".json"):
        parsed = reader.json(path)
    elif path.endswith((".yaml", ".yml")):
        parsed = reader.yaml(path)
    else:
        return None
    if parsed.problems or not isinstance(parsed.value, LocatedMap):
        return None
    return GateFile.model_validate(parsed.value)


def _with_schemas(tree: PackageTree, declared: Eval, file: GateFile) -> QualityGate | Unrunnable:
    schemas: dict[str, Mapping[str, JsonValue]] = {}
    for check in file.checks:
        if isinstance(check, SchemaCheck):
            schema = read_schema(tree, check.schema_path)
            if schema is None:
                return "no-schema"
            schemas[check.schema_path] = schema
    gate = QualityGate(declared, file, schemas)
    if gate.is_for_people:
        return gate
    if not file.checks:
        return "no-checks"
    return "no-cases" if not gate.judges_artifacts and not _contents(file) else gate


def _contents(file: GateFile) -> bool:
    return any(case.has_content for case in file.cases)
