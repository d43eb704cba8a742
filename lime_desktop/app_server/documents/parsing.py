"""Reads documents for whoever asks: the harmless here, in a thread; the others in a child process, one at a time."""

import asyncio
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

from lime_desktop.app_server.documents.formats import Format, format_of
from lime_desktop.app_server.documents.marked_text import parse_html, parse_markdown
from lime_desktop.app_server.documents.parsed import ParsedDocument, bounded
from lime_desktop.app_server.documents.plain_text import parse_csv, parse_json, parse_text
from lime_desktop.protocol.errors import InvalidInput, TimedOut, UpstreamFailed

MAX_FILE_BYTES = 50 * 1024 * 1024
MAX_TEXT_BYTES = 8 * 1024 * 1024
DEADLINE_S = 60.0
"""How long one document may take."""
_ANSWER_BYTES = 64 * 1024 * 1024

_HERE: dict[str, Callable[[bytes], ParsedDocument]] = {
    "text": parse_text,
    "markdown": parse_markdown,
    "html": parse_html,
    "csv": parse_csv,
    "json": parse_json,
}


class DocumentParsing:
    """Owns the child. It is started when it is first needed, and again after it had to be ended."""

    def __init__(self) -> None:
        self._child: asyncio.subprocess.Process | None = None
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
        limit = MAX_FILE_BYTES if kind.is_confined else MAX_TEXT_BYTES
        if (await asyncio.to_thread(path.stat)).st_size > limit:
            raise InvalidInput.at_fields([("ref", "document_too_large")])
        if kind.is_confined:
            return kind, await self._parse_confined(kind, path)
        return kind, await asyncio.to_thread(_parse_here, kind, path)

    async def close(self) -> None:
        """End the child."""
        async with self._turn:
            await self._end_child()

    async def _parse_confined(self, kind: Format, path: Path) -> ParsedDocument:
        async with self._turn:
            try:
                async with asyncio.timeout(DEADLINE_S):
                    answer = await self._ask({"parser": kind.parser, "path": str(path)})
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

    async def _ask(self, question: dict[str, str]) -> dict[str, dict[str, object]]:
        child = await self._running_child()
        assert child.stdin is not None  # noqa: S101 - started with pipes
        assert child.stdout is not None  # noqa: S101 - likewise
        child.stdin.write(json.dumps(question).encode() + b"\n")
        await child.stdin.drain()
        line = await child.stdout.readline()
        if not line:
            raise UpstreamFailed("The document ended the process that read it")
        return json.loads(line)

    async def _running_child(self) -> asyncio.subprocess.Process:
        if self._child is None or self._child.returncode is not None:
            command = (sys.executable, "-m", "lime_desktop.app_server.documents.child")
            self._child = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                env=_bare_environment(),
                limit=_ANSWER_BYTES,
            )
        return self._child

    async def _end_child(self) -> None:
        child, self._child = self._child, None
        if child is None:
            return
        if child.returncode is None:
            child.kill()
        if child.stdin is not None:
            child.stdin.close()
        await child.wait()


def _bare_environment() -> dict[str, str]:
    """Enough for Python to find this program, and none of the tokens that may lie around."""
    kept = {"PATH", "PYTHONPATH", "SYSTEMROOT", "LANG", "LC_ALL"}
    paths = os.pathsep.join(path for path in sys.path if path)
    return {**{name: os.environ[name] for name in kept & os.environ.keys()}, "PYTHONPATH": paths}


def _parse_here(kind: Format, path: Path) -> ParsedDocument:
    return bounded(_HERE[kind.parser](path.read_bytes()))
