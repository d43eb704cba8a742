"""The folder that a person works in, if they chose one: what its files say holds for as long as it is open.

Read when it is opened, at the start, and whenever the files change while somebody follows.
"""

import asyncio
from pathlib import Path

from lime_desktop.host.app_center.governance.workspace_rules import WorkspaceRules, read_workspace
from lime_desktop.host.app_center.records.ledger import Ledger
from lime_desktop.host.app_center.records.records import StoredWorkspace
from lime_desktop.host.app_center.records.rows import put_workspace
from lime_desktop.protocol.errors import InvalidInput

NO_FOLDER = "default"
"""The workspace of a person who opened no folder."""


class Workspaces:
    """Holds what was last read of the open workspace."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._found: dict[str, WorkspaceRules] = {}
        self._turn = asyncio.Lock()

    @property
    def current(self) -> WorkspaceRules | None:
        """What holds here; None where no folder is open."""
        stored = self._ledger.state.workspace
        return None if stored is None else self._found[stored.folder]

    async def look(self, folder: Path) -> WorkspaceRules:
        """Read what a folder says without working there: what a person sees before they agree.

        Raises:
            InvalidInput: there is no such folder.
        """
        return await asyncio.to_thread(_look, folder)

    async def open(self, folder: Path) -> WorkspaceRules:
        """Work in a folder from now on; a broken file of it refuses every call, and says so.

        Raises:
            InvalidInput: there is no such folder; nothing was changed.
        """
        found = await self.look(folder)
        async with self._turn:
            await self._keep(found)
        return found

    async def leave(self) -> None:
        """Work in no folder."""
        async with self._turn:
            await self._ledger.change(lambda connection: put_workspace(connection, None))

    async def reread(self) -> None:
        """Let the files hold as they are now; one that has gone is missed, and refuses."""
        async with self._turn:
            stored = self._ledger.state.workspace
            if stored is None:
                return
            expected = frozenset(stored.files)
            found = await asyncio.to_thread(read_workspace, Path(stored.folder), expected)
            if found == self._found.get(stored.folder):
                return
            if found.files <= expected:
                self._found[stored.folder] = found
                self._ledger.notify()
            else:
                await self._keep(found, expected)

    async def _keep(self, found: WorkspaceRules, expected: frozenset[str] = frozenset()) -> None:
        # In memory first: whoever hears of the change looks here.
        folder = str(found.folder)
        self._found[folder] = found
        stored = StoredWorkspace(folder=folder, files=tuple(sorted(found.files | expected)))
        await self._ledger.change(lambda connection: put_workspace(connection, stored))


def _look(folder: Path) -> WorkspaceRules:
    place = folder.expanduser().resolve()
    if not place.is_dir():
        raise InvalidInput("This folder does not exist")
    return read_workspace(place)
