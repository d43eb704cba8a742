"""What people agreed to for the rest of a session. Kept with the session, so that a restart does not ask them again.

A file for each session, written whole. One that cannot be read is as good as none: then people are asked again.
"""

import asyncio
import hashlib
import logging
import os
import secrets
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from lime_desktop.app_server.folder_sync import sync_folder
from lime_desktop.policy.decision import NeedsApproval
from lime_desktop.policy.facts import Approval

_log = logging.getLogger(__name__)

MOST_KEPT = 200
"""Of one session; the oldest goes first, and is asked about again."""
_FORM = TypeAdapter(tuple[Approval, ...])


class SessionApprovals:
    """The yeses of every session; without a folder they last as long as the process."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._by_session: dict[str, tuple[Approval, ...]] = {}

    def of(self, session_id: str) -> tuple[Approval, ...]:
        """The session's approvals, once they were recalled."""
        return self._by_session.get(session_id, ())

    async def recall(self, session_id: str) -> None:
        """Read what an earlier process kept."""
        if self._folder is not None and session_id not in self._by_session:
            found = await asyncio.to_thread(_read, self._path(self._folder, session_id))
            self._by_session.setdefault(session_id, found)

    async def add(self, session_id: str, needed: NeedsApproval) -> None:
        """Remember a yes to a question. It holds now; on disk it is when this returns."""
        approval = Approval(
            id=secrets.token_hex(8),
            subject=needed.question.subject,
            answers=needed.rule_ids,
            scope="session",
            scope_id=session_id,
        )
        kept = (*self.of(session_id), approval)[-MOST_KEPT:]
        self._by_session[session_id] = kept
        if self._folder is not None:
            await asyncio.to_thread(_write, self._path(self._folder, session_id), kept)

    @staticmethod
    def _path(folder: Path, session_id: str) -> Path:
        # Hashed: a session's id may be the caller's own choice, and no file name.
        return folder / f"{hashlib.sha256(session_id.encode()).hexdigest()}.json"


def _read(path: Path) -> tuple[Approval, ...]:
    try:
        return _FORM.validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return ()


def _write(path: Path, approvals: tuple[Approval, ...]) -> None:
    partial = path.with_name(f"{path.name}.{secrets.token_hex(4)}.partial")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with partial.open("xb") as file:
            file.write(_FORM.dump_json(approvals))
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        # The yes holds all the same, for as long as this process does.
        _log.warning("a yes for a session was not kept: %s", error.strerror)
    finally:
        partial.unlink(missing_ok=True)
