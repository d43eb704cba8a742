"""Which calls of the App Server may be sent twice: those that read and change nothing, whoever answers.

A call that is not listed is sent once: a server that went away
may have carried it out.
"""

from lime_desktop.protocol.app_call import AppCallParams
from lime_desktop.protocol.wire import WireModel

REPEATABLE = frozenset(
    {
        "agentSession/checkpoint/list",
        "agentSession/list",
        "agentSession/read",
        "agentTask/events/read",
        "agentTask/read",
        "agentTraffic/read",
        "appArtifact/read",
        "appData/describe",
        "approval/list",
        "artifact/read",
        "capability/list",
        "dataIncident/list",
        "developedRun/read",
        "externalAgent/list",
        "file/locate",
        "given/list",
        "knowledge/list",
        "localModel/list",
        "mcpServer/list",
        "model/list",
        "modelProvider/list",
        "review/content",
        "review/read",
        "scheduledApp/list",
        "secret/list",
        "skill/list",
        "storage/migration/list",
        "tool/describe",
        "tool/list",
        "tool/sandbox",
        "webhook/list",
        "workflowSchedule/list",
        "workflowSchedule/read",
        "workflowTrigger/list",
        "workflowTrigger/read",
    }
)


def is_repeatable(method_name: str, params: WireModel) -> bool:
    """Whether asking the same again does no more than asking once; of an app's call its declaration says so."""
    if isinstance(params, AppCallParams):
        # Loaded with the first app that calls: its hundred models are a sixth of the window's start.
        from lime_desktop.protocol.capability_calls.table import call_of  # noqa: PLC0415

        call = call_of(params.call)
        return call is not None and call.is_repeatable
    return method_name in REPEATABLE
