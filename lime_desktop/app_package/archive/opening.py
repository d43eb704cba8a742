"""From a path to a package's files, whatever lies there. Knows no format."""

from pathlib import Path

from lime_desktop.app_package.files.tree import PackageTree, open_folder


def open_package(path: Path) -> PackageTree:
    """Open a package wherever it lies: a folder, or else an archive."""
    if path.is_dir():
        return open_folder(path)
    # Imported here: most packages that are asked about are folders, and archives cost 6 ms more.
    from lime_desktop.app_package.archive.reader import open_archive  # noqa: PLC0415

    return open_archive(path)
