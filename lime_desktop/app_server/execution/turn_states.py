"""What an engine must remember of a turn that waits for a person: one file each, gone when the turn is over.

An answer may come days later and to another process. The file is on disk before the question is a fact, so
that no stored question is without it. What the body means is the engine's own business.
"""

import asyncio
import contextlib
import hashlib
import time
from pathlib import Path

from pydantic import ValidationError

from lime_desktop.database.failures import catalogued
from lime_desktop.durable_files.writing import write_durably
from lime_desktop.protocol.calls.models import ModelDescription
from lime_desktop.protocol.wire import WireModel

KEPT_S = 30 * 24 * 3600.0
"""Past this nobody answers: a turn's questions expire long before."""


class SavedTurn(WireModel):
    """A turn that can be taken up again."""

    turn_id: str
    model: ModelDescription
    """What it runs on; its `engine` is who understands the body."""
    body: str


class TurnStates:
    """Keeps, reads and drops the saved state of turns, in one folder."""

    def __init__(self, folder: Path):
        self._folder = folder

    async def keep(self, saved: SavedTurn) -> None:
        """Replace what was kept of this turn. Returns when it is on disk."""
        await asyncio.to_thread(self._write, saved)

    async def read(self, turn_id: str) -> SavedTurn | None:
        """What was kept, if it is there and whole."""
        return await asyncio.to_thread(self._read, turn_id)

    async def drop(self, turn_id: str) -> None:
        """Forget a turn that is over; dropping what is not there is no failure."""
        await asyncio.to_thread(self._path(turn_id).unlink, missing_ok=True)

    async def sweep(self) -> None:
        """Remove what no turn will ask for any more."""
        await asyncio.to_thread(self._remove_before, time.time() - KEPT_S)

    def _write(self, saved: SavedTurn) -> None:
        try:
            write_durably(self._path(saved.turn_id), saved.to_json().encode(), is_private=True)
        except OSError as error:
            raise catalogued(error) from error

    def _read(self, turn_id: str) -> SavedTurn | None:
        try:
            saved = SavedTurn.model_validate_json(self._path(turn_id).read_bytes())
        except (FileNotFoundError, ValidationError):
            return None
        return saved if saved.turn_id == turn_id else None

    def _remove_before(self, moment: float) -> None:
        for path in self._folder.glob("*.state"):
            with contextlib.suppress(FileNotFoundError):
                if path.stat().st_mtime < moment:
                    path.unlink()

    def _path(self, turn_id: str) -> Path:
        # Hashed: a turn's id may be the caller's own choice, and no file name.
        return self._folder / f"{hashlib.sha256(turn_id.encode()).hexdigest()}.state"
