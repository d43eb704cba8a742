"""Joins the sources of tools for a turn. What an unregistered app asks for, it does not get."""

import time
from collections.abc import Sequence

from lime_desktop.app_server.apps.registered import RegisteredApps
from lime_desktop.app_server.runtime_core.backend import TurnRequest
from lime_desktop.app_server.tools.catalogue import Tool, ToolSource
from lime_desktop.app_server.tools.remembered_approvals import RememberedApprovals
from lime_desktop.app_server.tools.toolset import TurnToolset


class ToolBroker:
    """Makes the toolset of each turn from the same sources."""

    def __init__(
        self,
        apps: RegisteredApps,
        sources: Sequence[ToolSource],
        approvals: RememberedApprovals | None = None,
    ) -> None:
        self._apps = apps
        self._sources = sources
        self._approvals = approvals or RememberedApprovals()

    async def wait_for_app(self, app_id: str) -> None:
        """Wait until an app's tools can be known."""
        await self._apps.wait_for(app_id)

    def toolset_for(self, request: TurnRequest) -> TurnToolset:
        """The turn's toolset; its tools are gathered when it is first opened."""

        async def gather() -> list[Tool]:
            app = self._apps.get(request.app_id)
            return [
                tool for source in self._sources for tool in await source.tools_for(app, request)
            ]

        return TurnToolset(
            lambda: self._apps.get(request.app_id), request, gather, self._approvals, now_ms
        )


def now_ms() -> int:
    """The clock that policy goes by."""
    return time.time_ns() // 1_000_000
