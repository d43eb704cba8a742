"""Which method of the protocol, and which call of apps, is answered by whom: one row each."""

from lime_desktop.app_server.agent_tasks.background import AppBackgroundTasks
from lime_desktop.app_server.agent_tasks.service import AgentTasks
from lime_desktop.app_server.agent_tasks.skills import AppSkills
from lime_desktop.app_server.agent_tasks.usage import AppUsage
from lime_desktop.app_server.apps.registered import RegisteredApps
from lime_desktop.app_server.routes import AppCalls
from lime_desktop.app_server.runtime_core.routes import AddRoute
from lime_desktop.protocol.calls import agent_tasks as calls


def add_task_routes(
    tasks: AgentTasks, apps: RegisteredApps, add: AddRoute, app_calls: AppCalls
) -> None:
    """Add every method of agentTask, and what apps ask of their tasks."""
    tasks.serve(app_calls)
    AppBackgroundTasks(tasks).serve(app_calls)
    AppUsage(tasks, apps).serve(app_calls)
    AppSkills(tasks, apps).serve(app_calls)
    add(calls.READ_AGENT_TASK, tasks.read)
    add(calls.READ_TASK_EVENTS, tasks.read_events)
