"""What a capability's module is given, and what it gives. Knows no particular capability."""

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pydantic import BaseModel

from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.governance.branding import Branding
from lime_desktop.host.app_server_client.calling import CallServer, call_for_app
from lime_desktop.host.approvals.calls import CallApprovals
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.bridge.timeline import Decisions, trace_of_call
from lime_desktop.host.view.bodies import ViewBodies
from lime_desktop.host.view.host_actions import HostActions
from lime_desktop.host.view.opened_files import OpenedFilesQueue
from lime_desktop.host.view.shell_port import FileQuestion, ShellPort
from lime_desktop.host.view.subscriptions import (
    RunChanges,
    StorageChanges,
    Subscription,
    TopicHub,
    ViewSubscriptions,
    WebhookArrivals,
)
from lime_desktop.host.view.tool_calls import FoundTool, WantedTool
from lime_desktop.policy.facts import PolicyFacts
from lime_desktop.projection.host_profile import THIS_HOST, HostProfile
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.bridge.from_app import SubscribePayload
from lime_desktop.protocol.bridge.snapshot import HostSnapshot
from lime_desktop.protocol.calls.files import GRANT_FILES, GrantFilesParams
from lime_desktop.protocol.capability_calls.call import Call, ParamsT, ResultT
from lime_desktop.protocol.capability_calls.files import FileRef
from lime_desktop.protocol.ids import AppId, JsonObject
from lime_desktop.protocol.provenance import Provenance
from lime_desktop.protocol.wire import Written

Result = BaseModel | Written[Any]
InstantHandler = Callable[[Any], Result]
LaterHandler = Callable[[Any], Coroutine[Any, Any, Result]]
PlainHandler = InstantHandler | LaterHandler
"""Takes the call's params and gives its result, at once or later; raises an expected error to refuse."""


@dataclass(frozen=True, slots=True)
class ToolHandler:
    """Leads to a tool. Which one is found before policy and people are asked: nobody is asked about what cannot run."""

    find: Callable[[Any], Coroutine[Any, Any, WantedTool]]
    """The tool that the call's params mean; raises an expected error where there is none."""
    run: Callable[[FoundTool, Any], Coroutine[Any, Any, BaseModel]]
    """Runs it."""


Handler = PlainHandler | ToolHandler

Handlers = Mapping[str, Handler]
"""Handlers by the full name of their call: `lime.storage.set`."""


@dataclass(frozen=True, slots=True)
class Source:
    """What an app can subscribe to in a capability, beside its calls."""

    method: str
    """The call whose rights a subscription needs: what may not be asked may not be heard."""
    start: Callable[[Subscription, SubscribePayload], Coroutine[Any, Any, JsonObject]]
    """Begins to tell events, and gives more fields of the answer; raises an expected error to refuse."""


class LocaleContext(NamedTuple):
    """Where a person is, as far as an app is told: what texts and times are shown by."""

    locale: str
    timezone: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HandlerServices:
    """What the handlers of one view may use. Policy has decided before they run."""

    provenance: Provenance
    """Written on every record that the view causes."""
    app: Callable[[], RegisteredApp]
    """The app as it stands now."""
    snapshot: Callable[[], HostSnapshot]
    locale_context: Callable[[], LocaleContext]
    """The same as in the snapshot."""
    facts: Callable[[], PolicyFacts]
    """What policy goes by now."""
    call: CallServer
    """Asks the App Server; the wait is bounded for the handler."""
    shell: ShellPort
    actions: HostActions
    approvals: CallApprovals
    """Asks a person where policy wants one."""
    view_id: str
    """This view and no other, for as long as it is open: what "for this session" means to a page."""
    center: Callable[[], AppCenter | None] = lambda: None
    """Installed apps and what is kept for them; None while another process holds them."""
    subscriptions: ViewSubscriptions
    """What the view is told without asking again."""
    topics: TopicHub
    """What the views of all apps tell each other."""
    storage_changes: StorageChanges
    """What changes in the data of apps."""
    webhook_arrivals: WebhookArrivals
    """What is sent to apps from outside."""
    run_changes: RunChanges
    """How the runs of apps' workflows move."""
    opened_files: OpenedFilesQueue
    """What the person opened from outside, for whichever app."""
    bodies: ViewBodies
    """What the view may fetch: values too long for a message, and streams."""
    absent: frozenset[str] = frozenset()
    """Capabilities that this view has to do without, as on a host that does not know them."""
    decisions: Decisions = field(default_factory=Decisions)
    """Where it is said what policy decided."""
    branding: Callable[[], Branding] = Branding
    """The brand in force."""
    only_artifact: str | None = None
    """The artifact that the view was opened to show, and the only one it sees; None for every other view."""
    profile: HostProfile = THIS_HOST

    @property
    def workspace_id(self) -> str:
        """The workspace that is open now."""
        return self.app().governing.workspace_id

    def caller(self) -> AppCaller:
        """Who calls, as the App Server is told: by the view and the host alone, whatever a page says."""
        return AppCaller(
            provenance=self.provenance,
            view_id=self.view_id,
            workspace_id=self.workspace_id,
            locale=self.locale_context().locale,
            trace_id=trace_of_call.get() or None,
        )

    async def ask(self, call: Call[ParamsT, ResultT], params: ParamsT) -> ResultT:
        """Have the App Server carry out a call of the app's, for a handler that needs its result."""
        return await call_for_app(self.call, self.caller(), call, params)

    async def choose_folder(
        self, title: str, *, is_persistent: bool = False
    ) -> tuple[FileRef, ...]:
        """A folder that the person opens to the app, by reference; nothing where they choose none. Waits for them."""
        chosen = await self.shell.choose_files(FileQuestion(is_folder=True, title=title))
        if not chosen:
            return ()
        asked = GrantFilesParams(
            app_id=self.app_id, paths=tuple(map(str, chosen)), is_persistent=is_persistent
        )
        return (await self.call(GRANT_FILES, asked)).files

    @property
    def app_id(self) -> AppId:
        """The app that the view shows: the authority, whatever a page says."""
        return self.provenance.app_id
