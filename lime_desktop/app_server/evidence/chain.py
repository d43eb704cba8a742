"""A session's exports on disk: each a sealed folder, each naming the hash of the one before it.

    evidence/<hash of the session id>/000001-evidence_…/
        manifest.json     every file with its size and hash, and the manifest before
        manifest.sha256   the seal: the hash of manifest.json, as `sha256sum -c` reads it

A folder appears under its name only when every byte of it is on disk.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from pydantic import JsonValue

from lime_desktop.app_package.credentials import PATTERNS
from lime_desktop.app_server.evidence.layout import EXPORT_NAME, MANIFEST, SEAL, seal_text
from lime_desktop.database.failures import catalogued
from lime_desktop.durable_files.writing import settle
from lime_desktop.file_names import plain_name
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import RuntimeEvent

WITHHELD = "[withheld: it looks like a credential]"

_SCHEMAS = "https://limecloud.github.io/agentevidence/schemas/agentevidence-"


class RedactingEncoder:
    """Encodes documents, and counts what it kept back in each file."""

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}

    def encode(
        self, file: str, document: Mapping[str, JsonValue], indent: int | None = None
    ) -> bytes:
        """The document as JSON text, the same bytes for the same document."""
        body = _json(document, indent)
        if not _looks_secret(body):
            return body
        return _json(self._clean(file, dict(document)), indent)

    def encode_event(self, file: str, event: RuntimeEvent) -> bytes:
        """An event as one line, in the very form in which the log has it."""
        line = event.to_json().encode() + b"\n"
        return self.encode(file, event.to_wire()) if _looks_secret(line) else line

    def records(self, at: str) -> list[JsonValue]:
        """One entry per file that something was kept back from."""
        return [
            {
                "redaction_id": f"redaction:{number}",
                "target_ref": file,
                "redaction_kind": "withhold",
                "reason": f"{count} texts look like credentials.",
                "applied_by": "lime-desktop",
                "applied_at": at,
            }
            for number, (file, count) in enumerate(sorted(self.counts.items()), 1)
        ]

    def _clean(self, file: str, value: JsonValue) -> JsonValue:
        # Recursion is bounded: every document here was read by a parser with a depth limit.
        if isinstance(value, dict):
            return {name: self._clean(file, part) for name, part in value.items()}
        if isinstance(value, list):
            return [self._clean(file, part) for part in value]
        if isinstance(value, str) and _looks_secret(value.encode("utf-8", "replace")):
            self.counts[file] = self.counts.get(file, 0) + 1
            return WITHHELD
        return value


def _looks_secret(text: bytes) -> bool:
    return any(
        known.pattern.search(text)
        for known in PATTERNS
        if any(mark in text for mark in known.marks)
    )


def _json(document: JsonValue | Mapping[str, JsonValue], indent: int | None) -> bytes:
    separators = (",", ":") if indent is None else None
    text = json.dumps(
        document, ensure_ascii=False, sort_keys=True, indent=indent, separators=separators
    )
    return text.encode("utf-8", "backslashreplace") + b"\n"


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """One file of an export."""

    path: str
    role: str
    size: int
    digest: str


@dataclass(frozen=True, slots=True)
class Sealed:
    """An export that is complete and on disk."""

    folder: Path
    relative_root: str
    manifest_hash: str
    files: tuple[WrittenFile, ...]


@dataclass(frozen=True, slots=True)
class _Link:
    index: int
    export_id: str
    manifest_hash: str


class ExportWriter:
    """Takes the files of one export, then seals them."""

    def __init__(self, folder: Path, index: int, previous: _Link | None) -> None:
        self.withholding = RedactingEncoder()
        self._folder = folder
        self._index = index
        self._previous = previous
        self._files: list[JsonObject] = []

    def add(self, path: str, role: str, document: JsonObject, schema: str | None = None) -> None:
        """Write one JSON document; `schema` names the published schema it follows."""
        body = self.withholding.encode(path, document, indent=2)
        with self.lines(path, role, "application/json", schema) as write:
            write(body)

    @contextmanager
    def lines(
        self, path: str, role: str, media_type: str, schema: str | None = None
    ) -> Generator["_Write"]:
        """A file to write piece by piece; it is listed once it is whole."""
        write = _Write((self._folder / plain_name(path)).open("xb"))
        with write.file:
            yield write
            _sync(write.file)
        entry: JsonObject = {
            "path": path,
            "role": role,
            "media_type": media_type,
            "size": write.size,
            "hash": write.digest,
        }
        self._files.append(
            entry | ({"schema_ref": f"{_SCHEMAS}{schema}.schema.json"} if schema else {})
        )

    def seal(self, stated: JsonObject) -> str:
        """Write the manifest and its seal; returns the manifest's hash."""
        previous = self._previous
        manifest: JsonObject = {
            **stated,
            "files": list[JsonValue](self._files),
            "redactions": self.withholding.records(str(stated["created_at"])),
            "chain": {
                "index": self._index,
                "previous_export_id": previous.export_id if previous else None,
                "previous_manifest_hash": previous.manifest_hash if previous else None,
            },
        }
        body = json.dumps(manifest, ensure_ascii=False, sort_keys=True, indent=2).encode() + b"\n"
        digest = hashlib.sha256(body).hexdigest()
        for name, content in ((MANIFEST, body), (SEAL, seal_text(digest).encode())):
            with (self._folder / name).open("xb") as file:
                file.write(content)
                _sync(file)
        return f"sha256:{digest}"

    def written(self) -> tuple[WrittenFile, ...]:
        """The files so far."""
        return tuple(
            WrittenFile(
                str(file["path"]), str(file["role"]), int(str(file["size"])), str(file["hash"])
            )
            for file in self._files
        )


