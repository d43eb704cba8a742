"""Which method of the protocol is answered by whom: one row each."""

from lime_desktop.app_server.agent_tasks.service import AgentTasks
from lime_desktop.app_server.runtime_core.served import AddRoute
from lime_desktop.protocol.calls import agent_tasks as calls


def serve_tasks(tasks: AgentTasks, add: AddRoute) -> None:
    """Add every method of agentTask."""
    add(calls.START_AGENT_TASK, tasks.start)
    add(calls.READ_AGENT_TASK, tasks.read)
    add(calls.LIST_AGENT_TASKS, tasks.list)
    add(calls.CANCEL_AGENT_TASK, tasks.cancel)
    add(calls.RETRY_AGENT_TASK, tasks.retry)
    add(calls.RESPOND_AGENT_TASK, tasks.respond)
    add(calls.READ_TASK_EVENTS, tasks.read_events)
