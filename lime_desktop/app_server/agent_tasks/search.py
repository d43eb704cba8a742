"""Answers lime.search: one question to everything the app may read anyway, and questions that an agent looks into."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from lime_desktop.app_server.agent_tasks.service import AgentTasks
from lime_desktop.app_server.apps.registered import RegisteredApps
from lime_desktop.app_server.artifacts.service import AppArtifacts
from lime_desktop.app_server.files.service import AppFilesService
from lime_desktop.app_server.knowledge.service import AppKnowledge
from lime_desktop.app_server.routes import AppCalls
from lime_desktop.app_server.storage.searching import DataSearch
from lime_desktop.protocol.agent_tasks import StartTaskParams, TaskRecord
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.capability_calls.artifacts import ListArtifactsParams
from lime_desktop.protocol.capability_calls.knowledge import KnowledgeSearchParams
from lime_desktop.protocol.capability_calls.search import (
    DEEP_RESEARCH,
    GET_RESEARCH_RUN,
    SEARCH,
    DeepResearchParams,
    ResearchRun,
    ResearchRunParams,
    SearchHit,
    SearchParams,
    SearchResult,
)
from lime_desktop.protocol.errors import KnowledgeNotBound
from lime_desktop.protocol.ids import TaskId

_KIND = "deep-research"

Look = Callable[[SearchParams, AppCaller], Awaitable[list[SearchHit]]]


@dataclass(frozen=True, slots=True)
class SearchedServices:
    """Who keeps what is searched."""

    knowledge: AppKnowledge
    data: DataSearch
    artifacts: AppArtifacts
    files: AppFilesService


class AppSearch:
    """Searches for every app what is its own."""

    def __init__(self, tasks: AgentTasks, apps: RegisteredApps, services: SearchedServices) -> None:
        self._tasks = tasks
        self._apps = apps
        self._services = services
        # By the capability that an app must have declared to see what is found there.
        self._places: dict[str, Look] = {
            "lime.knowledge": self._in_knowledge,
            "lime.storage": self._in_storage,
            "lime.artifacts": self._in_artifacts,
            "lime.files": self._in_files,
            "lime.agent": self._in_tasks,
        }

    def serve(self, calls: AppCalls) -> None:
        """Answer what apps look for."""
        calls.add(SEARCH, self.search)
        calls.add(DEEP_RESEARCH, self.research)
        calls.add(GET_RESEARCH_RUN, self.get_run)

    async def search(self, params: SearchParams, caller: AppCaller) -> SearchResult:
        """Find, best first, where the app's entry may look."""
        declared = self._apps.get(caller.app_id).declared
        hits = [
            hit
            for capability, look in self._places.items()
            if declared.has_capability(capability, caller.entry_key)
            for hit in await look(params, caller)
        ]
        best = sorted(hits, key=lambda hit: hit.score, reverse=True)[: params.limit]
        return SearchResult(
            query=params.query,
            hits=tuple(best),
            searched_at=datetime.now(UTC).isoformat(timespec="milliseconds"),
        )

    async def research(self, params: DeepResearchParams, caller: AppCaller) -> ResearchRun:
        """Have an agent look into a question."""
        wanted = StartTaskParams(
            title=params.query[:200],
            task_kind=_KIND,
            prompt=f"Look into this question in {params.depth} rounds, and name your sources: {params.query}",
        )
        return _run(await self._tasks.start(wanted, caller))

    async def get_run(self, params: ResearchRunParams, caller: AppCaller) -> ResearchRun:
        """How far it is."""
        return _run(await self._tasks.find(caller.app_id, TaskId(params.run_id), _KIND))

    async def _in_knowledge(self, params: SearchParams, caller: AppCaller) -> list[SearchHit]:
        asked = KnowledgeSearchParams(query=params.query, top_k=params.limit)
        try:
            found = (await self._services.knowledge.search(asked, caller)).records
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

    async def _in_storage(self, params: SearchParams, caller: AppCaller) -> list[SearchHit]:
        found = await self._services.data.find(caller.app_id, params.query, params.limit)
        return [
            SearchHit(
                kind="storage", id=each.name, title=each.name, snippet=each.snippet, score=0.5
            )
            for each in found
        ]

    async def _in_artifacts(self, params: SearchParams, caller: AppCaller) -> list[SearchHit]:
        listed = await self._services.artifacts.list(ListArtifactsParams(), caller)
        return [
            SearchHit(kind="artifact", id=each.id, title=each.title, snippet=each.kind, score=0.8)
            for each in listed.root
            if _names(each.title, params)
        ]

    async def _in_files(self, params: SearchParams, caller: AppCaller) -> list[SearchHit]:
        listed = await self._services.files.list_for(caller.app_id)
        return [
            SearchHit(kind="file", id=each.ref, title=each.name, snippet=each.media_type, score=0.7)
            for each in listed
            if _names(each.name, params)
        ]

    async def _in_tasks(self, params: SearchParams, caller: AppCaller) -> list[SearchHit]:
        listed = await self._tasks.newest(caller.app_id)
        return [
            SearchHit(
                kind="task", id=each.task_id, title=each.title, snippet=each.status, score=0.6
            )
            for each in listed.tasks
            if _names(each.title, params)
        ]


def _names(title: str, params: SearchParams) -> bool:
    return params.query.casefold() in title.casefold()


def _run(task: TaskRecord) -> ResearchRun:
    made = task.result.artifacts if task.result else ()
    return ResearchRun(
        run_id=task.task_id,
        task_id=task.task_id,
        session_id=task.session_id,
        status=task.status,
        artifact_id=made[0] if made else None,
    )
