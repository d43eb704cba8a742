"""The view that an inspector looks at, as far as it has to know it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from lime_desktop.developer.inspection.exchanges import Exchanges
from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.apps.registry import AppRegistry, RegisteredApp
from lime_desktop.host.bridge.session import BridgeSession
from lime_desktop.host.view.diagnosis import ViewTrouble
from lime_desktop.policy.facts import PolicyFacts
from lime_desktop.protocol.bridge.snapshot import HostSnapshot
from lime_desktop.shell.app_view.view import AppView
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.inspector.simulated_view import SimulatedView


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectedView:
    """One open view of one app."""

    look: Look
    resources: Path
    registry: AppRegistry
    view: AppView
    session: BridgeSession
    exchanges: Exchanges
    app: Callable[[], RegisteredApp]
    snapshot: Callable[[], HostSnapshot]
    facts: Callable[[], PolicyFacts]
    call: CallServer
    """Asks the App Server as the view's own calls do."""
    simulated: SimulatedView
    trouble: ViewTrouble
    """What went wrong before anybody looked."""
