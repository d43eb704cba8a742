"""One view's end of the bridge, put together: the session, what answers it, and what it is told by itself.

A request is declared, known, allowed and carried out, in this order, or refused. A capability without a handler is
refused by name: nothing here makes an answer up.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import assert_never, cast

from pydantic_core import from_json

from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.governance.branding import Branding
from lime_desktop.host.app_server_client.calling import CallServer, call_for_app
from lime_desktop.host.approvals.calls import CallApprovals
from lime_desktop.host.apps.provenance import provenance_of
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.bridge.session import Answer, BridgeSession, Payload, Requests
from lime_desktop.host.bridge.timeline import Decisions
from lime_desktop.host.capabilities.handler import HandlerServices, LocaleContext, Source
from lime_desktop.host.capabilities.table import handlers_of, sources_of
from lime_desktop.host.requests.asked_call import AskedCall
from lime_desktop.host.requests.capability_calls import CapabilityCalls, find_call
from lime_desktop.host.requests.gate import PolicyGate
from lime_desktop.host.requests.repeated_calls import WaitingCalls
from lime_desktop.host.view.bodies import ViewBodies
from lime_desktop.host.view.declared_failures import DeclaredFailures
from lime_desktop.host.view.host_actions import HostActions
from lime_desktop.host.view.opened_files import OpenedFilesQueue
from lime_desktop.host.view.rate_limited_shell import RateLimitedShell
from lime_desktop.host.view.shell_port import ShellPort
from lime_desktop.host.view.subscriptions import (
    RunChanges,
    StorageChanges,
    TopicHub,
    ViewSubscriptions,
    WebhookArrivals,
)
from lime_desktop.policy.facts import PolicyFacts
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.bridge.from_app import (
    AppMessage,
    AppReady,
    Cancel,
    Download,
    GetSnapshot,
    Invoke,
    InvokePayload,
    Navigate,
    OpenExternal,
    Subscribe,
    SubscribePayload,
    Toast,
    Unsubscribe,
    UnsubscribePayload,
)
from lime_desktop.protocol.bridge.from_host import (
    CapabilityEventMessage,
    CapabilityEventPayload,
    ResponsePayload,
)
from lime_desktop.protocol.bridge.snapshot import HostSnapshot
from lime_desktop.protocol.capability_calls.events import SubscribeTopicParams
from lime_desktop.protocol.capability_calls.evidence import RECORD_EVIDENCE, RecordEvidenceParams
from lime_desktop.protocol.errors import ApprovalRequired, SubscriptionUnknown
from lime_desktop.protocol.ids import AppId, JsonObject
from lime_desktop.protocol.wire import WireModel

_OPEN_EXTERNAL = find_call("lime.ui", "openExternal")
_NOTHING_BESIDE = InvokePayload(capability="lime.ui", method="openExternal")


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
    storage_changes: StorageChanges = field(default_factory=StorageChanges)
    webhook_arrivals: WebhookArrivals = field(default_factory=WebhookArrivals)
    run_changes: RunChanges = field(default_factory=RunChanges)
    opened_files: OpenedFilesQueue = field(default_factory=OpenedFilesQueue)
    center: Callable[[], AppCenter | None] = lambda: None
    branding: Callable[[], Branding] = Branding
    locale_context: Callable[[], LocaleContext] | None = None
    """Where this can be had for less than the whole snapshot."""
    advice: Callable[[str], str | None] = lambda _code: None
    """What a person can do about a failure of this code, in their language."""
    absent: Callable[[], frozenset[str]] = frozenset[str]
    """Capabilities that the view has to do without."""
    only_artifact: Callable[[], str | None] = lambda: None
    """The artifact that the view was opened to show, if it is a viewer of one."""


class ViewBridge:
    """A conversation that can be begun anew when the page is, and ends with its view."""

    def __init__(self, parts: ViewParts) -> None:
        self._parts = parts
        self._subscriptions = ViewSubscriptions(self._push)
        self.decisions = Decisions()
        """What policy says of the view's calls."""
        self._shell = RateLimitedShell(parts.shell)
        self._failures = DeclaredFailures(
            lambda: parts.app().package.errors,
            lambda: self._where().locale,
            parts.advice,
            self._keep_evidence,
        )
        app = parts.app()
        self.session = BridgeSession(
            AppId(app.app_id),
            self._answers(),
            parts.snapshot,
            parts.post,
            outcomes=self._failures,
        )

    def _answers(self) -> Requests:
        """What carries out the page's requests, for the app as it stands now."""
        parts, app = self._parts, self._parts.app()
        services = HandlerServices(
            provenance=provenance_of(app, parts.entry_key),
            app=parts.app,
            snapshot=parts.snapshot,
            locale_context=self._where,
            facts=parts.facts,
            call=parts.call,
            shell=self._shell,
            actions=HostActions(app.projection, self._shell, self._failures),
            approvals=parts.approvals,
            view_id=parts.view_id,
            subscriptions=self._subscriptions,
            topics=parts.topics,
            storage_changes=parts.storage_changes,
            webhook_arrivals=parts.webhook_arrivals,
            run_changes=parts.run_changes,
            opened_files=parts.opened_files,
            bodies=parts.bodies,
            center=parts.center,
            absent=parts.absent(),
            decisions=self.decisions,
            branding=parts.branding,
            only_artifact=parts.only_artifact(),
        )
        return _AppRequests(services)

    def _where(self) -> LocaleContext:
        if self._parts.locale_context is not None:
            return self._parts.locale_context()
        host = self._parts.snapshot().host
        return LocaleContext(host.locale, host.timezone)

    async def _keep_evidence(self, fact: RecordEvidenceParams) -> None:
        parts = self._parts
        caller = AppCaller(provenance=provenance_of(parts.app(), parts.entry_key))
        await call_for_app(parts.call, caller, RECORD_EVIDENCE, fact)

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


