"""Is anything of a removed app left? Looks in every place the product writes to, by what an app is called there."""

import asyncio
import hashlib
from collections.abc import Iterator
from pathlib import Path

from lime_desktop.database.connection import Connection
from lime_desktop.host.app_center.changes.parts import CenterParts
from lime_desktop.host.web_content.origin import host_of, is_without_files

_MAY_NAME_THE_APP = frozenset({"receipt", "unfinished", "kept_data"})
"""Receipts are for the person, and the removal under way is deleted with them."""
_TOO_MANY = 100


async def find_residue(
    parts: CenterParts,
    app_id: str,
    package_hashes: tuple[str, ...],
    *,
    is_data_expected: bool,
) -> tuple[str, ...]:
    """Name what is left, by table, file or service; data are passed over where they are to stay."""
    found = list(await parts.ledger.read(lambda connection: tuple(_rows(connection, app_id))))
    still_used = parts.ledger.state.package_hashes
    gone = {each.removeprefix("sha256:") for each in package_hashes if each not in still_used}
    names = gone if is_data_expected else gone | _names_of(app_id)
    found += await asyncio.to_thread(_files, parts.layout.data, names)
    if not is_data_expected:
        server = await parts.data.server_side(app_id)
        found += [f"app-server:{part.name}" for part in server.parts]
        found += [f"app-server:snapshot:{each}" for each in server.snapshot_ids]
    return tuple(found[:_TOO_MANY])


def _rows(connection: Connection, app_id: str) -> Iterator[str]:
    tables = connection.execute(
        """
        SELECT m.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c
        WHERE m.type = 'table' AND c.name = 'app_id'
        """
    ).fetchall()
    for (table,) in tables:
        if table in _MAY_NAME_THE_APP:
            continue
        query = f"SELECT count(*) FROM {table} WHERE app_id = ?"  # noqa: S608 - from the schema
        if connection.execute(query, (app_id,)).fetchone()[0]:
            yield f"host.db:{table}"


def _names_of(app_id: str) -> set[str]:
    """What files of an app are called: its id, or the hash that stands for it."""
    return {app_id, host_of(app_id), hashlib.sha256(app_id.encode()).hexdigest()[:32]}


def _files(data: Path, names: set[str]) -> list[str]:
    return sorted(
        str(path.relative_to(data))
        for path in data.rglob("*")
        if (path.name in names or any(len(name) >= 32 and name in path.name for name in names))
        # A folder with nothing in it is nothing of anybody's.
        and not (path.is_dir() and not path.is_symlink() and is_without_files(path))
    )
