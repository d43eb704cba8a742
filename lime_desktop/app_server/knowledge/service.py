"""Answers lime.knowledge and knowledge/*: templates that the manifest declares, bound by a person, searched with citations."""

import asyncio
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from lime_desktop.app_package.manifest.resources import KnowledgeSource
from lime_desktop.app_server.apps.registered import RegisteredApps
from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.files.references import FileReferences, describe
from lime_desktop.app_server.knowledge.indexes import KnowledgeIndexes
from lime_desktop.app_server.knowledge.own_rows import follow_rows, row_id_of
from lime_desktop.app_server.knowledge.rows import (
    Binding,
    Hit,
    keep_binding,
    remove_binding,
    texts_of,
)
from lime_desktop.app_server.knowledge.set_search import as_set, source_of
from lime_desktop.app_server.knowledge.tokens import found_at
from lime_desktop.app_server.routes import AppCalls
from lime_desktop.app_server.runtime_core.identities import now
from lime_desktop.app_server.storage.prepared import PreparedFiles
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.calls.knowledge import (
    BindKnowledgeParams,
    BindKnowledgeResult,
    ListKnowledgeParams,
    ListKnowledgeResult,
    UnbindKnowledgeParams,
    UnbindKnowledgeResult,
)
from lime_desktop.protocol.capability_calls.knowledge import (
    EXPORT_KNOWLEDGE,
    READ_BINDING,
    SEARCH_KNOWLEDGE,
    UNBIND,
    ExportKnowledgeParams,
    ExportKnowledgeResult,
    KnowledgeBindingStatus,
    KnowledgeKeyParams,
    KnowledgeRecord,
    KnowledgeSearchParams,
    KnowledgeSearchResult,
)
from lime_desktop.protocol.capability_calls.knowledge import (
    UnbindKnowledgeResult as AppUnbindResult,
)
from lime_desktop.protocol.errors import InvalidInput, KnowledgeNotBound, WritebackNotDeclared
from lime_desktop.protocol.ids import AppId
from lime_desktop.protocol.provenance import Provenance

SNIPPET_CHARACTERS = 320
LOOK_S = 1.0
"""How long a search waits for new files to be read; what is left then is said."""
EXPORT_S = 5.0
_ENDINGS = {"markdown": "md", "text": "txt", "json": "json"}


