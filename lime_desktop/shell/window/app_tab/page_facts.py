"""What a page and policy go by now: the app as it stands, its facts, its snapshot and its place.

What is acted for whoever tests the app stands over it, while anything is.
"""

import time
from datetime import UTC, datetime

from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.capabilities.handler import LocaleContext
from lime_desktop.host.requests.view_snapshots import ViewContext, ViewFacts, ViewSnapshots
from lime_desktop.policy.facts import PolicyFacts
from lime_desktop.protocol.bridge.snapshot import HostSnapshot
from lime_desktop.shell.inspector.simulated_view import SimulatedView
from lime_desktop.shell.widgets.amounts import system_timezone
from lime_desktop.shell.window.services import TabServices


class PageFacts:
    """Taken anew at each asking, for one view."""

    acted: SimulatedView | None = None
    """Whoever acts, while anything is acted: at any other time nothing of it is in the way of a call."""

    def __init__(self, services: TabServices, app_id: str, entry_key: str) -> None:
        self._services = services
        self._texts = services.look.texts
        self._app_id = app_id
        self._snapshots = ViewSnapshots(entry_key)
        self._facts = ViewFacts()

    def app(self) -> RegisteredApp:
        """The app as it stands now."""
        app = self._services.registry.app(self._app_id)
        if app is None:
            raise LookupError(f"{self._app_id} is open but not registered")
        return app

    def title(self) -> str:
        """Its name in the language of now."""
        return self.app().title(self._texts.locale)

    def facts(self) -> PolicyFacts:
        """What policy goes by now."""
        approvals = self._services.approvals.calls.facts(self._app_id)
        now_ms = time.time_ns() // 1_000_000
        facts = self._facts.take(self.app(), now_ms, approvals)
        return facts if self.acted is None else self.acted.facts(facts)

    def snapshot(self) -> HostSnapshot:
        """What the app is told of its host now."""
        now, locale = datetime.now(UTC), self._texts.locale
        models = self._services.models.summary(self._texts)
        theme = self._services.look.appearance.theme
        context = ViewContext(locale, system_timezone(), theme, now, models)
        if self.acted is None:
            return self._snapshots.take(self.app(), context)
        snapshot = self._snapshots.take(self.app(), self.acted.ambience(context))
        return self.acted.snapshot(snapshot)

    def place(self) -> LocaleContext:
        """What the snapshot would say of the place now."""
        acted = None if self.acted is None else self.acted.acted.locale
        return LocaleContext(acted or self._texts.locale, system_timezone())
