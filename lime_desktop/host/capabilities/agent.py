"""lime.agent: forwarded to the App Server, which alone runs agents. Nothing is started or made up here."""

import json

from pydantic import BaseModel

from lime_desktop.host.call_trace import trace_of_call
from lime_desktop.host.capabilities.handler import Handlers, HandlerServices, Source
from lime_desktop.host.subscriptions import Subscription
from lime_desktop.host.task_following import TaskFollowing, wanted_task
from lime_desktop.protocol.agent_tasks import StartTaskParams, TaskRecord
from lime_desktop.protocol.bridge.envelope import MAX_MESSAGE_CHARACTERS
from lime_desktop.protocol.bridge.from_app import SubscribePayload
from lime_desktop.protocol.calls.actions import ActionScope
from lime_desktop.protocol.calls.agent_tasks import (
    CANCEL_AGENT_TASK,
    LIST_AGENT_TASKS,
    READ_AGENT_TASK,
    READ_TASK_EVENTS,
    RESPOND_AGENT_TASK,
    RETRY_AGENT_TASK,
    START_AGENT_TASK,
    AppTaskParams,
    ListAgentTasksParams,
    ReadTaskEventsParams,
    RespondAgentTaskParams,
    RetryAgentTaskParams,
    StartAgentTaskParams,
)
from lime_desktop.protocol.capability_calls.agent import (
    GetTaskResult,
    ListTasksResult,
    StreamTaskParams,
    StreamTaskResult,
    SubmitHostResponseParams,
    SubmitHostResponseResult,
    TaskParams,
)
from lime_desktop.protocol.errors import SubscriptionUnknown
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.task_events import AgentTaskEvent
from lime_desktop.protocol.wire import Empty

_PAGE = 5_000
_ANSWER_CHARACTERS = MAX_MESSAGE_CHARACTERS // 2 - 10_000


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call."""
    call, app_id = services.call, services.app_id

    async def start(params: StartTaskParams) -> BaseModel:
        asked = StartAgentTaskParams(
            app_id=app_id,
            request_json=params.model_dump_json(by_alias=True, exclude_unset=True),
            provenance=services.provenance,
            trace_id=trace_of_call.get() or None,
        )
        return _followed(services, (await call(START_AGENT_TASK, asked)).task)

    async def stream(params: StreamTaskParams) -> BaseModel:
        asked = ReadTaskEventsParams(
            app_id=app_id,
            task_id=params.task_id,
            after_sequence=max(0, params.after_sequence),
            limit=_PAGE,
        )
        return StreamTaskResult(_that_fit((await call(READ_TASK_EVENTS, asked)).events))

    async def get(params: TaskParams) -> BaseModel:
        asked = AppTaskParams(app_id=app_id, task_id=params.task_id)
        return GetTaskResult((await call(READ_AGENT_TASK, asked)).task)

    async def cancel(params: TaskParams) -> BaseModel:
        asked = AppTaskParams(app_id=app_id, task_id=params.task_id)
        return (await call(CANCEL_AGENT_TASK, asked)).task

    async def retry(params: TaskParams) -> BaseModel:
        asked = RetryAgentTaskParams(
            app_id=app_id,
            task_id=params.task_id,
            provenance=services.provenance,
            trace_id=trace_of_call.get() or None,
        )
        return _followed(services, (await call(RETRY_AGENT_TASK, asked)).task)

    async def respond(params: SubmitHostResponseParams) -> BaseModel:
        asked = RespondAgentTaskParams(
            app_id=app_id,
            task_id=params.task_id,
            request_id=params.request_id,
            action_type=params.action_type,
            confirmed=params.confirmed,
            response=params.response,
            user_data_json=None if params.user_data is None else json.dumps(params.user_data),
            action_scope=_scope(params),
        )
        answered = await call(RESPOND_AGENT_TASK, asked)
        return SubmitHostResponseResult(
            task_id=params.task_id,
            request_id=params.request_id,
            submitted_at=answered.submitted_at,
        )

    async def list_all(_: Empty) -> BaseModel:
        return ListTasksResult(
            (await call(LIST_AGENT_TASKS, ListAgentTasksParams(app_id=app_id))).tasks
        )

    return {
        "lime.agent.startTask": start,
        "lime.agent.streamTask": stream,
        "lime.agent.getTask": get,
        "lime.agent.cancelTask": cancel,
        "lime.agent.retryTask": retry,
        "lime.agent.submitHostResponse": respond,
        "lime.agent.respondAction": respond,
        "lime.agent.listTasks": list_all,
    }


def source(services: HandlerServices) -> Source:
    """A task's events, sent or streamed; every topic that begins with `task` is this one."""

    async def start(subscription: Subscription, wish: SubscribePayload) -> JsonObject:
        if not wish.topic.startswith("task"):
            raise SubscriptionUnknown("lime.agent tells of tasks alone")
        task = wanted_task(services.app_id, wish)
        following = TaskFollowing(services.call, task, services.bodies)
        await following.feed(subscription, wish.poll_interval_ms / 1_000)
        return {"taskId": task.task_id}

    return Source("streamTask", start)


def _that_fit(events: tuple[AgentTaskEvent, ...]) -> tuple[AgentTaskEvent, ...]:
    """As many as one answer holds, at least one; what follows is asked for by its sequence."""
    left = _ANSWER_CHARACTERS
    for number, event in enumerate(events):
        left -= len(event.model_dump_json(by_alias=True))
        if left < 0:
            return events[: max(1, number)]
    return events


def _followed(services: HandlerServices, task: TaskRecord) -> TaskRecord:
    """What the agent asks on its way is put to the person, whether the page listens or not."""
    services.approvals.follow_run(task.session_id)
    return task


def _scope(params: SubmitHostResponseParams) -> ActionScope | None:
    scope = params.action_scope
    return None if scope is None else ActionScope.model_validate(scope.to_wire())