class AppKnowledge:
    """The knowledge of every app."""

    def __init__(
        self,
        apps: RegisteredApps,
        indexes: KnowledgeIndexes,
        references: FileReferences,
        data: PreparedFiles,
    ) -> None:
        self._apps = apps
        self._indexes = indexes
        self._references = references
        self._data = data
        # One at a time: two that look at one table would index its rows twice.
        self._following = asyncio.Lock()

    def serve(self, calls: AppCalls) -> None:
        """Answer what apps ask of their knowledge."""
        calls.add(SEARCH_KNOWLEDGE, self.search)
        calls.add(READ_BINDING, self.read_binding)
        calls.add(UNBIND, self.let_go)
        calls.add(EXPORT_KNOWLEDGE, self.export)

    async def let_go(self, params: KnowledgeKeyParams, caller: AppCaller) -> AppUnbindResult:
        """Let an app give a template's sources up by itself."""
        return AppUnbindResult(unbound=await self._unbind(caller.app_id, params.key))

    async def bind(self, params: BindKnowledgeParams, context: CallContext) -> BindKnowledgeResult:
        """Bind a template and begin to index; the answer does not wait for that.

        Raises:
            WritebackNotDeclared: the manifest has no such template.
            InvalidInput: the app fills it with rows of its own.
            FileReferenceUnknown: the reference opens nothing of this app.
        """
        del context
        self._require_declared(params.app_id, params.key)
        if params.key in self._own(params.app_id):
            raise InvalidInput.at_fields([("key", "filled_by_the_app")])
        paths = await self._paths_of(params)
        database = await self._indexes.database(params.app_id)
        await self._indexes.stop(params.app_id, params.key)
        await database.write(
            lambda connection: keep_binding(connection, params.key, params.mode, paths, now())
        )
        await self._indexes.refresh(params.app_id, await self._bound(params.app_id, params.key))
        return BindKnowledgeResult(status=await self._status(params.app_id, params.key))

    async def unbind(
        self, params: UnbindKnowledgeParams, context: CallContext
    ) -> UnbindKnowledgeResult:
        """Let a template's sources go."""
        del context
        return UnbindKnowledgeResult(was_bound=await self._unbind(params.app_id, params.key))

    async def _unbind(self, app_id: AppId, key: str) -> bool:
        await self._indexes.stop(app_id, key)
        database = await self._indexes.database(app_id)
        return await database.write(lambda connection: remove_binding(connection, key))

    async def list(self, params: ListKnowledgeParams, context: CallContext) -> ListKnowledgeResult:
        """Say how an app's templates stand."""
        del context
        await self._indexes.look_again(params.app_id)
        declared = sorted(self._apps.get(params.app_id).declared.knowledge)
        templates = [await self._status(params.app_id, key) for key in declared]
        return ListKnowledgeResult(templates=tuple(templates))

    async def read_binding(
        self, params: KnowledgeKeyParams, caller: AppCaller
    ) -> KnowledgeBindingStatus:
        """Say how one template stands; one that the manifest does not declare is bound to nothing."""
        app_id = caller.app_id
        await self._indexes.look_again(app_id)
        if params.key not in self._apps.get(app_id).declared.knowledge:
            return KnowledgeBindingStatus(key=params.key, status="unbound")
        return await self._status(app_id, params.key)

    async def search(
        self, params: KnowledgeSearchParams, caller: AppCaller
    ) -> KnowledgeSearchResult:
        """Find passages.

        Raises:
            KnowledgeNotBound: there is nothing to search in.
        """
        app_id = caller.app_id
        asked = as_set(self._apps.get(app_id), params)
        template = asked.template
        await self._follow_own(app_id, template)
        await self._indexes.look_again(app_id, template, timeout_s=LOOK_S)
        bound = await self._indexes.bound_keys(app_id)
        if not bound or (template is not None and template not in bound):
            raise KnowledgeNotBound("Nobody has bound a source to this template yet")
        found = await self._indexes.search(app_id, params.query, template, asked.top_k)
        hits = filter(asked.is_good_enough, found)
        sources = await self._indexes.sources(app_id)
        pending = self._pending(app_id, bound, template)
        return KnowledgeSearchResult(
            query=params.query,
            records=tuple(
                _record(hit, params.query, sources.get(hit.binding, ()), caller.provenance)
                for hit in hits
            ),
            is_partial=pending is None or pending > 0,
            pending=pending or 0,
            searched_at=now(),
            provenance=caller.provenance,
        )

    async def export(
        self, params: ExportKnowledgeParams, caller: AppCaller
    ) -> ExportKnowledgeResult:
        """Write what a template's sources say to one file."""
        app_id = caller.app_id
        await self._follow_own(app_id, params.key)
        await self._bound(app_id, params.key)
        await self._indexes.look_again(app_id, params.key, timeout_s=EXPORT_S)
        database = await self._indexes.database(app_id)
        rows = await database.read(lambda connection: texts_of(connection, params.key))
        body = _written(rows, params.format)
        name = f"{params.key}.{_ENDINGS[params.format]}"
        held = await self._references.write(app_id, name, body.encode())
        file = await asyncio.to_thread(describe, held)
        return ExportKnowledgeResult(
            key=params.key, ref=file.ref, format=params.format, size_bytes=file.size_bytes
        )

    async def _paths_of(self, params: BindKnowledgeParams) -> Sequence[str]:
        if params.ref is not None:
            return (str((await self._references.find_opened(params.app_id, params.ref)).path),)
        return [str(await asyncio.to_thread(Path(path).resolve)) for path in params.paths]

    def _require_declared(self, app_id: AppId, key: str) -> None:
        if key not in self._apps.get(app_id).declared.knowledge:
            raise WritebackNotDeclared("The manifest declares no knowledge template of this name")

    def _own(self, app_id: AppId) -> Mapping[str, KnowledgeSource]:
        """The templates that the app fills by itself."""
        templates = self._apps.get(app_id).package.manifest.knowledge_templates
        return {each.key: each.source for each in templates if each.source is not None}

    async def _follow_own(self, app_id: AppId, wanted: str | None) -> None:
        """Make the index as the app's own tables are; of one template, where one is named."""
        for key, source in self._own(app_id).items():
            if wanted in {None, key}:
                async with self._following, self._data.use(app_id) as file:
                    index = await self._indexes.database(app_id)
                    table = file.tables.named(source.table)
                    await follow_rows(index, key, file.database, table, source)

    async def _bound(self, app_id: AppId, key: str) -> Binding:
        binding = (await self._indexes.bindings(app_id)).get(key)
        if binding is None:
            raise KnowledgeNotBound("Nobody has bound a source to this template yet")
        return binding

    async def _status(self, app_id: AppId, template: str) -> KnowledgeBindingStatus:
        key = source_of(self._apps.get(app_id), template)
        found = await self._status_of(app_id, key)
        return found.model_copy(update={"key": template})

    async def _status_of(self, app_id: AppId, key: str) -> KnowledgeBindingStatus:
        binding = (await self._indexes.bindings(app_id)).get(key)
        if binding is None:
            is_own = key in self._own(app_id)
            return KnowledgeBindingStatus(key=key, status="bound" if is_own else "unbound")
        progress = self._indexes.progress(app_id, key)
        pending = progress.pending or 0 if progress else 0
        # A look that finds nothing new is not worth a word.
        is_indexing = progress is not None and (pending > 0 or binding.indexed_at is None)
        return KnowledgeBindingStatus(
            key=key,
            status="indexing" if is_indexing else "bound" if binding.indexed_at else "failed",
            sources=binding.documents,
            passages=binding.passages,
            pending=pending,
            unread=binding.unread,
            indexed_at=binding.indexed_at,
            message=binding.message,
        )

    def _pending(self, app_id: AppId, bound: Iterable[str], wanted: str | None) -> int | None:
        """The files that are still to be read; None where it is not known how many."""
        under_way = (self._indexes.progress(app_id, key) for key in bound if wanted in {None, key})
        counts = [progress.pending for progress in under_way if progress is not None]
        return None if None in counts else sum(count or 0 for count in counts)


