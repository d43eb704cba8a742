"""What goes and what stays when an app leaves: the four ways, the preview before, the receipt after."""

from enum import StrEnum
from typing import Literal

from lime_desktop.app_package.manifest import Manifest
from lime_desktop.protocol.calls.lifecycle_hooks import HookOutcome
from lime_desktop.protocol.ids import AppId
from lime_desktop.protocol.wire import WireModel


class UninstallKind(StrEnum):
    """How much of an app goes."""

    DISABLE = "disable"
    KEEP_DATA = "keep-data"
    DELETE_DATA = "delete-data"
    EXPORT_THEN_DELETE = "export-then-delete"

    @property
    def deletes_data(self) -> bool:
        """Whether the app's data go."""
        return self in {UninstallKind.DELETE_DATA, UninstallKind.EXPORT_THEN_DELETE}

    @property
    def removes_code(self) -> bool:
        """Whether the app is gone afterwards."""
        return self is not UninstallKind.DISABLE


def suggested_way(manifest: Manifest) -> UninstallKind:
    """What the author suggests to begin with; the data stay where nothing is said, or where the person is to be asked."""
    match manifest.storage.uninstall_policy if manifest.storage else None:
        case "delete":
            return UninstallKind.DELETE_DATA
        case "export-then-delete":
            return UninstallKind.EXPORT_THEN_DELETE
        case _:
            return UninstallKind.KEEP_DATA


RemovalKind = Literal["code", "grants", "overlays", "rollback-points", "view", "data", "evidence"]


class RemovalItem(WireModel):
    """Something that an app has here."""

    kind: RemovalKind
    name: str
    """A hash, the name of a service, a folder: what a person could look for."""
    items: int = 1
    size_bytes: int = 0


class UninstallPreview(WireModel):
    """What would go and what would stay."""

    app_id: AppId
    title: str
    version: str | None = None
    """None where only data are left of an app."""
    kind: UninstallKind
    goes: tuple[RemovalItem, ...]
    stays: tuple[RemovalItem, ...]


class Export(WireModel):
    """An archive that a person asked for."""

    path: str
    size_bytes: int
    sha256: str


class Receipt(WireModel):
    """What went and what stayed, and what a search afterwards still found."""

    receipt_id: str
    app_id: AppId
    title: str
    version: str | None = None
    kind: UninstallKind
    at_ms: int
    removed: tuple[RemovalItem, ...]
    kept: tuple[RemovalItem, ...]
    export: Export | None = None
    hook: HookOutcome | None = None
    """What came of the app's own hook for this moment, where it has one."""
    residue: tuple[str, ...] = ()
    """Empty: every place was searched, and nothing was left."""
