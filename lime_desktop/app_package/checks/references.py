"""Names that one part of a manifest uses and another must declare."""

from collections.abc import Iterator
from typing import NamedTuple

from lime_desktop.app_package.checks.facts import PackageFacts
from lime_desktop.app_package.files.path_rules import looks_like_path
from lime_desktop.app_package.problem_kinds.rules import CAPABILITY_UNDECLARED, REFERENCE_UNKNOWN
from lime_desktop.app_package.problems import Problem
from lime_desktop.app_package.text.located import LocatedMap, ValuePath
from lime_desktop.spelling import did_you_mean


class _Use(NamedTuple):
    """A field that names items of a declared list."""

    listed: tuple[str, ...]
    """The list whose items use the name; empty for a field at the top."""
    field: tuple[str, ...]
    declared_in: tuple[str, ...]
    key: str = "key"


_USES = (
    _Use((), ("quickstart", "entry"), ("entries",)),
    _Use((), ("quickstart", "sampleWorkflow"), ("workflows",)),
    _Use(("entries",), ("workflow",), ("workflows",)),
    _Use(("entries",), ("service",), ("services",)),
    _Use(("entries",), ("permissions",), ("permissions",)),
    _Use(("entries",), ("artifactTypes",), ("artifactTypes",)),
    _Use(("ui", "cards"), ("entry",), ("entries",)),
    _Use(("services",), ("permissions",), ("permissions",)),
    _Use(("toolRefs",), ("permissions",), ("permissions",)),
    _Use(("permissions",), ("entries",), ("entries",)),
    _Use(("workflows",), ("entry",), ("entries",)),
    _Use(("workflows",), ("artifactOutputs",), ("artifactTypes",)),
    _Use(("operations",), ("integration",), ("integrations",)),
    _Use(
        ("boundary", "boundaries"), ("requirementId",), ("requirements", "requirements"), key="id"
    ),
)
_CAPABILITY_USERS = ("entries", "services")


def check(facts: PackageFacts) -> Iterator[Problem]:
    """Check that what is named is declared."""
    workflow_keys = {workflow.key for workflow in facts.workflows}
    for use in _USES:
        declared = facts.keys(*use.declared_in, name=use.key)
        if use.declared_in == ("workflows",):
            declared |= workflow_keys
        if use.field == ("quickstart", "sampleWorkflow"):
            declared |= _workflow_entries(facts)
        for path, name in _names_used(facts, use):
            if name not in declared and not _is_workflow_path(use, name):
                message = f"`{'.'.join(use.declared_in)}` has no such {use.key}.{did_you_mean(name, declared)}"
                yield REFERENCE_UNKNOWN.found(message, facts.place(*path))
    yield from _undeclared_capabilities(facts)


def _workflow_entries(facts: PackageFacts) -> set[str]:
    """Entries that are workflows: a sample may be named by the entry that leads to it."""
    kinds = (each for _, each in facts.items("entries") if each.get("kind") == "workflow")
    return {key for each in kinds if isinstance(key := each.get("key"), str)}


def _is_workflow_path(use: _Use, name: str) -> bool:
    """An entry may name a workflow's file instead of its key; that the file exists is checked elsewhere."""
    return use.declared_in == ("workflows",) and looks_like_path(name)


def _names_used(facts: PackageFacts, use: _Use) -> Iterator[tuple[ValuePath, str]]:
    users = [at for at, _ in facts.items(*use.listed)] if use.listed else [()]
    for at in users:
        path = (*at, *use.field)
        one = facts.text(*path)
        if one is not None:
            yield path, one
        yield from facts.texts(*path)


def _undeclared_capabilities(facts: PackageFacts) -> Iterator[Problem]:
    declared = declared_capabilities(facts)
    for user in _CAPABILITY_USERS:
        for at, _ in facts.items(user):
            for path, name in facts.texts(*at, "requiredCapabilities"):
                if name not in declared:
                    message = "The capability is not declared at the top of the manifest."
                    yield CAPABILITY_UNDECLARED.found(message, facts.place(*path))


def declared_capabilities(facts: PackageFacts) -> set[str]:
    """All that the manifest names at its top, whichever of the three fields it does so in."""
    declared: set[str] = set()
    for path in (("capabilities",), ("requires", "capabilities"), ("capabilityConfig",)):
        value = facts.get(*path)
        if isinstance(value, LocatedMap):
            declared.update(value)
        declared.update(name for _, name in facts.texts(*path))
    return declared
