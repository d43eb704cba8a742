"""Files that a person gives an expert to read, along with a message: by reference, and tried before they are shown as given.

Knows the App Server's methods; knows no widget. What cannot be read is a value that says why, and opens nothing.
"""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

from lime_desktop.host.app_server_client.calling import CallServer, call_for_app
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.calls.files import (
    GRANT_FILES,
    TAKE_FILE,
    GrantFilesParams,
    TakeFileParams,
)
from lime_desktop.protocol.calls.turns import MAX_PICTURE_BYTES, PICTURE_TYPES, Attachment
from lime_desktop.protocol.capability_calls.files import PARSE_FILE, FileRef, ParseFileParams
from lime_desktop.protocol.errors import AppError, AppServerUnavailable, InvalidInput, TimedOut
from lime_desktop.protocol.provenance import Provenance

MOST_FILES = 10

RefusalReason = Literal[
    "folder", "missing", "kind", "too-large", "picture-too-large", "locked", "empty", "unreadable",
    "too-many",
]  # fmt: skip
_REASONS: dict[str, RefusalReason] = {
    "format_unknown": "kind",
    "document_too_large": "too-large",
    "document_encrypted": "locked",
}
"""What a reader says of a document, and what that is to a person."""


@dataclass(frozen=True, slots=True)
class ChatFile:
    """A file that goes along with a message."""

    ref: str
    name: str
    is_picture: bool = False

    def as_attachment(self) -> Attachment:
        """As a turn carries it."""
        kind = "image" if self.is_picture else "file"
        return Attachment(kind=kind, uri=self.ref, metadata={"name": self.name})


@dataclass(frozen=True, slots=True)
class RefusedFile:
    """A file that cannot go along, and why."""

    name: str
    reason: RefusalReason


class ChatFiles:
    """Opens files to the experts of one app."""

    def __init__(self, call: CallServer, provenance: Provenance) -> None:
        self._call = call
        self._caller = AppCaller(provenance=provenance)

    async def open(self, path: Path, name: str | None = None) -> ChatFile | RefusedFile:
        """Open one file, if an expert can read it.

        Raises:
            AppServerUnavailable: nobody could try.
        """
        shown = name or path.name
        reason = await asyncio.to_thread(_obstacle, path)
        if reason is not None:
            return RefusedFile(shown, reason)
        asked = GrantFilesParams(app_id=self._caller.app_id, paths=(str(path),))
        [file] = (await self._call(GRANT_FILES, asked)).files
        try:
            reason = await self._try(file)
        except BaseException:
            await self.release(file.ref)
            raise
        if reason is not None:
            await self.release(file.ref)
            return RefusedFile(shown, reason)
        return ChatFile(file.ref, shown, file.media_type in PICTURE_TYPES)

    async def release(self, ref: str) -> None:
        """Close a file that is not sent after all."""
        await self._call(TAKE_FILE, TakeFileParams(app_id=self._caller.app_id, ref=ref))

    async def _try(self, file: FileRef) -> RefusalReason | None:
        if file.media_type in PICTURE_TYPES:
            return "picture-too-large" if file.size_bytes > MAX_PICTURE_BYTES else None
        asked = ParseFileParams(ref=file.ref)
        try:
            parsed = await call_for_app(self._call, self._caller, PARSE_FILE, asked)
        except AppServerUnavailable:
            raise
        except AppError as error:
            return _reason(error)
        return None if parsed.text.strip() else "empty"


def _obstacle(path: Path) -> RefusalReason | None:
    if path.is_dir():
        return "folder"
    return None if path.is_file() else "missing"


def _reason(error: AppError) -> RefusalReason:
    if isinstance(error, TimedOut):
        return "too-large"
    if not isinstance(error, InvalidInput):
        return "unreadable"
    fields = cast("list[dict[str, object]]", error.details.get("fields") or [{}])
    return _REASONS.get(str(fields[0].get("problem", "")), "unreadable")
