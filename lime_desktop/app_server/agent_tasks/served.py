"""Which method of the protocol is answered by whom: one row each."""

from typing import cast

from lime_desktop.app_server.agent_tasks.service import AgentTasks
from lime_desktop.app_server.agent_tasks.written_back import KeepArtifact
from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.runtime_core.served import AddRoute
from lime_desktop.app_server.server.routes import Route, Routes
from lime_desktop.protocol.calls import agent_tasks as calls
from lime_desktop.protocol.calls.app_artifacts import (
    CREATE_ARTIFACT,
    CreateArtifactParams,
    CreateArtifactResult,
    StoredArtifact,
)
from lime_desktop.protocol.errors import ShuttingDown
from lime_desktop.protocol.ids import TraceId


def serve_tasks(tasks: AgentTasks, add: AddRoute) -> None:
    """Add every method of agentTask."""
    add(calls.START_AGENT_TASK, tasks.start)
    add(calls.READ_AGENT_TASK, tasks.read)
    add(calls.LIST_AGENT_TASKS, tasks.list)
    add(calls.CANCEL_AGENT_TASK, tasks.cancel)
    add(calls.RETRY_AGENT_TASK, tasks.retry)
    add(calls.RESPOND_AGENT_TASK, tasks.respond)
    add(calls.READ_TASK_EVENTS, tasks.read_events)


def artifacts_by(routes: Routes) -> KeepArtifact:
    """Keep deliverables by the same way that apps do: whoever serves them may be opened later."""

    async def keep(params: CreateArtifactParams) -> StoredArtifact:
        route = routes.find(CREATE_ARTIFACT.name)
        if not isinstance(route, Route):
            raise ShuttingDown("Nobody keeps artifacts")
        result = await route.handler(params, CallContext(trace_id=TraceId("")))
        return cast("CreateArtifactResult", result).artifact

    return keep
