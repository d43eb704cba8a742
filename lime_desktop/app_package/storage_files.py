"""Where a package keeps its data model and its migrations."""

from typing import TYPE_CHECKING

from lime_desktop.app_package.files.path_rules import normalised
from lime_desktop.app_package.text.located import LocatedMap, find

if TYPE_CHECKING:
    from lime_desktop.app_package.reading import PackageReader

_SCHEMA_FIELDS = (("storage", "schema"), ("runtimePackage", "storage", "schema"))
_MIGRATION_FIELDS = (("storage", "migrations"), ("runtimePackage", "storage", "migrations"))


def schema_path(reader: "PackageReader", effective: LocatedMap) -> str | None:
    """The file of the storage schema: where the manifest says, else `storage/schema.json`."""
    path = _declared(effective, _SCHEMA_FIELDS) or "storage/schema.json"
    return path if reader.has(path) else None


def migration_files(reader: "PackageReader", effective: LocatedMap) -> list[str]:
    """The files of the migrations folder, in the order of their names."""
    folder = _declared(effective, _MIGRATION_FIELDS) or "storage/migrations"
    return sorted(
        path
        for path in reader.tree.files
        if path.rpartition("/")[0] == folder and path.lower().endswith((".sql", ".json", ".js"))
    )


def _declared(effective: LocatedMap, fields: tuple[tuple[str, ...], ...]) -> str | None:
    written = (find(effective, field)[0] for field in fields)
    paths = (normalised(path) for path in written if isinstance(path, str))
    return next((path for path in paths if path), None)
