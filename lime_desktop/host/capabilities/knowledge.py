"""lime.knowledge: the person chooses what an app may look things up in; the App Server indexes and searches it."""

from datetime import UTC, datetime

from pydantic import BaseModel

from lime_desktop.host.asking import OpenQuestions
from lime_desktop.host.capabilities.handler import Handlers, HandlerServices
from lime_desktop.host.shell_port import FileQuestion
from lime_desktop.protocol.calls.knowledge import (
    BIND_KNOWLEDGE,
    EXPORT_KNOWLEDGE,
    LIST_KNOWLEDGE,
    SEARCH_KNOWLEDGE,
    ListKnowledgeParams,
    SearchKnowledgeParams,
)
from lime_desktop.protocol.calls.knowledge import BindKnowledgeParams as BindParams
from lime_desktop.protocol.calls.knowledge import ExportKnowledgeParams as ExportParams
from lime_desktop.protocol.capability_calls.knowledge import (
    BindKnowledgeParams,
    ExportKnowledgeParams,
    ExportKnowledgeResult,
    KnowledgeBindingStatus,
    KnowledgeKeyParams,
    KnowledgeRecord,
    KnowledgeSearchParams,
    KnowledgeSearchResult,
)


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call."""
    call, app_id = services.call, services.app_id
    questions = OpenQuestions[KnowledgeBindingStatus]()

    async def status_of(key: str) -> KnowledgeBindingStatus:
        templates = (await call(LIST_KNOWLEDGE, ListKnowledgeParams(app_id=app_id))).templates
        unbound = KnowledgeBindingStatus(key=key, status="unbound")
        return next((each for each in templates if each.key == key), unbound)

    async def search(params: KnowledgeSearchParams) -> BaseModel:
        asked = SearchKnowledgeParams(
            app_id=app_id, query=params.query, template=params.template, top_k=params.top_k
        )
        found = await call(SEARCH_KNOWLEDGE, asked)
        return KnowledgeSearchResult(
            query=params.query,
            records=tuple(
                KnowledgeRecord(
                    app_id=app_id, provenance=services.provenance, **passage.model_dump()
                )
                for passage in found.passages
            ),
            is_partial=found.is_partial,
            pending=found.pending,
            searched_at=datetime.now(UTC).isoformat(timespec="milliseconds"),
            provenance=services.provenance,
        )

    async def bind_status(params: KnowledgeKeyParams) -> BaseModel:
        return await status_of(params.key)

    async def choose(params: BindKnowledgeParams) -> KnowledgeBindingStatus:
        paths = await services.shell.choose_files(FileQuestion(is_either=True))
        if not paths:
            return await status_of(params.key)
        asked = BindParams(
            app_id=app_id, key=params.key, paths=tuple(map(str, paths)), mode=params.mode
        )
        return (await call(BIND_KNOWLEDGE, asked)).status

    async def bind(params: BindKnowledgeParams) -> BaseModel:
        status = await questions.ask(params.key, lambda: choose(params))
        return status or KnowledgeBindingStatus(key=params.key, status="pending")

    async def export(params: ExportKnowledgeParams) -> BaseModel:
        asked = ExportParams(app_id=app_id, key=params.key, format=params.format)
        file = (await call(EXPORT_KNOWLEDGE, asked)).file
        return ExportKnowledgeResult(
            key=params.key, ref=file.ref, format=params.format, size_bytes=file.size_bytes
        )

    return {
        "lime.knowledge.search": search,
        "lime.knowledge.bindStatus": bind_status,
        "lime.knowledge.bind": bind,
        "lime.knowledge.export": export,
    }
