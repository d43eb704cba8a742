"""Answers file/*: opened by a person through the host, read by the app they opened it to."""

import asyncio
import base64
import os
from pathlib import Path

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.documents.parsing import DocumentParsing
from lime_desktop.app_server.files.folders import list_folder
from lime_desktop.app_server.files.references import FileReferences, describe
from lime_desktop.database.failures import catalogued
from lime_desktop.protocol.calls.files import (
    GrantFilesParams,
    GrantFilesResult,
    ListFilesParams,
    ListFilesResult,
    LocateFileParams,
    LocateFileResult,
    ParseFileParams,
    ParseFileResult,
    ReadFileParams,
    ReadFileResult,
    ReadFolderParams,
    ReadFolderResult,
    ReleaseFileParams,
    ReleaseFileResult,
)
from lime_desktop.protocol.capability_calls.files import ParsedSection
from lime_desktop.protocol.errors import FileReferenceUnknown, InvalidInput

_LONGEST_CHARACTER_BYTES = 4


class AppFilesService:
    """Files of every app."""

    def __init__(self, references: FileReferences, parsing: DocumentParsing) -> None:
        self._references = references
        self._parsing = parsing

    async def grant(self, params: GrantFilesParams, context: CallContext) -> GrantFilesResult:
        """Open files to an app."""
        del context
        held = [
            await self._references.grant(
                params.app_id, Path(path), is_persistent=params.is_persistent
            )
            for path in params.paths
        ]
        files = await asyncio.to_thread(lambda: tuple(describe(each) for each in held))
        return GrantFilesResult(files=files)

    async def read(self, params: ReadFileParams, context: CallContext) -> ReadFileResult:
        """Read a part of a file."""
        del context
        held = await self._references.find(params.app_id, params.ref, params.path)
        body, size = await asyncio.to_thread(_read_part, held.path, params.offset, params.length)
        if params.encoding == "utf-8":
            body, content = _whole_characters(body, is_last=params.offset + len(body) >= size)
        else:
            content = base64.b64encode(body).decode("ascii")
        end = params.offset + len(body)
        return ReadFileResult(
            content=content,
            bytes_read=len(body),
            size_bytes=size,
            next_offset=end if end < size else None,
        )

    async def parse(self, params: ParseFileParams, context: CallContext) -> ParseFileResult:
        """Read a document."""
        del context
        held = await self._references.find(params.app_id, params.ref, params.path)
        kind, document = await self._parsing.parse(held.path, held.path.name, params.parser)
        return ParseFileResult(
            media_type=kind.media_type,
            parser=kind.parser,
            text=document.text,
            sections=tuple(
                ParsedSection.model_validate(section, from_attributes=True)
                for section in document.sections
            ),
            tables=document.tables,
            metadata=document.metadata,
            truncated=document.truncated,
        )

    async def list(self, params: ListFilesParams, context: CallContext) -> ListFilesResult:
        """Name the references of an app."""
        del context
        held = await self._references.list(params.app_id)
        files = await asyncio.to_thread(lambda: tuple(describe(each) for each in held))
        return ListFilesResult(files=files)

    async def read_folder(self, params: ReadFolderParams, context: CallContext) -> ReadFolderResult:
        """Name what lies in a folder."""
        del context
        held = await self._references.find_folder(params.app_id, params.ref, params.path)
        entries, is_all = await asyncio.to_thread(list_folder, held.path, params.path or "")
        return ReadFolderResult(entries=entries, truncated=not is_all)

    async def release(self, params: ReleaseFileParams, context: CallContext) -> ReleaseFileResult:
        """Take a reference back."""
        del context
        was_held = await self._references.release(params.app_id, params.ref)
        return ReleaseFileResult(was_held=was_held)

    async def locate(self, params: LocateFileParams, context: CallContext) -> LocateFileResult:
        """Tell the host where a file lies."""
        del context
        held = await self._references.find(params.app_id, params.ref)
        file = await asyncio.to_thread(describe, held)
        return LocateFileResult(path=str(held.path), file=file)


def _read_part(path: Path, offset: int, length: int) -> tuple[bytes, int]:
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    try:
        descriptor = os.open(path, flags)
        with os.fdopen(descriptor, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            # No file reaches as far as a number can.
            file.seek(min(offset, size))
            return file.read(length), size
    except FileNotFoundError:
        raise FileReferenceUnknown("The file is not there any more") from None
    except OSError as error:
        raise catalogued(error) from error


def _whole_characters(body: bytes, *, is_last: bool) -> tuple[bytes, str]:
    """The part of a piece that ends with a whole character; the rest comes with the next piece."""
    for cut in range(_LONGEST_CHARACTER_BYTES):
        whole = body[: len(body) - cut]
        try:
            return whole, whole.decode()
        except UnicodeDecodeError as error:
            if is_last or error.start < len(body) - _LONGEST_CHARACTER_BYTES:
                break
    raise InvalidInput.at_fields([("encoding", "not_utf8")])
