"""An app's data from the host's side: what the App Server keeps, and the web profile of its view."""

import asyncio
import shutil
from collections.abc import Iterable
from pathlib import Path

from lime_desktop.durable_files.writing import remove
from lime_desktop.file_names import plain_name
from lime_desktop.host.app_center.records.layout import CenterLayout
from lime_desktop.host.app_center.records.removal import Export, RemovalItem
from lime_desktop.host.app_server_client.calling import CallServer, call_for_app
from lime_desktop.host.web_content.origin import (
    remove_empty_view_storage,
    remove_view_storage,
)
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.calls.app_data import (
    APPLY_RETENTION,
    DESCRIBE_APP_DATA,
    EXPORT_APP_DATA,
    KEEP_SNAPSHOTS,
    REMOVE_APP_DATA,
    RESTORE_APP_DATA,
    SNAPSHOT_APP_DATA,
    ApplyRetentionParams,
    ApplyRetentionResult,
    DescribeAppDataParams,
    DescribeAppDataResult,
    ExportAppDataParams,
    KeepSnapshotsParams,
    RemoveAppDataParams,
    RestoreAppDataParams,
    SnapshotAppDataParams,
)
from lime_desktop.protocol.capability_calls.evidence import RECORD_EVIDENCE, RecordEvidenceParams
from lime_desktop.protocol.ids import AppId
from lime_desktop.protocol.provenance import Provenance

_LONGEST_S = 600.0
"""Copying takes as long as the data are large."""
_PARTIAL = ".partial"


class AppData:
    """Copies, brings back, exports and removes. Everything but an export can be done twice without harm."""

    def __init__(self, layout: CenterLayout, call: CallServer) -> None:
        self._layout = layout
        self._call = call

    async def describe(self, app_id: str) -> tuple[RemovalItem, ...]:
        """What there is, part by part."""
        found = await self.server_side(app_id)
        parts = [
            RemovalItem(kind="data", name=part.name, items=part.items, size_bytes=part.size_bytes)
            for part in found.parts
        ]
        if view := await asyncio.to_thread(_measure, self._layout.view_of(app_id)):
            parts.append(RemovalItem(kind="view", name=app_id, size_bytes=view))
        return tuple(parts)

    async def server_side(self, app_id: str) -> DescribeAppDataResult:
        """What the App Server says it keeps."""
        params = DescribeAppDataParams(app_id=AppId(app_id))
        return await self._call(DESCRIBE_APP_DATA, params, timeout_s=_LONGEST_S)

    async def record(self, provenance: Provenance, fact: RecordEvidenceParams) -> None:
        """Keep a fact about the app, as evidence; it is on disk when this returns."""
        await call_for_app(self._call, AppCaller(provenance=provenance), RECORD_EVIDENCE, fact)

    async def snapshot(self, app_id: str, point_id: str) -> None:
        """Copy what the App Server keeps."""
        params = SnapshotAppDataParams(app_id=AppId(app_id), snapshot_id=point_id)
        await self._call(SNAPSHOT_APP_DATA, params, timeout_s=_LONGEST_S)

    async def restore(self, app_id: str, point_id: str) -> None:
        """Bring back what the App Server kept."""
        params = RestoreAppDataParams(app_id=AppId(app_id), snapshot_id=point_id)
        await self._call(RESTORE_APP_DATA, params, timeout_s=_LONGEST_S)

    async def remove(self, app_id: str) -> None:
        """Remove what the App Server keeps, its snapshots too."""
        params = RemoveAppDataParams(app_id=AppId(app_id))
        await self._call(REMOVE_APP_DATA, params, timeout_s=_LONGEST_S)

    async def retain(self, params: ApplyRetentionParams) -> ApplyRetentionResult:
        """Remove what the App Server keeps for longer than was agreed to."""
        return await self._call(APPLY_RETENTION, params, timeout_s=_LONGEST_S)

    async def export(self, app_id: str, target: Path) -> Export:
        """Write what the App Server keeps into an archive."""
        place = await asyncio.to_thread(target.absolute)
        params = ExportAppDataParams(app_id=AppId(app_id), target_path=str(place))
        done = await self._call(EXPORT_APP_DATA, params, timeout_s=_LONGEST_S)
        return Export(path=params.target_path, size_bytes=done.size_bytes, sha256=done.sha256)

    async def keep_points(self, point_ids: frozenset[str]) -> None:
        """Let every copy go that belongs to none of these rollback points."""
        await asyncio.to_thread(self.keep_view_copies, point_ids)
        params = KeepSnapshotsParams(snapshot_ids=tuple(sorted(point_ids)))
        await self._call(KEEP_SNAPSHOTS, params, timeout_s=_LONGEST_S)

    # The view's web profile. These block.

    def copy_view(self, app_id: str, point_id: str) -> bool:
        """Copy the web profile, if the app has one."""
        source, target = (
            self._layout.view_of(app_id),
            self._layout.view_copies / plain_name(point_id),
        )
        if not source.is_dir():
            return False
        _copy_whole(source, target)
        return True

    def restore_view(self, app_id: str, point_id: str, *, has_copy: bool) -> None:
        """Put the copy in the place of the web profile; without one, there is to be no profile."""
        self.remove_view(app_id)
        if has_copy:
            _copy_whole(
                self._layout.view_copies / plain_name(point_id), self._layout.view_of(app_id)
            )

    def remove_view(self, app_id: str) -> None:
        """Remove the web profile."""
        remove_view_storage(self._layout.views, app_id)
        view = self._layout.view_of(app_id)
        shutil.rmtree(view.with_name(f"{view.name}{_PARTIAL}"), ignore_errors=True)

    def remove_empty_views(self, kept: Iterable[str]) -> None:
        """Remove what web engines left of other apps than these, as far as nothing is in it."""
        remove_empty_view_storage(self._layout.views, kept)

    def keep_view_copies(self, point_ids: frozenset[str]) -> None:
        """Let the copies of other rollback points go."""
        copies = self._layout.view_copies
        for path in copies.iterdir() if copies.is_dir() else ():
            if path.name not in point_ids:
                remove(path)


def _copy_whole(source: Path, target: Path) -> None:
    """Copy a folder so that whoever finds the target finds all of it."""
    partial = target.with_name(f"{target.name}{_PARTIAL}")
    for left_over in (partial, target):
        if left_over.exists():
            shutil.rmtree(left_over)
    # A web engine leaves a lock that is a link to nowhere; what it stands for is not copied.
    shutil.copytree(source, partial, symlinks=True)
    partial.rename(target)


def _measure(folder: Path) -> int:
    return sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_dir())
