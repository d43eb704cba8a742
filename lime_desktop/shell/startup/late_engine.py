"""The web engine, loaded once the window is on screen: its libraries take longer than everything else together."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from lime_desktop.developer.dev_server import DevServer, resolver_rules
from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.apps.bundle import domain_grants
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.proxy.access import ProxyAccess
from lime_desktop.shell.surfaces.surface import Surface
from lime_desktop.shell.window.services import TabServices

if TYPE_CHECKING:
    from lime_desktop.shell.app_view.agent_browser.browsers import AgentBrowsers


class LateEngine:
    """Loads on first use, or when told to; then makes views of apps."""

    def __init__(
        self,
        services: TabServices,
        views: Path,
        call: CallServer,
        access: ProxyAccess,
        dev_server: DevServer | None = None,
    ) -> None:
        self._services = services
        self._views = views
        self._call = call
        self._access = access
        self._dev_server = dev_server

    def load(self) -> None:
        """Load the engine's libraries, and set it up before anything of it is used."""
        from lime_desktop.shell.app_view.engine import prepare_engine  # noqa: PLC0415 - that is the point
        from lime_desktop.shell.app_view.profile import AppProfiles  # noqa: PLC0415 - likewise

        prepare_engine(resolver_rules(self._dev_server) if self._dev_server else "")
        self._profiles = AppProfiles(self._views, self._access)
        self._services.registry.watch(self._follow_grants)

    def make_tab(self, app: RegisteredApp, entry_key: str) -> Surface:
        """A view of an app at one of its entries."""
        from lime_desktop.shell.window.app_tab.app_tab import AppTab  # noqa: PLC0415 - likewise

        if not hasattr(self, "_profiles"):
            self.load()
        return AppTab(self._services, app, entry_key, self._call, self._profiles)

    def make_browsers(self, parent: QWidget) -> "AgentBrowsers":
        """Windows for the web pages that agents work in."""
        from lime_desktop.shell.app_view.agent_browser.browsers import AgentBrowsers  # noqa: PLC0415 - likewise

        script = self._services.resources / "view/agent_browser.js"
        return AgentBrowsers(
            self._services.look.texts,
            self._services.registry,
            self._access,
            script.read_text(encoding="utf-8"),
            parent,
        )

    def carry_network_through(self, port: int) -> None:
        """Send everything that leaves the engine to the host's proxy."""
        from lime_desktop.shell.app_view.engine import carry_network_through  # noqa: PLC0415 - likewise

        carry_network_through(port)

    def _follow_grants(self) -> None:
        """What was taken back, or shut off by a rule, is shut off for pages that are open."""
        for app in self._services.registry.apps:
            self._profiles.reach(app.app_id, domain_grants(app))

    def versions(self) -> tuple[str, str]:
        """Chromium's version, and the newest version whose security fixes are in it."""
        from lime_desktop.shell.app_view.engine import engine_versions  # noqa: PLC0415 - likewise

        return engine_versions()
