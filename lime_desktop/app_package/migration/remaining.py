"""What would still keep a package from passing once its changes are made: steps that only its author can take."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from lime_desktop.app_package.files.tree import PackageTree
from lime_desktop.app_package.migration.steps import FileVersions, ManualStep, Migration
from lime_desktop.app_package.package import load_package
from lime_desktop.app_package.problems import Problem, Severity


def with_remaining_errors(tree: PackageTree, migration: Migration) -> Migration:
    """The same with a step for every error that no change and no step speaks of. Reads the package as it would be."""
    known = {(step.file, step.key_path) for step in migration.manual_steps}
    steps = (
        _step(problem)
        for problem in load_package(_MigratedTree(tree, migration.files)).problems
        if problem.severity is Severity.ERROR
    )
    further = tuple(step for step in steps if (step.file, step.key_path) not in known)
    return replace(migration, manual_steps=(*migration.manual_steps, *further))


def _step(problem: Problem) -> ManualStep:
    return ManualStep(
        file=problem.file or "APP.md",
        line=problem.line,
        key_path=problem.key_path or "",
        todo=" ".join(filter(None, (problem.message, problem.fix))),
    )


class _MigratedTree:
    """A package as it would be with its changes made."""

    def __init__(self, tree: PackageTree, changed: Mapping[str, FileVersions]) -> None:
        self._tree = tree
        self._changed = changed
        self.name = tree.name
        self.files = tree.files
        self.problems = tree.problems

    def read(self, path: str) -> bytes:
        """A file with its changes."""
        found = self._changed.get(path)
        return self._tree.read(path) if found is None else found.after

    def pieces(self, path: str) -> Iterator[bytes]:
        """The same in one piece."""
        yield self.read(path)
