"""Reads documents for whoever asks, each in a child process with little room, one at a time.

A text without marks is read here, for there is nothing in it to be misread. Every other format has a parser that some
file keeps busy for longer than anybody waits; in the child that is bounded, and costs the server nothing.
"""

import asyncio
import json
import subprocess
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Literal

from lime_desktop.app_server.children.leashed_process import LeashedProcess, Streams
from lime_desktop.app_server.documents.parsed import ParsedDocument, bounded
from lime_desktop.app_server.documents.plain_text import parse_text
from lime_desktop.child_limits import bare_environment
from lime_desktop.own_programs import module_command
from lime_desktop.protocol.errors import InvalidInput, TimedOut, UpstreamFailed

ParserName = Literal["text", "markdown", "html", "csv", "json", "pdf", "docx", "xlsx"]

MAX_FILE_BYTES = 50 * 1024 * 1024
MAX_TEXT_BYTES = 8 * 1024 * 1024
DEADLINE_S = 60.0
"""How long one document may take."""
_ANSWER_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of document."""

    parser: ParserName
    media_type: str
    is_packed: bool = False
    """Whether it is a file of many parts, which may be larger than a text."""


_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

_TEXT = Format("text", "text/plain")
_MARKDOWN = Format("markdown", "text/markdown")
_HTML = Format("html", "text/html")

_BY_ENDING: dict[str, Format] = {
    ".txt": _TEXT,
    ".text": _TEXT,
    ".log": _TEXT,
    ".rst": _TEXT,
    ".yaml": _TEXT,
    ".yml": _TEXT,
    ".md": _MARKDOWN,
    ".markdown": _MARKDOWN,
    ".html": _HTML,
    ".htm": _HTML,
    ".csv": Format("csv", "text/csv"),
    ".tsv": Format("csv", "text/tab-separated-values"),
    ".json": Format("json", "application/json"),
    ".pdf": Format("pdf", "application/pdf", is_packed=True),
    ".docx": Format("docx", _WORD, is_packed=True),
    ".xlsx": Format("xlsx", _SHEET, is_packed=True),
}
_BY_PARSER: dict[str, Format] = {each.parser: each for each in reversed(_BY_ENDING.values())}


def format_of(name: str, parser: str | None = None) -> Format:
    """The format of a file of this name, or the one that is asked for.

    Raises:
        InvalidInput: nobody here reads it.
    """
    found = _BY_PARSER.get(parser) if parser else _BY_ENDING.get(PurePath(name).suffix.lower())
    if found is None:
        raise InvalidInput.at_fields([("parser" if parser else "ref", "format_unknown")])
    return found


def is_readable(name: str) -> bool:
    """Whether somebody here reads files of this name."""
    return PurePath(name).suffix.lower() in _BY_ENDING


class DocumentParsing:
    """Owns the child. It is started when it is first needed, and again after it had to be ended."""

    def __init__(self) -> None:
        self._child: LeashedProcess | None = None
        # One document at a time: parsing is work for one core, and its memory is bounded once.
        self._turn = asyncio.Lock()

    async def parse(
        self, path: Path, name: str, parser: str | None = None
    ) -> tuple[Format, ParsedDocument]:
        """Read a document.

        Raises:
            InvalidInput: it is too large, of a format nobody reads, or not what its name says.
            TimedOut: it took too long.
        """
        kind = format_of(name, parser)
        limit = MAX_FILE_BYTES if kind.is_packed else MAX_TEXT_BYTES
        body = await asyncio.to_thread(_read, path, limit)
        if kind.parser == "text":
            return kind, bounded(await asyncio.to_thread(parse_text, body))
        return kind, await self._parse_confined(kind, body)

    async def close(self) -> None:
        """End the child."""
        async with self._turn:
            await self._end_child()

    async def _parse_confined(self, kind: Format, body: bytes) -> ParsedDocument:
        async with self._turn:
            try:
                async with asyncio.timeout(DEADLINE_S):
                    answer = await self._ask(kind.parser, body)
            except BaseException as error:
                # Whatever it was doing, its next answer would be to an old question.
                await asyncio.shield(self._end_child())
                if isinstance(error, TimeoutError):
                    raise TimedOut("Reading the document took too long") from None
                raise
        if "document" in answer:
            return ParsedDocument.model_validate(answer["document"])
        refused = InvalidInput("The document cannot be read")
        refused.details = dict(answer["problem"])
        raise refused

    async def _ask(self, parser: str, body: bytes) -> dict[str, dict[str, object]]:
        child = (await self._running_child()).process
        assert child.stdin is not None  # noqa: S101 - started with pipes
        assert child.stdout is not None  # noqa: S101 - likewise
        child.stdin.write(json.dumps({"parser": parser, "bytes": len(body)}).encode() + b"\n")
        child.stdin.write(body)
        try:
            await child.stdin.drain()
            line = await child.stdout.readline()
        except (BrokenPipeError, ConnectionResetError):
            line = b""
        if not line:
            raise UpstreamFailed("The document ended the process that read it")
        return json.loads(line)

    async def _running_child(self) -> LeashedProcess:
        if self._child is None or self._child.process.returncode is not None:
            self._child = await LeashedProcess.start(
                module_command("lime_desktop.app_server.documents.child"),
                environment=bare_environment(),
                streams=Streams(subprocess.PIPE, subprocess.PIPE, longest_line=_ANSWER_BYTES),
            )
        return self._child

    async def _end_child(self) -> None:
        child, self._child = self._child, None
        if child is None:
            return
        if child.process.stdin is not None:
            child.process.stdin.close()
        await child.stop()


def _read(path: Path, limit: int) -> bytes:
    if path.stat().st_size > limit:
        raise InvalidInput.at_fields([("ref", "document_too_large")])
    with path.open("rb") as file:
        # It may have grown since it was measured.
        return file.read(limit)
