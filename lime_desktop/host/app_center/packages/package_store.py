"""Installed code, kept by its hash. A folder here holds the bytes its name says, or it is not used."""

import shutil
from collections.abc import Collection
from pathlib import Path

from lime_desktop.app_package.archive.extraction import flush_folder, flush_tree
from lime_desktop.app_package.files.hashes import tree_hash
from lime_desktop.app_package.files.tree import FolderTree, open_folder
from lime_desktop.app_package.problems import Severity
from lime_desktop.durable_files.writing import remove
from lime_desktop.file_names import plain_name
from lime_desktop.host.app_center.packages.progress import InstallProgress, Step
from lime_desktop.host.app_center.packages.staging import StagedPackage
from lime_desktop.protocol.errors import PackageInvalid, SourceUnverified

_PREFIX = "sha256:"


class PackageStore:
    """Folders by hash, each with one folder inside that has the app's name. Every method blocks."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path_of(self, package_hash: str, app_id: str) -> Path:
        """Where a package lies, or would."""
        return self._folder / plain_name(package_hash.removeprefix(_PREFIX)) / plain_name(app_id)

    def adopt(self, staged: StagedPackage, app_id: str, progress: InstallProgress) -> Path:
        """Move a reviewed copy in: checked before the move, flushed, moved, and hashed where it then lies.

        Raises:
            SourceUnverified: the copy is no longer what was reviewed.
        """
        progress.at(Step.CHECKING)
        # It was hashed as it was written, and is hashed after the move: only a copy that somebody touched is read here.
        if not staged.is_untouched:
            _verify(staged.package_folder, staged.package_hash)
        target = self.path_of(staged.package_hash, app_id)
        if not self._has_sound(target, staged.package_hash):
            flush_tree(staged.package_folder)
            target.parent.mkdir(parents=True, exist_ok=True)
            staged.package_folder.rename(target)
            flush_folder(target.parent)
            flush_folder(self._folder)
        progress.at(Step.MOVED)
        _verify(target, staged.package_hash)
        progress.at(Step.CHECKED_AGAIN)
        return target

    def _has_sound(self, target: Path, package_hash: str) -> bool:
        """Whether a rollback point keeps the same bytes already; a damaged copy makes room."""
        if not target.exists():
            return False
        try:
            _verify(target, package_hash)
        except SourceUnverified:
            shutil.rmtree(target)
            return False
        return True

    def open(self, package_hash: str, app_id: str) -> FolderTree:
        """Open an installed package.

        Raises:
            PackageInvalid: it is gone, or no longer what was installed.
        """
        path = self.path_of(package_hash, app_id)
        if not path.is_dir():
            raise PackageInvalid("The files of the installed app are missing. Install it again")
        try:
            return _verify(path, package_hash)
        except SourceUnverified as error:
            raise PackageInvalid(
                "The files of the installed app were changed. Install it again"
            ) from error

    def keep_only(self, package_hashes: Collection[str]) -> tuple[str, ...]:
        """Remove what nothing refers to, and say which packages that were."""
        kept = {each.removeprefix(_PREFIX) for each in package_hashes}
        found = sorted(self._folder.iterdir()) if self._folder.is_dir() else []
        surplus = [path for path in found if path.name not in kept]
        for path in surplus:
            remove(path)
        return tuple(path.name for path in surplus)


def _verify(folder: Path, package_hash: str) -> FolderTree:
    tree = open_folder(folder)
    is_sound = all(each.severity is not Severity.ERROR for each in tree.problems)
    try:
        if is_sound and tree_hash(tree) == package_hash:
            return tree
    except OSError:
        pass
    raise SourceUnverified("The package changed since the review. Review it again")
