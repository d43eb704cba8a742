"""One view's end of the bridge, put together: the session, what answers it, and what it is told by itself."""

from collections.abc import Callable
from dataclasses import dataclass, field

from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.governance.branding import Branding
from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.approvals.calls import CallApprovals
from lime_desktop.host.apps.provenance import provenance_of
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.bridge.session import BridgeSession
from lime_desktop.host.capabilities.handler import HandlerServices
from lime_desktop.host.capabilities.table import handlers_of
from lime_desktop.host.requests.app_requests import AppRequests
from lime_desktop.host.view.bodies import ViewBodies
from lime_desktop.host.view.decisions import Decisions
from lime_desktop.host.view.host_actions import HostActions
from lime_desktop.host.view.locale_context import Place, place_in
from lime_desktop.host.view.rate_limited_shell import RateLimitedShell
from lime_desktop.host.view.shell_port import ShellPort
from lime_desktop.host.view.storage_changes import StorageNews
from lime_desktop.host.view.subscriptions import ViewSubscriptions
from lime_desktop.host.view.topics import TopicHub
from lime_desktop.policy.facts import PolicyFacts
from lime_desktop.protocol.bridge.from_host import CapabilityEventMessage, CapabilityEventPayload
from lime_desktop.protocol.bridge.snapshot import HostSnapshot
from lime_desktop.protocol.ids import AppId


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewParts:
    """What surrounds one view."""

    app: Callable[[], RegisteredApp]
    entry_key: str
    snapshot: Callable[[], HostSnapshot]
    facts: Callable[[], PolicyFacts]
    call: CallServer
    shell: ShellPort
    approvals: CallApprovals
    view_id: str
    """This view and no other, for as long as it is open."""
    topics: TopicHub
    bodies: ViewBodies
    post: Callable[[str], None]
    """Sends the page one text."""
    storage_news: StorageNews = field(default_factory=StorageNews)
    center: Callable[[], AppCenter | None] = lambda: None
    branding: Callable[[], Branding] = Branding
    place: Callable[[], Place] | None = None
    """The snapshot's word of the place alone, where that can be had for less than all of it."""
    absent: Callable[[], frozenset[str]] = frozenset[str]
    """Capabilities that the view has to do without."""


class ViewBridge:
    """A conversation that can be begun anew when the page is, and ends with its view."""

    def __init__(self, parts: ViewParts) -> None:
        self._parts = parts
        self._subscriptions = ViewSubscriptions(self._push)
        self.decisions = Decisions()
        """What policy says of the view's calls."""
        self._shell = RateLimitedShell(parts.shell)
        app_id = AppId(parts.app().app_id)
        self.session = BridgeSession(app_id, self._answers(), parts.snapshot, parts.post)

    def _answers(self) -> AppRequests:
        """What carries out the page's requests, for the app as it stands now."""
        parts, app = self._parts, self._parts.app()
        services = HandlerServices(
            provenance=provenance_of(app, parts.entry_key),
            app=parts.app,
            snapshot=parts.snapshot,
            place=parts.place or (lambda: place_in(parts.snapshot())),
            facts=parts.facts,
            call=parts.call,
            shell=self._shell,
            actions=HostActions(app.projection, self._shell),
            approvals=parts.approvals,
            view_id=parts.view_id,
            subscriptions=self._subscriptions,
            topics=parts.topics,
            storage_news=parts.storage_news,
            bodies=parts.bodies,
            center=parts.center,
            absent=parts.absent(),
            decisions=self.decisions,
            branding=parts.branding,
        )
        return AppRequests(services, handlers_of(services))

    def renew(self) -> None:
        """Go by the app as it is now: it was read anew while its page is open. What is under way goes on."""
        self.session.answer_by(self._answers())
        self.session.push_snapshot()

    def restart(self) -> None:
        """Forget what the page had asked: it was loaded anew."""
        self._subscriptions.end_all()
        self.session.restart()

    def close(self) -> None:
        """End the conversation; nobody waits for what was asked in it."""
        self._subscriptions.end_all()
        self.session.close()
        self._parts.approvals.withdraw_view(self._parts.view_id)

    def _push(self, event: CapabilityEventPayload) -> None:
        session = self.session
        session.push(CapabilityEventMessage(app_id=session.app_id, payload=event))
