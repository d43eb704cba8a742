"""The workflows of a package: declared in the manifest, in files of their own, or in both.

A file may be YAML, JSON, Markdown with frontmatter, Markdown with a YAML block, or Markdown with a
table of states. One that only describes its steps is kept, and said to be not executable.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Literal

from pydantic import ValidationError

from lime_desktop.app_package.files.path_rules import looks_like_path, normalised
from lime_desktop.app_package.manifest import Workflow
from lime_desktop.app_package.reading import PackageReader
from lime_desktop.app_package.text.located import LocatedMap, Origin, ValuePath, children, find
from lime_desktop.app_package.text.markdown import code_blocks
from lime_desktop.app_package.text.yaml_text import parse_yaml
from lime_desktop.app_package.value_schema import is_schema
from lime_desktop.app_package.workflow_tables import states_from_table

if TYPE_CHECKING:
    from lime_desktop.workflow_model.definition import DescribedWorkflow

WorkflowForm = Literal["manifest", "file", "table", "prose"]
_MAX_BLOCKS = 20
_MAX_WORKFLOWS = 200
_DECLARED_IN: Mapping[str, tuple[str, ...]] = {
    "tool": ("integrations", "toolRefs"),
    "entry": ("entries",),
    "eval": ("evals",),
    "knowledge": ("knowledgeTemplates",),
    "workflow": ("workflows",),
}
_SUFFIXES = (".yaml", ".yml", ".json", ".md")


@dataclass(frozen=True)
class WorkflowFile:
    """One workflow as it was written, wherever that was."""

    key: str
    path: str | None
    form: WorkflowForm
    """Where its states come from; `prose` has none that a host could run."""
    written: LocatedMap
    """Manifest and file merged, the file winning."""
    declared: Mapping[str, frozenset[str]] = field(repr=False, compare=False)
    """What the manifest declares that a state may name."""

    @cached_property
    def described(self) -> "DescribedWorkflow":
        """What was made of it: its outline, its flaws, and a definition where nothing prevents running it."""
        # Fifty classes of states and expressions, which no package without a workflow needs.
        from lime_desktop.workflow_model.definition import definition_from  # noqa: PLC0415

        return definition_from(
            self.written, key=self.key, is_schema=is_schema, declared=self.declared
        )

    def origin_of(self, path: ValuePath) -> Origin | None:
        """Where a part of it was written; where it is missing, where it would belong."""
        return find(self.written, path)[1]

    @property
    def workflow(self) -> Workflow | None:
        """The workflow as a model, None if it breaks the standard's rules."""
        try:
            return Workflow.model_validate({**self.written, "key": self.key})
        except ValidationError:
            return None


def read_workflows(reader: PackageReader, effective: LocatedMap) -> tuple[WorkflowFile, ...]:
    """Every workflow that the manifest declares, that an entry names, or that lies in `workflows/`."""
    found: list[WorkflowFile] = []
    read: set[str] = set()
    for item in _declared(effective)[:_MAX_WORKFLOWS]:
        path = _existing(reader, item.get("path"))
        found.append(_read(reader, path, item))
        read.update([path] if path else [])
    further = [
        path for path in dict.fromkeys(_further_files(reader, effective)) if path not in read
    ]
    found.extend(
        _read(reader, path, LocatedMap(Origin(path, 1))) for path in further[:_MAX_WORKFLOWS]
    )
    declared = {what: _keys(effective, lists) for what, lists in _DECLARED_IN.items()}
    declared["workflow"] |= {each.key for each in found}
    return tuple(replace(each, declared=declared) for each in found)


def _keys(effective: LocatedMap, lists: tuple[str, ...]) -> frozenset[str]:
    items = (item for name in lists for _, item, _ in children(effective.get(name)))
    keys = (item.get("key") for item in items if isinstance(item, LocatedMap))
    return frozenset(key for key in keys if isinstance(key, str))


def _declared(effective: LocatedMap) -> list[LocatedMap]:
    return [
        item for _, item, _ in children(effective.get("workflows")) if isinstance(item, LocatedMap)
    ]


def _further_files(reader: PackageReader, effective: LocatedMap) -> Iterator[str]:
    for _, entry, _ in children(effective.get("entries")):
        named = entry.get("workflow") if isinstance(entry, LocatedMap) else None
        path = (
            _existing(reader, named) if isinstance(named, str) and looks_like_path(named) else None
        )
        if path is not None:
            yield path
    for path in reader.tree.files:
        name = path.removeprefix("workflows/")
        if name != path and name.endswith(_SUFFIXES) and not name.startswith("README"):
            yield path


def _existing(reader: PackageReader, path: object) -> str | None:
    wanted = normalised(path) if isinstance(path, str) else None
    return wanted if wanted and reader.has(wanted) else None


def _read(reader: PackageReader, path: str | None, declared: LocatedMap) -> WorkflowFile:
    form: WorkflowForm = "manifest" if "states" in declared else "prose"
    written = LocatedMap(declared.origin)
    for key, value in declared.items():
        written.put(key, value, declared.origins[key])
    if path is not None:
        from_file, file_form = _read_file(reader, path)
        for key, value in from_file.items():
            written.put(key, value, from_file.origins[key])
        form = file_form if "states" in from_file else form
    key = written.get("key")
    return WorkflowFile(key if isinstance(key, str) else _stem(path), path, form, written, {})


def _stem(path: str | None) -> str:
    return (path or "").rpartition("/")[2].partition(".")[0]


def _read_file(reader: PackageReader, path: str) -> tuple[LocatedMap, WorkflowForm]:
    if path.endswith(".md"):
        return _read_markdown(reader, path)
    parsed = reader.json(path) if path.endswith(".json") else reader.yaml(path)
    return _descriptor(parsed.value) or LocatedMap(Origin(path, 1)), "file"


def _read_markdown(reader: PackageReader, path: str) -> tuple[LocatedMap, WorkflowForm]:
    document = reader.markdown(path)
    described = _descriptor(document.frontmatter.value)
    if described is not None and "states" in described:
        return described, "file"
    blocks = code_blocks(document.body, document.body_line)
    in_yaml = (block for block in blocks if block.language in {"yaml", "yml"})
    for block in islice(in_yaml, _MAX_BLOCKS):
        parsed = parse_yaml(block.text, path, reader.budget, first_line=block.line)
        descriptor = _descriptor(parsed.value)
        if descriptor is not None:
            reader.keep(parsed)
            return descriptor, "file"
    described = described or LocatedMap(Origin(path, 1))
    states = states_from_table(document.body, path, document.body_line)
    if states is not None:
        described.put("states", states, states.origin)
        return described, "table"
    return described, "prose"


def _descriptor(value: object) -> LocatedMap | None:
    """The workflow in a file: under `workflow`, first of `workflows`, or the file's own top."""
    inner, _ = find(value, ("workflow",))
    listed, _ = find(value, ("workflows", 0))
    for candidate in (inner, listed, value):
        if isinstance(candidate, LocatedMap) and ("states" in candidate or "key" in candidate):
            return candidate
    return None
