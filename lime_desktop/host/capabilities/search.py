"""lime.search: one question to everything the app may read anyway, and questions that an agent looks into."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

from pydantic import BaseModel

from lime_desktop.host.capabilities.handler import Handlers, HandlerServices
from lime_desktop.host.runs.app_tasks import AppTasks, Work
from lime_desktop.protocol.agent_tasks import TaskRecord
from lime_desktop.protocol.calls.agent_tasks import LIST_AGENT_TASKS, ListAgentTasksParams
from lime_desktop.protocol.calls.documents import SEARCH_DATA, SearchDataParams
from lime_desktop.protocol.capability_calls.artifacts import LIST_ARTIFACTS, ListArtifactsParams
from lime_desktop.protocol.capability_calls.files import LIST_FILES
from lime_desktop.protocol.capability_calls.knowledge import (
    SEARCH_KNOWLEDGE,
    KnowledgeSearchParams,
)
from lime_desktop.protocol.capability_calls.search import (
    DeepResearchParams,
    ResearchRun,
    ResearchRunParams,
    SearchHit,
    SearchParams,
    SearchResult,
)
from lime_desktop.protocol.errors import KnowledgeNotBound
from lime_desktop.protocol.wire import Empty

_KIND = "deep-research"

Look = Callable[[HandlerServices, SearchParams], Awaitable[list[SearchHit]]]


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call."""
    tasks = AppTasks(services.call, services.caller, services.approvals.follow_run)

    async def query(params: SearchParams) -> BaseModel:
        declared, entry = services.facts().declared, services.provenance.entry_key
        hits = [
            hit
            for capability, look in _PLACES.items()
            if declared.has_capability(capability, entry)
            for hit in await look(services, params)
        ]
        best = sorted(hits, key=lambda hit: hit.score, reverse=True)[: params.limit]
        return SearchResult(
            query=params.query,
            hits=tuple(best),
            searched_at=datetime.now(UTC).isoformat(timespec="milliseconds"),
        )

    async def deep_research(params: DeepResearchParams) -> BaseModel:
        wanted = Work(
            title=params.query[:200],
            kind=_KIND,
            prompt=f"Look into this question in {params.depth} rounds, and name your sources: {params.query}",
        )
        return _run(await tasks.start(wanted))

    async def get_run(params: ResearchRunParams) -> BaseModel:
        return _run(await tasks.find(params.run_id, _KIND))

    return {
        "lime.search.query": query,
        "lime.search.deepResearch": deep_research,
        "lime.search.getRun": get_run,
    }


def _run(task: TaskRecord) -> ResearchRun:
    made = task.result.artifacts if task.result else ()
    return ResearchRun(
        run_id=task.task_id,
        task_id=task.task_id,
        status=task.status,
        artifact_id=made[0] if made else None,
    )


async def _in_knowledge(services: HandlerServices, params: SearchParams) -> list[SearchHit]:
    asked = KnowledgeSearchParams(query=params.query, top_k=params.limit)
    try:
        found = (await services.ask(SEARCH_KNOWLEDGE, asked)).records
    except KnowledgeNotBound:
        return []
    best = max((passage.score for passage in found), default=1.0) or 1.0
    return [
        SearchHit(
            kind="knowledge",
            id=passage.id,
            title=passage.title,
            snippet=passage.snippet,
            score=passage.score / best,
        )
        for passage in found
    ]


async def _in_storage(services: HandlerServices, params: SearchParams) -> list[SearchHit]:
    asked = SearchDataParams(app_id=services.app_id, query=params.query, limit=params.limit)
    found = (await services.call(SEARCH_DATA, asked)).found
    return [
        SearchHit(kind="storage", id=each.id, title=each.title, snippet=each.snippet, score=0.5)
        for each in found
    ]


async def _in_artifacts(services: HandlerServices, params: SearchParams) -> list[SearchHit]:
    listed = await services.ask(LIST_ARTIFACTS, ListArtifactsParams())
    return [
        SearchHit(kind="artifact", id=each.id, title=each.title, snippet=each.kind, score=0.8)
        for each in listed.root
        if _names(each.title, params)
    ]


async def _in_files(services: HandlerServices, params: SearchParams) -> list[SearchHit]:
    listed = await services.ask(LIST_FILES, Empty())
    return [
        SearchHit(kind="file", id=each.ref, title=each.name, snippet=each.media_type, score=0.7)
        for each in listed.root
        if _names(each.name, params)
    ]


async def _in_tasks(services: HandlerServices, params: SearchParams) -> list[SearchHit]:
    listed = await services.call(LIST_AGENT_TASKS, ListAgentTasksParams(app_id=services.app_id))
    return [
        SearchHit(kind="task", id=each.task_id, title=each.title, snippet=each.status, score=0.6)
        for each in listed.tasks
        if _names(each.title, params)
    ]


def _names(title: str, params: SearchParams) -> bool:
    return params.query.casefold() in title.casefold()


_PLACES: dict[str, Look] = {
    "lime.knowledge": _in_knowledge,
    "lime.storage": _in_storage,
    "lime.artifacts": _in_artifacts,
    "lime.files": _in_files,
    "lime.agent": _in_tasks,
}
"""What is searched, by the capability that an app must have declared to see it."""
