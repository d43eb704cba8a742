"""Answers lime.files and file/*: opened by a person through the host, read by the app they opened it to."""

import asyncio
import base64
import os
from pathlib import Path

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.documents.parsing import DocumentParsing
from lime_desktop.app_server.files.folders import list_folder
from lime_desktop.app_server.files.references import FileReferences, describe
from lime_desktop.app_server.routes import AppCalls
from lime_desktop.database.failures import catalogued
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.calls.files import (
    GrantFilesParams,
    GrantFilesResult,
    LocateFileParams,
    LocateFileResult,
    TakeFileParams,
    TakeFileResult,
)
from lime_desktop.protocol.capability_calls.files import (
    LIST_FILES,
    PARSE_FILE,
    READ_FILE,
    READ_FOLDER,
    RELEASE_FILE,
    FileRef,
    FileRefParams,
    ListFileRefsResult,
    ListFolderParams,
    ListFolderResult,
    ParsedSection,
    ParseFileParams,
    ParseFileResult,
    ReadFileParams,
    ReadFileResult,
    ReleaseFileRefResult,
)
from lime_desktop.protocol.errors import FileReferenceUnknown, InvalidInput
from lime_desktop.protocol.ids import AppId
from lime_desktop.protocol.wire import Empty

_LONGEST_CHARACTER_BYTES = 4


class AppFilesService:
    """Files of every app."""

    def __init__(self, references: FileReferences, parsing: DocumentParsing) -> None:
        self._references = references
        self._parsing = parsing

    def serve(self, calls: AppCalls) -> None:
        """Answer what apps ask of their files."""
        calls.add(READ_FILE, self.read)
        calls.add(PARSE_FILE, self.parse)
        calls.add(LIST_FILES, self.list)
        calls.add(READ_FOLDER, self.read_folder)
        calls.add(RELEASE_FILE, self.release)

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

    async def read(self, params: ReadFileParams, caller: AppCaller) -> ReadFileResult:
        """Read a part of a file."""
        return await self.read_for(caller.app_id, params)

    async def read_for(self, app_id: AppId, params: ReadFileParams) -> ReadFileResult:
        """The same for a turn of the app's."""
        held = await self._references.find(app_id, params.ref, params.path)
        body, size = await asyncio.to_thread(_read_part, held.path, params.offset, params.length)
        if params.encoding == "utf-8":
            body, content = _whole_characters(body, is_last=params.offset + len(body) >= size)
        else:
            content = base64.b64encode(body).decode("ascii")
        end = params.offset + len(body)
        return ReadFileResult(
            ref=params.ref,
            content=content,
            encoding=params.encoding,
            offset=params.offset,
            bytes_read=len(body),
            size_bytes=size,
            next_offset=end if end < size else None,
        )

    async def parse(self, params: ParseFileParams, caller: AppCaller) -> ParseFileResult:
        """Read a document."""
        return await self.parse_for(caller.app_id, params)

    async def parse_for(self, app_id: AppId, params: ParseFileParams) -> ParseFileResult:
        """The same for a turn of the app's."""
        held = await self._references.find(app_id, params.ref, params.path)
        kind, document = await self._parsing.parse(held.path, held.path.name, params.parser)
        return ParseFileResult(
            ref=params.ref,
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

    async def list(self, params: Empty, caller: AppCaller) -> ListFileRefsResult:
        """Name the references of an app."""
        del params
        return ListFileRefsResult(await self.list_for(caller.app_id))

    async def list_for(self, app_id: AppId) -> tuple[FileRef, ...]:
        """The same for a turn of the app's."""
        held = await self._references.list(app_id)
        return await asyncio.to_thread(lambda: tuple(describe(each) for each in held))

    async def read_folder(self, params: ListFolderParams, caller: AppCaller) -> ListFolderResult:
        """Name what lies in a folder."""
        held = await self._references.find_folder(caller.app_id, params.ref, params.path)
        entries, is_all = await asyncio.to_thread(list_folder, held.path, params.path or "")
        return ListFolderResult(entries=entries, truncated=not is_all)

    async def release(self, params: FileRefParams, caller: AppCaller) -> ReleaseFileRefResult:
        """Let an app give a reference back."""
        was_held = await self._references.release(caller.app_id, params.ref)
        return ReleaseFileRefResult(released=was_held)

    async def take(self, params: TakeFileParams, context: CallContext) -> TakeFileResult:
        """Let a person take a reference back."""
        del context
        was_held = await self._references.release(params.app_id, params.ref)
        return TakeFileResult(was_held=was_held)

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
