"""The index of each app: opened when it is needed, brought up to date in the background, closed at the end."""

import asyncio
import logging
from functools import partial
from pathlib import Path

from lime_desktop.app_server.documents.parsing import DocumentParsing
from lime_desktop.app_server.knowledge.indexing import bring_up_to_date
from lime_desktop.app_server.knowledge.rows import (
    Binding,
    Hit,
    read_bindings,
    read_bound_keys,
    search,
)
from lime_desktop.app_server.knowledge.schema import KNOWLEDGE_INDEX
from lime_desktop.app_server.knowledge.tokens import terms_of
from lime_desktop.background.closing import close_all
from lime_desktop.database.database import Database, open_database
from lime_desktop.file_names import stored_name
from lime_desktop.protocol.ids import AppId

_log = logging.getLogger(__name__)


class KnowledgeIndexes:
    """Every app's index. Others in the App Server search through this."""

    def __init__(self, folder: Path, parsing: DocumentParsing) -> None:
        self._folder = folder
        self._parsing = parsing
        self._open: dict[AppId, Database] = {}
        self._opening = asyncio.Lock()
        self._indexing: dict[tuple[AppId, str], asyncio.Task[None]] = {}

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

    async def search(
        self, app_id: AppId, question: str, binding: str | None, limit: int
    ) -> tuple[Hit, ...]:
        """The passages that answer a question best; none where it has no words."""
        terms = terms_of(question)
        if not terms:
            return ()
        database = await self.database(app_id)
        return await database.read(lambda connection: search(connection, terms, binding, limit))

    def is_indexing(self, app_id: AppId, key: str) -> bool:
        """Whether a binding is being brought up to date."""
        return (app_id, key) in self._indexing

    async def refresh(self, app_id: AppId, binding: Binding) -> asyncio.Task[None]:
        """Begin to bring a binding up to date; one that is under way is stopped, for it looks at old sources."""
        await self.stop(app_id, binding.key)
        task = asyncio.create_task(self._refresh(app_id, binding))
        self._indexing[app_id, binding.key] = task
        task.add_done_callback(lambda _: self._done(app_id, binding.key, task))
        return task

    async def stop(self, app_id: AppId, key: str) -> None:
        """Stop bringing a binding up to date."""
        task = self._indexing.pop((app_id, key), None)
        if task is not None:
            task.cancel()
            await asyncio.wait({task})

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

    async def _refresh(self, app_id: AppId, binding: Binding) -> None:
        database = await self.database(app_id)
        await bring_up_to_date(database, binding.key, binding.sources, self._parsing)

    def _done(self, app_id: AppId, key: str, task: asyncio.Task[None]) -> None:
        if self._indexing.get((app_id, key)) is task:
            del self._indexing[app_id, key]
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("indexing failed", exc_info=error, extra={"appId": app_id})
