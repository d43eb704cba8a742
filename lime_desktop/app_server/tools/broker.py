"""Joins the sources of tools for a turn. What an unregistered app asks for, it does not get."""

import time
from collections.abc import Sequence

from lime_desktop.app_server.apps.registered import RegisteredApps
from lime_desktop.app_server.execution.backend import TurnRequest
from lime_desktop.app_server.tools.box import TurnToolBox
from lime_desktop.app_server.tools.catalogue import Tool, ToolSource
from lime_desktop.app_server.tools.kept_approvals import KeptApprovals


class ToolBroker:
    """Makes the tool box of each turn from the same sources."""

    def __init__(
        self,
        apps: RegisteredApps,
        sources: Sequence[ToolSource],
        approvals: KeptApprovals | None = None,
    ) -> None:
        self._apps = apps
        self._sources = sources
        self._approvals = approvals or KeptApprovals()

    def box_for(self, request: TurnRequest) -> TurnToolBox:
        """The turn's box; its tools are gathered when it is first opened."""

        async def gather() -> list[Tool]:
            app = self._apps.get(request.app_id)
            return [
                tool for source in self._sources for tool in await source.tools_for(app, request)
            ]

        return TurnToolBox(
            lambda: self._apps.get(request.app_id), request, gather, self._approvals, _clock_ms
        )


def _clock_ms() -> int:
    return time.time_ns() // 1_000_000
