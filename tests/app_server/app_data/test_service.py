"""Everything that is kept of an app, copied, brought back, handed out and removed (the standard: the owner decides)."""

import asyncio
import zipfile
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from lime_desktop.app_server.storage.files import AppFiles
from lime_desktop.protocol.calls.app_data import (
    DESCRIBE_APP_DATA,
    EXPORT_APP_DATA,
    KEEP_SNAPSHOTS,
    REMOVE_APP_DATA,
    RESTORE_APP_DATA,
    SNAPSHOT_APP_DATA,
    DescribeAppDataParams,
    DescribeAppDataResult,
    ExportAppDataParams,
    KeepSnapshotsParams,
    RemoveAppDataParams,
    RestoreAppDataParams,
    SnapshotAppDataParams,
)
from lime_desktop.protocol.errors import Conflict, DatabaseBusy, StorageKeyNotFound
from lime_desktop.protocol.ids import AppId
from tests.app_server.twin import ServerTwin, server_twin

NOTES, MAIL = AppId("notes"), AppId("mail")
FIRST, SECOND = "1" * 16, "2" * 16


def play(folder: Path, scene: Callable[[ServerTwin], Coroutine[Any, Any, None]]) -> None:
    async def scenario() -> None:
        async with server_twin(folder) as server:
            await scene(server)

    asyncio.run(scenario())


async def described(server: ServerTwin, app_id: AppId) -> DescribeAppDataResult:
    return await server(DESCRIBE_APP_DATA, DescribeAppDataParams(app_id=app_id))


async def snapshot(server: ServerTwin, app_id: AppId, snapshot_id: str) -> None:
    await server(SNAPSHOT_APP_DATA, SnapshotAppDataParams(app_id=app_id, snapshot_id=snapshot_id))


async def restore(server: ServerTwin, app_id: AppId, snapshot_id: str) -> None:
    await server(RESTORE_APP_DATA, RestoreAppDataParams(app_id=app_id, snapshot_id=snapshot_id))


def test_an_app_that_keeps_nothing_has_no_parts_and_gets_no_file_by_being_asked(
    tmp_path: Path,
) -> None:
    async def scene(server: ServerTwin) -> None:
        assert await described(server, NOTES) == DescribeAppDataResult(parts=(), snapshot_ids=())

    play(tmp_path, scene)
    assert list(tmp_path.glob("apps/*")) == []


def test_a_snapshot_brings_back_what_was_there_and_nobody_elses(tmp_path: Path) -> None:
    async def scene(server: ServerTwin) -> None:
        await server.keep("notes", "text", "old")
        await snapshot(server, NOTES, FIRST)
        await server.keep("notes", "text", "new")
        await server.keep("notes", "later", 1)
        await server.keep("mail", "text", "mine")
        for _ in range(2):
            await restore(server, NOTES, FIRST)
            assert await server.kept("notes", "text") == "old"
            assert await server.kept("notes", "later") is None
        assert await server.kept("mail", "text") == "mine"
        with pytest.raises(StorageKeyNotFound):
            await restore(server, MAIL, FIRST)

    play(tmp_path, scene)


def test_a_snapshot_of_nothing_brings_back_nothing(tmp_path: Path) -> None:
    async def scene(server: ServerTwin) -> None:
        await snapshot(server, NOTES, FIRST)
        await server.keep("notes", "text", "new")
        await restore(server, NOTES, FIRST)
        assert (await described(server, NOTES)).parts == ()

    play(tmp_path, scene)


def test_removing_takes_everything_of_one_app_with_its_snapshots(tmp_path: Path) -> None:
    async def scene(server: ServerTwin) -> None:
        await server.keep("notes", "text", "old")
        await server.keep("mail", "text", "mine")
        await snapshot(server, NOTES, FIRST)
        await snapshot(server, MAIL, SECOND)
        removed = await server(REMOVE_APP_DATA, RemoveAppDataParams(app_id=NOTES))
        assert [(part.name, part.items) for part in removed.parts] == [("storage", 1)]
        assert removed.snapshot_ids == (FIRST,)
        assert (await described(server, NOTES)).parts == ()
        assert (await described(server, MAIL)).snapshot_ids == (SECOND,)
        again = await server(REMOVE_APP_DATA, RemoveAppDataParams(app_id=NOTES))
        assert (again.parts, again.snapshot_ids) == ((), ())

    play(tmp_path, scene)
    assert not any("notes" in path.name for path in tmp_path.rglob("*"))


def test_snapshots_that_the_host_does_not_know_are_removed_and_half_ones_too(
    tmp_path: Path,
) -> None:
    async def scene(server: ServerTwin) -> None:
        await snapshot(server, NOTES, FIRST)
        await snapshot(server, NOTES, SECOND)
        (tmp_path / "app-snapshots" / f"{'3' * 16}.partial").mkdir()
        kept = await server(KEEP_SNAPSHOTS, KeepSnapshotsParams(snapshot_ids=(SECOND,)))
        assert set(kept.removed_ids) == {FIRST, f"{'3' * 16}.partial"}
        assert (await described(server, NOTES)).snapshot_ids == (SECOND,)

    play(tmp_path, scene)


def test_an_export_is_one_archive_and_replaces_nothing(tmp_path: Path) -> None:
    target = tmp_path / "notes.zip"

    async def scene(server: ServerTwin) -> None:
        await server.keep("notes", "text", "old")
        params = ExportAppDataParams(app_id=NOTES, target_path=str(target))
        done = await server(EXPORT_APP_DATA, params)
        assert done.parts[0].name == "storage"
        with pytest.raises(Conflict):
            await server(EXPORT_APP_DATA, params)

    play(tmp_path / "server", scene)
    with zipfile.ZipFile(target) as archive:
        assert archive.testzip() is None
        assert archive.namelist() == ["app.json", "storage/storage.db"]
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["notes.zip"]


def test_a_file_is_taken_apart_only_when_its_users_have_left(tmp_path: Path) -> None:
    async def scenario() -> None:
        files = AppFiles(tmp_path)
        order: list[str] = []
        entered = asyncio.Event()

        async def use() -> None:
            async with files.use(NOTES):
                entered.set()
                for _ in range(10):
                    await asyncio.sleep(0)
                order.append("left")

        async def take_apart() -> None:
            await entered.wait()
            async with files.apart(NOTES):
                order.append("apart")

        await asyncio.gather(use(), take_apart())
        assert order == ["left", "apart"]
        await files.close()

    asyncio.run(scenario())


def test_a_file_that_nobody_leaves_stays_theirs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lime_desktop.app_server.storage.files._LEAVE_S", 0.01)

    async def scenario() -> None:
        files = AppFiles(tmp_path)
        async with files.use(NOTES) as database:
            with pytest.raises(DatabaseBusy):
                async with files.apart(NOTES):
                    pass
            await database.read(lambda connection: connection.execute("SELECT 1").fetchone())
        await files.close()

    asyncio.run(scenario())
