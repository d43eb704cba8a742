"""Which method of the protocol each command serves: one row each, typed on both ends."""

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.runtime_core.core import RuntimeCore
from lime_desktop.protocol.calls import (
    actions,
    benchmarks,
    channels,
    jobs,
    sessions,
    subagents,
    tasks,
    turns,
)
from lime_desktop.protocol.wire import Method, WireModel

ParamsT = TypeVar("ParamsT", bound=WireModel)
ResultT = TypeVar("ResultT", bound=WireModel)


class AddRoute(Protocol):
    """How a server takes a row."""

    def __call__(
        self,
        method: Method[ParamsT, ResultT],
        handler: Callable[[ParamsT, CallContext], Awaitable[ResultT]],
    ) -> None:
        """Lead the method to the handler."""
        ...


def add_core_routes(core: RuntimeCore, add: AddRoute) -> None:
    """Add every method that RuntimeCore answers by itself; a turn's start is looked at by others before."""
    _serve_sessions(core, add)
    _serve_tasks(core, add)
    _serve_work(core, add)


def _serve_sessions(core: RuntimeCore, add: AddRoute) -> None:
    add(sessions.START_SESSION, core.sessions.start)
    add(sessions.LIST_SESSIONS, core.sessions.list)
    add(sessions.READ_SESSION, core.sessions.read)
    add(sessions.APPEND_RUNTIME_EVENTS, core.sessions.append)
    add(sessions.CREATE_CHECKPOINT, core.sessions.checkpoint)
    add(sessions.RESUME_THREAD, core.resumption.resume)
    add(sessions.COMPACT_SESSION, core.context.compact)
    add(sessions.READ_TOOL_INVENTORY, core.context.tool_inventory)
    add(turns.CANCEL_TURN, core.turns.cancel)
    add(turns.REMOVE_QUEUED_TURN, core.turns.remove)
    add(turns.PROMOTE_QUEUED_TURN, core.turns.promote)
    add(turns.EDIT_QUEUED_TURN, core.turns.edit)
    add(actions.RESPOND_ACTION, core.actions.respond)
    add(actions.REPLAY_ACTION, core.actions.replay)


def _serve_tasks(core: RuntimeCore, add: AddRoute) -> None:
    add(tasks.CREATE_TASK, core.tasks.create)
    add(tasks.UPDATE_TASK, core.tasks.update)
    add(tasks.START_TASK, core.tasks.start)
    add(tasks.REPORT_TASK_PROGRESS, core.tasks.progress)
    add(tasks.WAIT_TASK, core.tasks.wait)
    add(tasks.PAUSE_TASK, core.tasks.pause)
    add(tasks.RESUME_TASK, core.tasks.resume)
    add(tasks.CANCEL_TASK, core.tasks.cancel)
    add(tasks.RETRY_TASK, core.tasks.retry)
    add(tasks.COMPLETE_TASK, core.tasks.complete)
    add(tasks.FAIL_TASK, core.tasks.fail)
    add(tasks.ARCHIVE_TASK, core.tasks.archive)
    add(tasks.READ_TASK, core.tasks.read)
    add(tasks.LIST_TASKS, core.tasks.list)
    add(tasks.LINK_TASK, core.tasks.link)
    add(tasks.UNLINK_TASK, core.tasks.unlink)


def _serve_work(core: RuntimeCore, add: AddRoute) -> None:
    add(subagents.SPAWN_SUBAGENT, core.subagents.spawn)
    add(subagents.SEND_SUBAGENT_INPUT, core.subagents.send_input)
    add(subagents.REPORT_SUBAGENT, core.subagents.report)
    add(subagents.CLOSE_SUBAGENT, core.subagents.close)
    add(subagents.LIST_SUBAGENTS, core.subagents.list)
    add(jobs.CREATE_JOB, core.jobs.create)
    add(jobs.REPORT_JOB_ITEM, core.jobs.report_item)
    add(jobs.REPORT_JOB, core.jobs.report)
    add(jobs.CANCEL_JOB, core.jobs.cancel)
    add(jobs.READ_JOB, core.jobs.read)
    add(jobs.LIST_JOBS, core.jobs.list)
    add(channels.CONNECT_CHANNEL, core.channels.connect)
    add(channels.RECORD_CHANNEL_MESSAGE, core.channels.record)
    add(channels.DISCONNECT_CHANNEL, core.channels.disconnect)
    add(channels.LIST_CHANNELS, core.channels.list)
    add(benchmarks.START_TRIAL, core.benchmarks.start_trial)
    add(benchmarks.RECORD_REWARD, core.benchmarks.record_reward)
    add(benchmarks.COMPARE_RUNS, core.benchmarks.compare)
    add(benchmarks.EXPORT_TRIAL, core.benchmarks.export_trial)