@dataclass
class _Write:
    file: BinaryIO
    size: int = 0

    def __post_init__(self) -> None:
        self._sha256 = hashlib.sha256()

    def __call__(self, body: bytes) -> None:
        self.file.write(body)
        self._sha256.update(body)
        self.size += len(body)

    @property
    def digest(self) -> str:
        return f"sha256:{self._sha256.hexdigest()}"


class ExportChain:
    """The exports of one session. One writer at a time: the caller sees to that."""

    def __init__(self, root: Path, session_id: str) -> None:
        # A hash: a session is named by its client, and a name may mean something to a file system.
        self._name = hashlib.sha256(session_id.encode()).hexdigest()[:32]
        self._folder = root / self._name

    @contextmanager
    def next_export(self, name: str) -> Generator["OpenExport"]:
        """Begin the export that follows the last one; what is not sealed leaves no trace. Blocks."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            previous = self._last()
            index = previous.index + 1 if previous else 1
            final = self._folder / plain_name(f"{index:06d}-{name}")
            partial = self._folder / f".{final.name}.partial"
            partial.mkdir()
            try:
                yield OpenExport(ExportWriter(partial, index, previous), partial, final, self._name)
            finally:
                shutil.rmtree(partial, ignore_errors=True)
        except OSError as error:
            raise catalogued(error) from error

    def _last(self) -> _Link | None:
        found = sorted(entry for entry in self._folder.iterdir() if EXPORT_NAME.match(entry.name))
        if not found:
            return None
        body = (found[-1] / MANIFEST).read_bytes()
        export_id = found[-1].name.partition("-")[2]
        digest = f"sha256:{hashlib.sha256(body).hexdigest()}"
        return _Link(int(found[-1].name[:6]), export_id, digest)


@dataclass(frozen=True, slots=True)
class OpenExport:
    """An export being written."""

    writer: ExportWriter
    partial: Path
    final: Path
    chain_name: str

    def seal(self, stated: JsonObject) -> Sealed:
        """Give the folder its name: from now on it exists."""
        manifest_hash = self.writer.seal(stated)
        settle(self.partial, self.final)
        relative = f"evidence/{self.chain_name}/{self.final.name}"
        return Sealed(self.final, relative, manifest_hash, self.writer.written())


def discard(export: Sealed) -> None:
    """Take back an export that the log would not hear of. Blocks."""
    shutil.rmtree(export.folder, ignore_errors=True)


def _sync(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())
