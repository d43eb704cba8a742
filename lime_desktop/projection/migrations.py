"""In which order would the app's data be brought up to date? Reads names, runs nothing."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import cast

from lime_desktop.app_package.manifest import Manifest

USUAL_FOLDER = "storage/migrations"

_DIGITS = re.compile(r"(\d+)")
_DIRECTION = re.compile(r"[._-](?P<way>up|down|rollback|revert)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of the plan, named by its file; applied steps are remembered by this id."""

    id: str
    path: str
    undo_path: str | None = None
    from_version: str | None = None
    to_version: str | None = None
    risk: str | None = None
    declared_reversible: bool | None = None

    @property
    def is_reversible(self) -> bool:
        """Whether the author gives a way back; without one a person must confirm the step."""
        return self.undo_path is not None or self.declared_reversible is True


def plan_migrations(manifest: Manifest, files: Iterable[str]) -> tuple[Migration, ...]:
    """Order the migration files of the package, each with what the manifest says about it."""
    folder = inside_package(_declared_folder(manifest)) + "/"
    paths = [path for path in files if path.startswith(folder) and _is_step(path)]
    undo = {_step_id(path): path for path in paths if _is_undo(path)}
    notes = _upgrade_notes(manifest)
    forward = (path for path in paths if not _is_undo(path))
    return tuple(
        _step(path, undo.get(_step_id(path)), notes) for path in sorted(forward, key=_natural)
    )


def inside_package(path: str) -> str:
    """Spell a declared path as the package's file list does: no ``./`` and no closing slash."""
    return "/".join(part for part in path.split("/") if part not in {"", "."})


def _declared_folder(manifest: Manifest) -> str:
    if manifest.storage and manifest.storage.migrations:
        return manifest.storage.migrations
    bundled = manifest.runtime_package.storage if manifest.runtime_package else None
    declared = bundled.get("migrations") if bundled else None
    return declared if isinstance(declared, str) else USUAL_FOLDER


def _step(path: str, undo_path: str | None, notes: Mapping[str, Mapping[str, object]]) -> Migration:
    note = notes.get(path, {})
    reversible = note.get("reversible")
    return Migration(
        id=_step_id(path),
        path=path,
        undo_path=undo_path,
        from_version=_text(note.get("from")),
        to_version=_text(note.get("to")),
        risk=_text(note.get("risk")),
        declared_reversible=reversible if isinstance(reversible, bool) else None,
    )


def _upgrade_notes(manifest: Manifest) -> dict[str, Mapping[str, object]]:
    """What ``lifecycle.upgrade.migrations`` says, by the file it speaks of."""
    upgrade = _mapping((manifest.lifecycle or {}).get("upgrade"))
    rows = upgrade.get("migrations")
    if not isinstance(rows, list):
        return {}
    notes = [_mapping(row) for row in cast("list[object]", rows)]
    return {inside_package(str(note["storage"])): note for note in notes if "storage" in note}


def _mapping(value: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", value) if isinstance(value, Mapping) else {}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _stem(path: str) -> str:
    return path.rsplit("/", 1)[-1].rsplit(".", 1)[0]


def _step_id(path: str) -> str:
    return _DIRECTION.sub("", _stem(path))


def _is_undo(path: str) -> bool:
    direction = _DIRECTION.search(_stem(path))
    return direction is not None and direction["way"].lower() != "up"


def _is_step(path: str) -> bool:
    name = path.rsplit("/", 1)[-1]
    return not name.startswith(".") and not name.lower().endswith(".md")


def _natural(path: str) -> list[tuple[int, str]]:
    """Sort ``2_x`` before ``10_x``."""
    return [(int(part), "") if part.isdecimal() else (0, part) for part in _DIGITS.split(path)]
