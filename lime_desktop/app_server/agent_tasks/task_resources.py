"""Does everything exist that a task names? Asked before it begins, so that no task works without what it was given."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

from lime_desktop.app_server.apps.registered import RegisteredApp
from lime_desktop.app_server.task_request import TaskRequest
from lime_desktop.protocol.calls.sessions import ToolDescription
from lime_desktop.protocol.errors import InvalidInput
from lime_desktop.protocol.ids import AppId

InventoryOf = Callable[[str, str], Awaitable[tuple[ToolDescription, ...]]]
"""The tools that a session of an app could have."""
FilesOf = Callable[[AppId], Awaitable[frozenset[str]]]
"""The references to files that were opened to an app."""


class TaskResources:
    """Looks for what a task names: in the manifest, among the tools, among the files of its app."""

    def __init__(self, inventory_of: InventoryOf, files_of: FilesOf) -> None:
        self._inventory_of = inventory_of
        self._files_of = files_of

    async def require(self, asked: TaskRequest, app: RegisteredApp) -> None:
        """Refuse a task that names what is not there; knowledge and tools that it can do without may be missing.

        Raises:
            InvalidInput: by field, for everything that is missing.
        """
        missing = [
            *_undeclared(asked, app),
            *[each async for each in self._unknown_tools(asked, app)],
            *[each async for each in self._unknown_files(asked)],
        ]
        if missing:
            raise InvalidInput.at_fields(missing)

    async def _unknown_tools(
        self, asked: TaskRequest, app: RegisteredApp
    ) -> AsyncIterator[tuple[str, str]]:
        declared = app.declared.tools | {each.key for each in app.declared.integrations}
        unsure = {
            f"tools[{index}]": tool.key
            for index, tool in enumerate(asked.request.tools)
            if tool.required and tool.key not in declared
        }
        if not unsure:
            # Gathering tools wakes tool servers: only where the manifest does not answer.
            return
        rows = await self._inventory_of(asked.app_id, asked.new_session_id)
        known = {name for row in rows for name in (row.tool_name, *row.keywords)}
        for field, key in unsure.items():
            if key not in known:
                yield field, "unknown_tool"

    async def _unknown_files(self, asked: TaskRequest) -> AsyncIterator[tuple[str, str]]:
        # What brings its own bytes is there.
        named = {
            f"files[{index}]": ref
            for index, ref in enumerate(asked.request.files)
            if not ref.startswith("data:")
        }
        opened = await self._files_of(asked.app_id) if named else frozenset[str]()
        for field, ref in named.items():
            if ref not in opened:
                yield field, "unknown_file"


def _undeclared(asked: TaskRequest, app: RegisteredApp) -> Iterator[tuple[str, str]]:
    request, declared = asked.request, app.declared
    entries = {entry.key for entry in app.package.manifest.entries}
    if request.entry is not None and request.entry not in entries:
        yield "entry", "unknown_entry"
    for index, binding in enumerate(request.knowledge):
        if binding.required and binding.key not in declared.knowledge:
            yield f"knowledge[{index}]", "unknown_knowledge"
    for index, key in enumerate(request.secrets):
        if key not in declared.secrets:
            yield f"secrets[{index}]", "unknown_secret"
