"""One package, read whole: its manifest, its other files, and everything that is wrong with it.

Loading never raises on what a package holds. It executes nothing.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from types import MappingProxyType

from lime_desktop.app_package.checks import run_checks
from lime_desktop.app_package.checks.facts import PackageFacts
from lime_desktop.app_package.declared_errors import DeclaredErrors
from lime_desktop.app_package.eval_files import EvalFiles, read_gates
from lime_desktop.app_package.files import hashes
from lime_desktop.app_package.files.tree import PackageTree
from lime_desktop.app_package.layers.field_rules import read_manifest
from lime_desktop.app_package.layers.ignored import find_ignored
from lime_desktop.app_package.layers.merging import Conflict, merge_layers
from lime_desktop.app_package.layers.misspelt import find_misspelt
from lime_desktop.app_package.layers.shapes import LAYER_FILES
from lime_desktop.app_package.manifest import Manifest
from lime_desktop.app_package.problem_kinds.fields import (
    FIELD_MISSING,
    FIELD_WRONG_TYPE,
    TOO_MANY_PROBLEMS,
)
from lime_desktop.app_package.problem_kinds.files import APP_MD_MISSING
from lime_desktop.app_package.problem_kinds.layers import LAYER_EMPTY
from lime_desktop.app_package.problem_kinds.rules import REFERENCE_UNKNOWN
from lime_desktop.app_package.problem_kinds.text import SYNTAX_INVALID
from lime_desktop.app_package.problems import Place, Problem, Severity
from lime_desktop.app_package.reading import PackageReader
from lime_desktop.app_package.schedules import DeclaredSchedule, read_schedules
from lime_desktop.app_package.skill_files import Skill, read_skills
from lime_desktop.app_package.storage_files import schema_path
from lime_desktop.app_package.text.app_md import Section
from lime_desktop.app_package.text.located import LocatedMap, Origin, key_path, walk
from lime_desktop.app_package.translations import Translations
from lime_desktop.app_package.triggers import DeclaredTrigger, read_triggers
from lime_desktop.app_package.workflow_files import WorkflowFile, read_workflows

MAX_PROBLEMS = 1000
_GUESSES = frozenset({FIELD_MISSING.code, FIELD_WRONG_TYPE.code, LAYER_EMPTY.code})
"""What is found at the end of a file that breaks off."""


@dataclass(frozen=True)
class AppPackage:
    """What a package says, where it says so, and what is wrong with it."""

    tree: PackageTree
    manifest: Manifest
    """The sound part; identity fields that are missing or unsound have placeholders."""
    effective: LocatedMap
    """The merged values as they were written, sound or not."""
    conflicts: tuple[Conflict, ...]
    sections: Mapping[str, Section]
    """Known sections of APP.md's guide by key: `when_to_use`, `verification_checklist`, …"""
    problems: tuple[Problem, ...]
    workflows: tuple[WorkflowFile, ...] = ()
    skills: tuple[Skill, ...] = ()
    storage_schema: LocatedMap | None = None

    @property
    def name(self) -> str:
        """The app's name, or the folder's where the manifest has none."""
        return self.manifest.name

    @property
    def is_valid(self) -> bool:
        """Whether no problem is an error."""
        return all(problem.severity is not Severity.ERROR for problem in self.problems)

    @cached_property
    def origins(self) -> Mapping[str, Origin]:
        """The file and line of every effective value by its key path."""
        found = {key_path(path): origin for path, _, origin in walk(self.effective)}
        return MappingProxyType(found)

    @cached_property
    def translations(self) -> Translations:
        """The texts that the app brings in other languages."""
        return Translations(self.tree, self.manifest.i18n)

    @cached_property
    def quality_gates(self) -> EvalFiles:
        """Its quality gates, and those that nobody can run. Read when somebody asks: few packages have any."""
        return read_gates(self.tree, self.manifest.evals)

    @cached_property
    def schedules(self) -> tuple[DeclaredSchedule, ...]:
        """What it wants started by itself, sound or not."""
        return read_schedules(self.effective, self.workflows)

    @cached_property
    def triggers(self) -> tuple[DeclaredTrigger, ...]:
        """What it wants started when something happens, sound or not."""
        return read_triggers(self.effective, self.workflows)

    @cached_property
    def errors(self) -> DeclaredErrors:
        """What the app calls its failures."""
        return DeclaredErrors(self.manifest.errors, self.translations)

    @cached_property
    def package_hash(self) -> str:
        """The hash of the whole tree; OSError if a file can no longer be read."""
        return hashes.tree_hash(self.tree)

    @cached_property
    def manifest_hash(self) -> str | None:
        """The hash of APP.md's bytes, None without one; OSError if it can no longer be read."""
        return hashes.manifest_hash(self.tree)


