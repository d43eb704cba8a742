"""A package as it would be with some files left out and others put in. The original is not touched."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from lime_desktop.app_package.files.tree import FileEntry, PackageTree
from lime_desktop.app_package.problems import Problem


@dataclass(frozen=True)
class RevisedTree:
    """Another tree's files, less some and plus some."""

    original: PackageTree
    files: Mapping[str, FileEntry]
    put_in: Mapping[str, bytes]

    @property
    def name(self) -> str:
        """The original's name."""
        return self.original.name

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The original's problems."""
        return self.original.problems

    def read(self, path: str) -> bytes:
        """What was put in, or the original's bytes."""
        return self.put_in[path] if path in self.put_in else self.original.read(path)

    def pieces(self, path: str) -> Iterator[bytes]:
        """The same in pieces."""
        if path in self.put_in:
            yield self.put_in[path]
        else:
            yield from self.original.pieces(path)


def revised(
    tree: PackageTree, *, left_out: Collection[str] = (), put_in: Mapping[str, bytes] | None = None
) -> RevisedTree:
    """Leave out the files at some paths, then put in others."""
    put_in = put_in or {}
    files = {path: entry for path, entry in tree.files.items() if path not in left_out}
    files |= {path: FileEntry(path, len(data)) for path, data in put_in.items()}
    return RevisedTree(tree, MappingProxyType(files), put_in)