class _AppRequests:
    """Answers what one app asks, under the facts that hold now."""

    def __init__(self, services: HandlerServices) -> None:
        self._actions = services.actions
        self._gate = PolicyGate(services)
        self._calls = CapabilityCalls(services, handlers_of(services), self._gate)
        self._subscribing = _Subscribing(services, self._gate)

    def answer(self, message: AppMessage) -> Answer:
        """Carry out one request."""
        match message:
            case Invoke():
                return self._calls.invoke(message.payload)
            case Toast() | Navigate():
                return ResponsePayload.of_host_action(self._actions.carry_out(message))
            case OpenExternal():
                return self._open_external(message)
            case Subscribe():
                return self._subscribing.subscribe(message.payload)
            case Unsubscribe():
                return self._subscribing.unsubscribe(message.payload)
            case Download():
                return self._download(message)
            case AppReady() | GetSnapshot() | Cancel():
                raise AssertionError("the session answers these itself")
            case _:
                assert_never(message)

    async def _download(self, message: Download) -> ResponsePayload:
        asked = InvokePayload(
            capability="lime.ui", method="download", input=message.payload.to_wire()
        )
        answer = self._calls.invoke(asked)
        payload = answer if isinstance(answer, Payload) else await answer
        if isinstance(payload, ResponsePayload):
            return payload
        fields = cast("JsonObject", from_json(payload.json))
        return ResponsePayload.of_host_action(fields, evidence_id=payload.evidence_id)

    def _open_external(self, message: OpenExternal) -> ResponsePayload:
        # Only offered: whoever then opens it is the person to be asked.
        self._gate.refuse_denied(AskedCall(_OPEN_EXTERNAL, _NOTHING_BESIDE, message.payload))
        return ResponsePayload.of_host_action(self._actions.carry_out(message))


class _Subscribing:
    """The subscriptions that one view asks for, under the same rules as the call that each spares."""

    def __init__(self, services: HandlerServices, gate: PolicyGate) -> None:
        self._services = services
        self._sources = sources_of(services)
        self._gate = gate
        self._waiting = WaitingCalls(services.approvals)

    def subscribe(self, wish: SubscribePayload) -> Answer:
        """Begin a subscription, if its call would be allowed."""
        source = self._sources.get(wish.capability)
        method = source.method if source else "subscribe"
        payload = InvokePayload(capability=wish.capability, method=method, input=wish.input)
        asked = AskedCall(find_call(wish.capability, method, self._services.absent), payload)
        self._gate.refuse_denied(asked)
        if source is None:
            raise SubscriptionUnknown(f"{wish.capability} tells nothing by itself")
        asked = replace(asked, checked=_as_call(wish))

        def attempt() -> Answer:
            self._gate.check(asked)
            return self._start(source, wish)

        try:
            return attempt()
        except ApprovalRequired as needed:
            return self._waiting.run(asked, attempt, needed)

    def unsubscribe(self, payload: UnsubscribePayload) -> ResponsePayload:
        """End a subscription; ending it twice is no failure."""
        has_ended = self._services.subscriptions.end(payload.subscription_id)
        return ResponsePayload.of_host_action(
            {"subscriptionId": payload.subscription_id, "unsubscribed": has_ended}
        )

    async def _start(self, source: Source, wish: SubscribePayload) -> ResponsePayload:
        is_stream = wish.delivery == "stream"
        subscription = self._services.subscriptions.open(
            wish.capability,
            wish.topic,
            subscription_id=wish.subscription_id,
            bridge_action=wish.bridge_action,
            stream=self._services.bodies.open_stream() if is_stream else None,
        )
        try:
            more = await source.start(subscription, wish)
        except BaseException:
            subscription.end()
            raise
        fields: JsonObject = {
            "subscriptionId": subscription.id,
            "capability": wish.capability,
            "topic": wish.topic,
            "pollIntervalMs": wish.poll_interval_ms,
            **more,
        }
        if subscription.stream is not None:
            fields["streamUrl"] = subscription.stream.path
        return ResponsePayload.of_host_action(fields)


def _as_call(wish: SubscribePayload) -> WireModel:
    """The wish as the call that it spares: the topics of lime.events are declared by name, so policy hears of them."""
    return SubscribeTopicParams(topic=wish.topic) if wish.capability == "lime.events" else wish