def load_package(tree: PackageTree) -> AppPackage:
    """Read a package and collect every problem."""
    reader = PackageReader(tree)
    problems = list(tree.problems)
    document = reader.app_md()
    layers = merge_layers(document.frontmatter, reader)
    manifest, broken = read_manifest(layers.effective, _placeholder_name(tree.name))
    workflows = read_workflows(reader, layers.effective)
    skills = read_skills(reader, layers.effective, problems)
    facts = PackageFacts(reader, layers.effective, workflows, skills)
    if not layers.effective or not reader.has("APP.md"):
        # One problem says that there is no manifest; that each field is missing as well helps nobody.
        broken = [problem for problem in broken if problem.code != FIELD_MISSING.code]
    names = (find_misspelt(manifest, layers.effective), find_ignored(manifest, layers.effective))
    found = [*layers.problems, *broken, *chain(*names), *run_checks(facts)]
    problems += _without_guesses(found, reader.problems)
    if not reader.has("APP.md") and not _was_refused(tree):
        message = "The package has no APP.md at its top."
        problems.append(APP_MD_MISSING.found(message, Place("APP.md")))
    return AppPackage(
        tree=tree,
        manifest=manifest,
        effective=layers.effective,
        conflicts=tuple(layers.conflicts),
        sections=MappingProxyType(document.sections),
        workflows=workflows,
        skills=skills,
        storage_schema=_storage_schema(reader, layers.effective),
        problems=_in_order([*problems, *reader.problems]),
    )


def _storage_schema(reader: PackageReader, effective: LocatedMap) -> LocatedMap | None:
    path = schema_path(reader, effective)
    schema = reader.json(path).value if path is not None else None
    return schema if isinstance(schema, LocatedMap) else None


def _without_guesses(found: list[Problem], unreadable: list[Problem]) -> list[Problem]:
    """Leave out what only seems wrong because a file of the manifest could not be read to its end."""
    files = {each.file for each in unreadable if each.code == SYNTAX_INVALID.code}
    cut_off = files.intersection(LAYER_FILES)
    if not cut_off:
        return found
    return [
        each
        for each in found
        if each.code != REFERENCE_UNKNOWN.code
        and not (each.file in cut_off and each.code in _GUESSES)
    ]


def _was_refused(tree: PackageTree) -> bool:
    """Whether nothing was read of it, and it says why."""
    return not tree.files and bool(tree.problems)


def _placeholder_name(tree_name: str) -> str:
    """A valid name made from the folder's."""
    name = re.sub(r"[^a-z0-9._-]+", "-", tree_name.lower()).lstrip("-_.")[:64]
    return name or "unnamed"


def _in_order(problems: list[Problem]) -> tuple[Problem, ...]:
    """By place, each once, and not without end."""
    unique = dict.fromkeys(problems)
    ordered = sorted(unique, key=lambda p: (p.file or "", p.line or 0, p.code, p.key_path or ""))
    if len(ordered) <= MAX_PROBLEMS:
        return tuple(ordered)
    message = f"{len(ordered) - MAX_PROBLEMS} more problems were left out."
    return (*ordered[:MAX_PROBLEMS], TOO_MANY_PROBLEMS.found(message))
