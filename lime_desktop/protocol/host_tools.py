"""The host's own tools, by the names under which agents, workflows and manifests know them.

What each does is the App Server's; that they are there is known wherever a package is judged.
"""

from collections.abc import Mapping

HOST_PROVIDER = "lime"
"""The `provider` of `toolRefs` that means this host."""

HOST_TOOLS: Mapping[str, str] = {
    "artifact_create": "lime.artifacts.create",
    "artifact_list": "lime.artifacts.list",
    "artifact_read": "lime.artifacts.read",
    "file_list": "lime.files.listRefs",
    "file_parse": "lime.files.parse",
    "file_read": "lime.files.readRef",
    "knowledge_search": "lime.knowledge.search",
    "storage_delete": "lime.storage.delete",
    "storage_get": "lime.storage.get",
    "storage_list": "lime.storage.list",
    "storage_query": "lime.storage.tableQuery",
    "storage_set": "lime.storage.set",
}
"""The call that each does the work of, and is worded like."""

WEB_FETCH = "web_fetch"
"""The one that does the work of no call."""


def capability_of_tool(name: str) -> str | None:
    """The capability that a tool of the host belongs to; None where the host has no such tool."""
    if name == WEB_FETCH:
        return "lime.tools"
    call = HOST_TOOLS.get(name)
    return None if call is None else call.rpartition(".")[0]
