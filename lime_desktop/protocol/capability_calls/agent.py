"""lime.agent: agent tasks, from start to result."""

from typing import Literal

from pydantic import Field, JsonValue

from lime_desktop.protocol.agent_tasks import StartTaskParams, TaskRecord
from lime_desktop.protocol.capability_calls.call import Call, CallParams, Effect, ResultValue
from lime_desktop.protocol.errors import (
    ActionClosed,
    ActionNotFound,
    ArtifactNotFound,
    RetriesExhausted,
    TaskFinished,
    TaskNotFound,
    UntrustedUrl,
)
from lime_desktop.protocol.errors.of_calls import NAMED_TASK, RECORDED_TASKS, STARTED_TASK, TABLES
from lime_desktop.protocol.ids import (
    ActionId,
    JsonObject,
    NonEmpty,
    SessionId,
    TaskId,
    ThreadId,
    Timestamp,
    TurnId,
)
from lime_desktop.protocol.task_events import AgentTaskEvent
from lime_desktop.protocol.wire import Empty, Maybe, WireModel

NAME = "lime.agent"


class TaskParams(CallParams):
    """The task meant."""

    task_id: NonEmpty[TaskId]


class StreamTaskParams(CallParams):
    """The task to follow, and from where."""

    task_id: NonEmpty[TaskId]
    after_sequence: int = Field(-1, ge=-1)
    """Only events after this one."""


class StreamTaskResult(ResultValue[tuple[AgentTaskEvent, ...]]):
    """The events so far; what follows comes by subscription."""


class GetTaskResult(ResultValue[TaskRecord | None]):
    """The task, or null where there is none."""


class ListTasksResult(ResultValue[tuple[TaskRecord, ...]]):
    """The app's tasks, newest first."""


class AnswerScope(WireModel):
    """Where the answered question belongs; checked when given."""

    session_id: Maybe[NonEmpty[SessionId]] = None
    thread_id: Maybe[NonEmpty[ThreadId]] = None
    turn_id: Maybe[NonEmpty[TurnId]] = None


class SubmitHostResponseParams(CallParams):
    """A person's answer, given in the app's own interface."""

    task_id: NonEmpty[TaskId]
    request_id: NonEmpty[ActionId]
    action_type: Literal["tool_confirmation", "ask_user", "elicitation"]
    confirmed: Maybe[bool] = None
    response: Maybe[str] = Field(None, max_length=100_000)
    user_data: Maybe[JsonValue] = None
    metadata: Maybe[JsonObject] = None
    action_scope: Maybe[AnswerScope] = None


class SubmitHostResponseResult(WireModel):
    """The answer is with the run."""

    task_id: TaskId
    request_id: ActionId
    status: Literal["submitted"] = "submitted"
    submitted_at: Timestamp


START_TASK = Call(
    NAME,
    "startTask",
    StartTaskParams,
    TaskRecord,
    Effect.EXECUTE,
    "Start a task; returns at once.",
    by="server",
    session_of=lambda task: task.session_id,
    errors=(UntrustedUrl, *STARTED_TASK, *TABLES),
)
STREAM_TASK = Call(
    NAME,
    "streamTask",
    StreamTaskParams,
    StreamTaskResult,
    Effect.READ,
    "The task's events so far.",
    by="server",
    errors=NAMED_TASK,
)
GET_TASK = Call(
    NAME,
    "getTask",
    TaskParams,
    GetTaskResult,
    Effect.READ,
    "The task as it stands.",
    by="server",
    errors=RECORDED_TASKS,
)
CANCEL_TASK = Call(
    NAME,
    "cancelTask",
    TaskParams,
    TaskRecord,
    Effect.EXECUTE,
    "Stop the task; what was done stays recorded.",
    by="server",
    errors=(TaskFinished, *NAMED_TASK),
)
RETRY_TASK = Call(
    NAME,
    "retryTask",
    TaskParams,
    TaskRecord,
    Effect.EXECUTE,
    "Run a finished task again, as a new one.",
    by="server",
    session_of=lambda task: task.session_id,
    errors=(TaskNotFound, RetriesExhausted, *STARTED_TASK, *TABLES),
)
SUBMIT_RESPONSE = Call(
    NAME,
    "submitHostResponse",
    SubmitHostResponseParams,
    SubmitHostResponseResult,
    Effect.EXECUTE,
    "Answer what the task waits for.",
    by="server",
    errors=(ActionNotFound, ActionClosed, *NAMED_TASK),
)
RESPOND_ACTION = Call(
    NAME,
    "respondAction",
    SubmitHostResponseParams,
    SubmitHostResponseResult,
    Effect.EXECUTE,
    "Another name of submitHostResponse.",
    by="server",
    errors=(ActionNotFound, ActionClosed, *NAMED_TASK),
)
LIST_TASKS = Call(
    NAME,
    "listTasks",
    Empty,
    ListTasksResult,
    Effect.READ,
    "The app's tasks.",
    by="server",
    errors=(ArtifactNotFound,),
)

CALLS = (
    START_TASK,
    STREAM_TASK,
    GET_TASK,
    CANCEL_TASK,
    RETRY_TASK,
    SUBMIT_RESPONSE,
    RESPOND_ACTION,
    LIST_TASKS,
)
