"""Which entries depend on a thing? An entry that lists what it uses needs only that."""

from collections.abc import Callable, Iterable
from typing import cast

from pydantic import BaseModel

from lime_desktop.app_package.manifest import Entry
from lime_desktop.app_package.manifest.permissions import Permission
from lime_desktop.projection.projection import Projection


def entries_using_capability(projection: Projection, name: str) -> frozenset[str] | None:
    """Entries that list this capability, and those that list none."""
    return _users(projection, name, lambda entry: entry.required_capabilities)


def entries_using_permission(
    projection: Projection, key: str, declared_for: Iterable[str]
) -> frozenset[str] | None:
    """The permission's own list of entries; else entries that name it, and those that name none."""
    if listed := frozenset(declared_for):
        return listed
    return _users(projection, key, lambda entry: entry.permissions)


def entries_naming(projection: Projection, permission: Permission) -> frozenset[str]:
    """The entries that a permission names, or that name it: those who say nothing of it do without it."""
    if permission.entries:
        return frozenset(permission.entries)
    entries = (each.declared for each in projection.entries)
    return frozenset(entry.key for entry in entries if permission.key in entry.permissions)


def entries_making(projection: Projection, artifact_type: str) -> frozenset[str] | None:
    """Entries that list this artifact type, and those that list none."""
    return _users(projection, artifact_type, lambda entry: entry.artifact_types)


def entries_of(projection: Projection, declaration: BaseModel) -> frozenset[str] | None:
    """The entries a declaration names for itself; else all but the settings page.

    What is missing is often put right on the app's settings page, so that page must still open.
    """
    extras = declaration.model_extra or {}
    for field in ("entries", "appliesTo"):
        if isinstance(listed := extras.get(field), list):
            return frozenset(str(key) for key in cast("list[object]", listed))
    return all_but_settings(projection)


def all_but_settings(projection: Projection) -> frozenset[str] | None:
    """Every entry that does the app's work."""
    return frozenset(each.key for each in projection.entries if each.declared.kind != "settings")


def _users(
    projection: Projection, key: str, listed: Callable[[Entry], tuple[str, ...]]
) -> frozenset[str]:
    entries = (each.declared for each in projection.entries)
    return frozenset(entry.key for entry in entries if not listed(entry) or key in listed(entry))
