"""Agents at work in web pages that are shown here: offered once there is an App Server, the engine and an app for it."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from lime_desktop.background.tasks import close_all
from lime_desktop.host.app_server_client.browser_steps import BrowserSteps
from lime_desktop.host.app_server_client.supervisor import AppServerSupervisor, Running
from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.protocol.calls.browser import AnswerBrowserStepParams, BrowserStep
from lime_desktop.shell.startup.late_engine import LateEngine

if TYPE_CHECKING:
    from lime_desktop.shell.app_view.agent_browser.browsers import AgentBrowsers


class AgentBrowsing:
    """Takes the App Server's steps in windows of their own, which the first step makes."""

    def __init__(
        self,
        server: AppServerSupervisor,
        engine: LateEngine,
        registry: AppRegistry,
        parent: QWidget,
    ) -> None:
        self._server = server
        self._parent = parent
        self._is_engine_there = False
        self._engine = engine
        self._registry = registry
        self._steps = BrowserSteps(server.call, self._take)
        self._browsers: AgentBrowsers | None = None

    def show_pages(self) -> None:
        """The engine is there: pages can be shown from now on."""
        self._is_engine_there = True
        self.offer()

    def offer(self) -> None:
        """Begin to take steps, where everything for it is there."""
        is_running = isinstance(self._server.state, Running)
        if is_running and self._is_engine_there and _has_browser(self._registry):
            self._steps.start()

    async def close(self) -> None:
        """Take no more steps, then close the windows."""
        browsers = () if self._browsers is None else (self._browsers.close,)
        await close_all(self._steps.close, *browsers)

    async def _take(self, step: BrowserStep) -> AnswerBrowserStepParams:
        if self._browsers is None:
            self._browsers = self._engine.make_browsers(self._parent)
        return await self._browsers.take(step)


def _has_browser(registry: AppRegistry) -> bool:
    return any(
        each.adapter is not None and each.adapter.kind == "browser"
        for app in registry.apps
        for each in app.package.manifest.integrations
    )
