"""The index of each app: opened when it is needed, brought up to date in the background, closed at the end.

Whoever asks for something makes the sources be looked at again, unless that was done a moment ago. So what was cut off
goes on, new files are noticed, and nothing runs while nobody asks.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from lime_desktop.app_server.documents.parsing import DocumentParsing
from lime_desktop.app_server.knowledge.indexing import Progress, bring_up_to_date
from lime_desktop.app_server.knowledge.rows import (
    Binding,
    Hit,
    read_bindings,
    read_bound_keys,
    read_sources,
    search,
)
from lime_desktop.app_server.knowledge.schema import KNOWLEDGE_INDEX
from lime_desktop.app_server.knowledge.tokens import terms_of
from lime_desktop.background.tasks import BackgroundTasks, close_all
from lime_desktop.database.database import Database, open_database
from lime_desktop.file_names import stored_name
from lime_desktop.protocol.ids import AppId

_log = logging.getLogger(__name__)


LOOK_AGAIN_S = 10.0
"""How old a look at the sources may be when somebody asks."""


@dataclass(frozen=True, slots=True)
class _Indexing:
    """Work on one binding."""

    task: asyncio.Task[object]
    progress: Progress


class KnowledgeIndexes:
    """Every app's index. Others in the App Server search through this."""

    def __init__(
        self, folder: Path, parsing: DocumentParsing, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._clock = clock
        self._folder = folder
        self._parsing = parsing
        self._open: dict[AppId, Database] = {}
        self._opening = asyncio.Lock()
        self._indexing: dict[tuple[AppId, str], _Indexing] = {}
        self._looked_at: dict[tuple[AppId, str], float] = {}
        self._tasks = BackgroundTasks(_log)

    async def database(self, app_id: AppId) -> Database:
        """The index of an app."""
        async with self._opening:
            if app_id not in self._open:
                self._open[app_id] = await asyncio.to_thread(
                    open_database, self.path_of(app_id), KNOWLEDGE_INDEX
                )
            return self._open[app_id]

    async def bindings(self, app_id: AppId) -> dict[str, Binding]:
        """What an app's templates are bound to."""
        database = await self.database(app_id)
        return {binding.key: binding for binding in await database.read(read_bindings)}

    async def bound_keys(self, app_id: AppId) -> tuple[str, ...]:
        """The templates that are bound, and nothing more of them."""
        return await (await self.database(app_id)).read(read_bound_keys)

    async def sources(self, app_id: AppId) -> dict[str, tuple[str, ...]]:
        """The places that templates are bound to, by template."""
        return await (await self.database(app_id)).read(read_sources)

    async def search(
        self, app_id: AppId, question: str, binding: str | None, limit: int
    ) -> tuple[Hit, ...]:
        """The passages that answer a question best; none where it has no words."""
        terms = terms_of(question)
        if not terms:
            return ()
        database = await self.database(app_id)
        return await database.read(lambda connection: search(connection, terms, binding, limit))

    def progress(self, app_id: AppId, key: str) -> Progress | None:
        """How far a binding is brought up to date; None where nothing is under way."""
        work = self._indexing.get((app_id, key))
        return None if work is None else work.progress

    async def refresh(self, app_id: AppId, binding: Binding) -> asyncio.Task[object]:
        """Begin to bring a binding up to date; one that is under way is stopped, for it looks at old sources."""
        await self.stop(app_id, binding.key)
        return self._begin(app_id, binding.key, binding.sources)

    async def look_again(
        self, app_id: AppId, wanted: str | None = None, timeout_s: float = 0
    ) -> None:
        """Begin to bring an app's bindings up to date that nobody looked at lately, and wait a moment for it."""
        if not await asyncio.to_thread(self.path_of(app_id).exists):
            return
        sources = await self.sources(app_id)
        for key, paths in sources.items():
            looked_at = self._looked_at.get((app_id, key))
            is_old = looked_at is None or self._clock() - looked_at > LOOK_AGAIN_S
            if is_old and wanted in {None, key} and (app_id, key) not in self._indexing:
                self._begin(app_id, key, paths)
        works = [work for (owner, _), work in self._indexing.items() if owner == app_id]
        if works and timeout_s:
            await asyncio.wait({work.task for work in works}, timeout=timeout_s)

    def _begin(self, app_id: AppId, key: str, sources: tuple[str, ...]) -> asyncio.Task[object]:
        progress = Progress()
        task = self._tasks.spawn(
            self._bring_up_to_date(app_id, key, sources, progress), about={"appId": app_id}
        )
        self._looked_at[app_id, key] = self._clock()
        self._indexing[app_id, key] = _Indexing(task, progress)
        task.add_done_callback(lambda _: self._done(app_id, key, task))
        return task

    async def stop(self, app_id: AppId, key: str) -> None:
        """Stop bringing a binding up to date."""
        self._looked_at.pop((app_id, key), None)
        work = self._indexing.pop((app_id, key), None)
        if work is not None:
            work.task.cancel()
            await asyncio.wait({work.task})

    async def forget(self, app_id: AppId) -> Path:
        """Close an app's index so that its file can be replaced or deleted, and say where it lies."""
        for owner, key in list(self._indexing):
            if owner == app_id:
                await self.stop(app_id, key)
        async with self._opening:
            database = self._open.pop(app_id, None)
            if database is not None:
                await asyncio.to_thread(database.close)
        return self.path_of(app_id)

    def path_of(self, app_id: AppId) -> Path:
        """Where an app's index lies, or would."""
        return self._folder / stored_name(app_id, ".db")

    async def close(self) -> None:
        """Stop and close everything."""
        await close_all(
            *(partial(self.stop, app_id, key) for app_id, key in list(self._indexing)),
            *(partial(self.forget, app_id) for app_id in list(self._open)),
        )

    async def _bring_up_to_date(
        self, app_id: AppId, key: str, sources: tuple[str, ...], progress: Progress
    ) -> None:
        database = await self.database(app_id)
        await bring_up_to_date(database, key, sources, self._parsing, progress)

    def _done(self, app_id: AppId, key: str, task: asyncio.Task[object]) -> None:
        work = self._indexing.get((app_id, key))
        if work is not None and work.task is task:
            del self._indexing[app_id, key]
            # From its end: what takes long must not begin anew at once.
            self._looked_at[app_id, key] = self._clock()
