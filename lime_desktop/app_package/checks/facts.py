"""What every check looks at: the files, the merged values, and where each was written."""

from collections.abc import Iterator
from dataclasses import dataclass

from lime_desktop.app_package.manifest import CURRENT_MANIFEST_VERSION
from lime_desktop.app_package.problems import Place
from lime_desktop.app_package.reading import PackageReader
from lime_desktop.app_package.skill_files import Skill
from lime_desktop.app_package.text.located import LocatedList, LocatedMap, ValuePath, find, key_path
from lime_desktop.app_package.workflow_files import WorkflowFile


@dataclass(frozen=True)
class PackageFacts:
    """One package as checks see it. Values are as written: they may be of any type."""

    reader: PackageReader
    effective: LocatedMap
    workflows: tuple[WorkflowFile, ...]
    skills: tuple[Skill, ...]

    def get(self, *path: str | int) -> object:
        """The value at a path, or None."""
        return find(self.effective, path)[0]

    def text(self, *path: str | int) -> str | None:
        """The text at a path, or None if there is none or it is no text."""
        value = self.get(*path)
        return value if isinstance(value, str) else None

    def place(self, *path: str | int) -> Place:
        """Where the value at a path was written; where it is missing, where it would belong."""
        _, origin = find(self.effective, path)
        file, line = origin or (None, None)
        return Place(file, line, key_path(path))

    def items(self, *path: str | int) -> Iterator[tuple[ValuePath, LocatedMap]]:
        """The objects of a list, with their paths."""
        values = self.get(*path)
        if isinstance(values, LocatedList):
            for index, item in enumerate(values):
                if isinstance(item, LocatedMap):
                    yield (*path, index), item

    def texts(self, *path: str | int) -> Iterator[tuple[ValuePath, str]]:
        """The texts of a list, with their paths."""
        values = self.get(*path)
        if isinstance(values, LocatedList):
            for index, item in enumerate(values):
                if isinstance(item, str):
                    yield (*path, index), item

    def keys(self, *path: str | int, name: str = "key") -> set[str]:
        """The keys that the objects of a list declare."""
        declared = (item.get(name) for _, item in self.items(*path))
        return {key for key in declared if isinstance(key, str)}

    @property
    def manifest_version(self) -> str:
        """The version of the standard that the manifest follows."""
        return self.text("manifestVersion") or CURRENT_MANIFEST_VERSION
