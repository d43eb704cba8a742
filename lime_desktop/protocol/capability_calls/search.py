"""lime.search: search across what the app may read."""

from typing import Literal

from pydantic import Field

from lime_desktop.protocol.capability_calls.call import Call, CallParams, Effect
from lime_desktop.protocol.errors import ArtifactNotFound, RunNotFound
from lime_desktop.protocol.errors.of_calls import RECORDED_TASKS, STARTED_TASK, TABLES
from lime_desktop.protocol.ids import ArtifactId, NonEmpty, SessionId, TaskId, Timestamp
from lime_desktop.protocol.wire import Maybe, WireModel

NAME = "lime.search"


class SearchParams(CallParams):
    """What to look for."""

    query: str = Field(min_length=1, max_length=4_000)
    limit: int = Field(20, ge=1, le=100)


class SearchHit(WireModel):
    """Something that fits."""

    kind: Literal["storage", "file", "knowledge", "artifact", "task"]
    id: str
    title: str
    snippet: str
    score: float


class SearchResult(WireModel):
    """What was found, best first."""

    query: str
    hits: tuple[SearchHit, ...]
    searched_at: Timestamp


class DeepResearchParams(CallParams):
    """A question for an agent to look into."""

    query: str = Field(min_length=1, max_length=4_000)
    depth: int = Field(1, ge=1, le=5)


class ResearchRun(WireModel):
    """A question being looked into, or what came of it."""

    run_id: str
    task_id: TaskId
    """The agent task that does it; follow it with lime.agent."""
    session_id: SessionId
    """Where the task runs."""
    status: Literal["running", "succeeded", "cancelled", "failed"]
    artifact_id: Maybe[ArtifactId] = None
    """The report, once there is one."""


class ResearchRunParams(CallParams):
    """The run meant."""

    run_id: NonEmpty[str]


SEARCH = Call(
    NAME,
    "query",
    SearchParams,
    SearchResult,
    Effect.READ,
    "Find, best first.",
    by="server",
    errors=(ArtifactNotFound, *TABLES),
)
DEEP_RESEARCH = Call(
    NAME,
    "deepResearch",
    DeepResearchParams,
    ResearchRun,
    Effect.EXECUTE,
    "Have an agent look into a question.",
    by="server",
    session_of=lambda run: run.session_id,
    errors=STARTED_TASK,
)
GET_RESEARCH_RUN = Call(
    NAME,
    "getRun",
    ResearchRunParams,
    ResearchRun,
    Effect.READ,
    "How far it is.",
    by="server",
    errors=(RunNotFound, *RECORDED_TASKS),
)

CALLS = (SEARCH, DEEP_RESEARCH, GET_RESEARCH_RUN)
