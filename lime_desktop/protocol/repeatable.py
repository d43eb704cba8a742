"""Which calls of the App Server may be sent twice: those that read and change nothing, whoever answers.

By name, so that nobody has to load the messages to know. A call that is not listed is sent once: a server that went away
may have carried it out.
"""

REPEATABLE = frozenset(
    {
        "agentSession/list",
        "agentSession/read",
        "agentSession/toolInventory/read",
        "agentTask/events/read",
        "agentTask/list",
        "agentTask/read",
        "agentTraffic/read",
        "appArtifact/list",
        "appArtifact/read",
        "appData/describe",
        "appEvidence/list",
        "approval/list",
        "artifact/read",
        "capability/list",
        "channel/list",
        "dataIncident/list",
        "externalAgent/list",
        "file/folder/read",
        "file/list",
        "file/locate",
        "file/parse",
        "file/read",
        "given/list",
        "job/list",
        "job/read",
        "knowledge/list",
        "knowledge/search",
        "localModel/list",
        "mcpServer/list",
        "model/list",
        "modelProvider/list",
        "modelProvider/read",
        "review/content",
        "review/list",
        "review/read",
        "secret/list",
        "secret/place/read",
        "server/ping",
        "storage/get",
        "storage/list",
        "storage/migration/list",
        "storage/row/get",
        "storage/row/query",
        "storage/search",
        "storage/usage/read",
        "subagent/list",
        "task/list",
        "task/read",
        "tool/describe",
        "tool/sandbox",
    }
)


def is_repeatable(method_name: str) -> bool:
    """Whether asking the same again does no more than asking once."""
    return method_name in REPEATABLE
