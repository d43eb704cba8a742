"""Work on a data folder while no App Server uses it: prove the read models, or derive them again."""

from pathlib import Path

from lime_desktop.app_server.runtime_core.log.rebuild import Rebuilt, rebuild_session, store_rebuilt
from lime_desktop.app_server.runtime_core.log.rows import SessionRow, all_sessions, mark_damaged
from lime_desktop.app_server.runtime_core.log.schema import RUNTIME
from lime_desktop.database.connection import Connection
from lime_desktop.database.database import open_database
from lime_desktop.database.lock import FolderLock
from lime_desktop.protocol.errors import SessionNotFound


async def rebuild_folder(data_dir: Path, *, is_check: bool) -> list[Rebuilt]:
    """Fold every session again; unless this is only a check, store what differs."""
    path = data_dir / "runtime.db"
    if not path.is_file():
        raise SessionNotFound("This folder holds no runtime database.")
    lock = FolderLock(data_dir)
    try:
        database = open_database(path, RUNTIME)
        try:
            rows = await database.read(all_sessions)
            # One transaction each: a folder of many sessions is never locked as a whole.
            return [
                await database.write(
                    lambda connection, row=row: _one(connection, row, is_check=is_check)
                )
                for row in rows
            ]
        finally:
            database.close()
    finally:
        lock.release()


def _one(connection: Connection, row: SessionRow, *, is_check: bool) -> Rebuilt:
    rebuilt = rebuild_session(connection, row)
    if is_check or rebuilt.is_equal:
        return rebuilt
    if rebuilt.is_log_sound:
        store_rebuilt(connection, row, rebuilt)
    else:
        mark_damaged(connection, row.session_key, f"damaged_event_{rebuilt.event_count + 1}")
    return rebuilt