def _record(
    hit: Hit, question: str, sources: Iterable[str], provenance: Provenance
) -> KnowledgeRecord:
    start = max(0, found_at(hit.text, question) - SNIPPET_CHARACTERS // 4)
    return KnowledgeRecord(
        id=f"{hit.binding}/{hit.passage_id}",
        app_id=provenance.app_id,
        binding_key=hit.binding,
        title=hit.document,
        snippet=hit.text[start : start + SNIPPET_CHARACTERS],
        location=hit.location,
        path=_inside(hit.path, sources),
        page=hit.page,
        section=hit.title or None,
        score=hit.score,
        row_id=row_id_of(hit.path),
        provenance=provenance,
    )


def _inside(path: str, sources: Iterable[str]) -> str | None:
    """Where a file lies in what was bound: an app learns nothing of what is around it."""
    folder = next((each for each in sources if Path(path).is_relative_to(each)), None)
    if folder is None:
        return None
    return Path(path).name if path == folder else Path(path).relative_to(folder).as_posix()


def _written(rows: list[tuple[str, str, str]], form: str) -> str:
    if form == "json":
        keys = ("document", "title", "text")
        return json.dumps([dict(zip(keys, row, strict=True)) for row in rows], ensure_ascii=False)
    mark = "# " if form == "markdown" else ""
    parts: list[str] = []
    last = ""
    for document, title, text in rows:
        if document != last:
            parts.append(f"{mark}{document}")
        last = document
        if title:
            parts.append(f"{mark and '## '}{title}")
        parts.append(text)
    return "\n\n".join(parts) + "\n"
