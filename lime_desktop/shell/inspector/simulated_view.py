"""Applies what the inspector simulates (theme, text size, network and the like) to one view, with a line above it that says so."""

from dataclasses import replace

from PySide6.QtCore import QObject, QSize, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout

from lime_desktop.developer.simulation import (
    REALITY,
    SimulatedServer,
    Simulation,
    facts_under,
    snapshot_under,
)
from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.requests.view_snapshots import ViewContext
from lime_desktop.host.wording.texts import Texts
from lime_desktop.policy.facts import PolicyFacts
from lime_desktop.protocol.bridge.snapshot import HostSnapshot
from lime_desktop.shell.app_view.view import AppView
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.widgets.parts import button, label

SMALL = QSize(360, 560)
"""About a phone: what a narrow window leaves a page."""


class SimulatedView(QObject):
    """Stands between a view and the facts it goes by, for as long as anything is acted."""

    changed = Signal()
    """Something else is acted now."""

    def __init__(self, look: Look, view: AppView) -> None:
        super().__init__(view)
        self._look = look
        self._view = view
        self._acted = REALITY
        self.notice = QFrame()
        """Says what is acted; hidden while nothing is."""
        self.notice.setProperty("role", "banner")
        self.notice.setProperty("tone", "warning")
        self._words = label("")
        self._build()

    @property
    def acted(self) -> Simulation:
        """What is acted now."""
        return self._acted

    @property
    def is_acting(self) -> bool:
        """Whether anything is acted now."""
        return self._acted != REALITY

    def server(self, call: CallServer) -> CallServer:
        """The App Server, as it is acted."""
        return SimulatedServer(call, lambda: self._acted)

    def act(self, simulation: Simulation) -> None:
        """Act this from now on, and nothing else."""
        if simulation == self._acted:
            return
        before, self._acted = self._acted, simulation
        if before.is_offline != simulation.is_offline:
            self._view.cut_off(is_offline=simulation.is_offline)
            self._tell_connection()
        self._view.limit_size(SMALL if simulation.is_small else None)
        self.notice.setVisible(self.is_acting)
        self._words.setText(self._describe())
        self.changed.emit()

    def notify_ready(self) -> None:
        """A page started: it has to hear what those before it heard."""
        if self._acted.is_offline:
            self._tell_connection()

    def absent(self) -> frozenset[str]:
        """Capabilities that the view has to do without."""
        return self._acted.absent

    def facts(self, facts: PolicyFacts) -> PolicyFacts:
        """What policy goes by."""
        return facts_under(self._acted, facts)

    def snapshot(self, snapshot: HostSnapshot) -> HostSnapshot:
        """What the app is told."""
        return snapshot_under(self._acted, snapshot)

    def ambience(self, ambience: ViewContext) -> ViewContext:
        """Where the app is shown."""
        acted = self._acted
        if acted.theme_mode or acted.text_scale:
            theme = self._look.appearance.theme_with(acted.theme_mode, acted.text_scale)
            ambience = replace(ambience, theme=theme)
        return replace(ambience, locale=acted.locale) if acted.locale else ambience

    def _tell_connection(self) -> None:
        """Pages look at `navigator.onLine`, and wait for its event."""
        is_online = "false" if self._acted.is_offline else "true"
        event = "offline" if self._acted.is_offline else "online"
        self._view.page().runJavaScript(
            "{ const app = document.querySelector('iframe')?.contentWindow; if (app) {"
            f" Object.defineProperty(app.navigator, 'onLine', {{ value: {is_online}, configurable: true }});"
            f" app.dispatchEvent(new app.Event('{event}')); }} }}"
        )

    def _describe(self) -> str:
        texts = self._look.texts
        return texts("inspector.simulating", what=" · ".join(_parts(self._acted, texts)))

    def _end(self) -> None:
        self.act(REALITY)

    def _build(self) -> None:
        layout = QHBoxLayout(self.notice)
        layout.setContentsMargins(16, 6, 12, 6)
        layout.addWidget(self._words, 1)
        layout.addWidget(button(self._look.texts("inspector.simulation.end"), self._end))
        self.notice.hide()


def _parts(acted: Simulation, texts: Texts) -> list[str]:
    said = [texts("inspector.simulation.denied_one", name=each.key) for each in acted.denied]
    said += [texts("inspector.simulation.absent_one", name=name) for name in sorted(acted.absent)]
    if acted.server != "as-is":
        said.append(texts(f"inspector.simulation.server.{acted.server}"))
    if acted.has_no_model:
        said.append(texts("inspector.simulation.no_model"))
    if acted.is_offline:
        said.append(texts("inspector.simulation.offline"))
    if acted.locale:
        said.append(acted.locale)
    if acted.theme_mode:
        said.append(texts(f"settings.theme.{acted.theme_mode}"))
    if acted.text_scale:
        said.append(f"{acted.text_scale:.0%}")
    if acted.is_small:
        said.append(texts("inspector.simulation.small"))
    return said
