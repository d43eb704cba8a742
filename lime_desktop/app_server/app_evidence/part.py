"""An app's evidence as a part of its data. It goes with the app, but never back: what happened has happened."""

import asyncio
import json
from pathlib import Path

from lime_desktop.app_server.app_evidence.rows import (
    insert_missing,
    measure,
    read_newest,
    remove_all,
)
from lime_desktop.app_server.apps.data_holder import HeldAmount
from lime_desktop.database.database import Database
from lime_desktop.protocol.capability_calls.evidence import EvidenceRecord
from lime_desktop.protocol.ids import AppId

_LIST = "evidence.jsonl"
_ALL = 2**31


class EvidencePart:
    """Copies facts as lines; links to artifacts are among their references."""

    name = "evidence"

    def __init__(self, database: Database) -> None:
        self._database = database

    async def amount(self, app_id: AppId) -> HeldAmount:
        """Count the facts."""
        return HeldAmount(*await self._database.read(lambda found: measure(found, app_id)))

    async def copy_to(self, app_id: AppId, folder: Path) -> None:
        """Write every fact, the oldest first."""
        kept = await self._database.read(lambda found: read_newest(found, app_id, None, _ALL))
        if kept:
            lines = "".join(f"{record.to_json()}\n" for record in reversed(kept))
            await asyncio.to_thread((folder / _LIST).write_text, lines, "utf-8")

    async def replace_from(self, app_id: AppId, folder: Path) -> None:
        """Add what is missing. Nothing is taken away: an older copy does not undo what was done since."""
        records = await asyncio.to_thread(_read_lines, folder / _LIST)
        await self._database.write(lambda found: insert_missing(found, app_id, records))

    async def remove(self, app_id: AppId) -> None:
        """Keep nothing of an app that is gone with its data."""
        await self._database.write(lambda found: remove_all(found, app_id))


def _read_lines(path: Path) -> tuple[EvidenceRecord, ...]:
    if not path.exists():
        return ()
    lines = path.read_text("utf-8").splitlines()
    return tuple(EvidenceRecord.model_validate(json.loads(line)) for line in lines)
