"""What an app asks of its host. Every variant that published apps send is accepted.

Knows shapes, not whether a request is allowed; `reading` makes such messages of untrusted text.
"""

from typing import Annotated, Literal, Self, TypeAlias, cast, get_args

from pydantic import (
    AliasChoices,
    BeforeValidator,
    ConfigDict,
    Field,
    JsonValue,
    model_validator,
)
from pydantic_core import from_json, to_json

from lime_desktop.protocol.bridge.envelope import (
    BridgeMessage,
)
from lime_desktop.protocol.ids import JsonText, NonEmpty, ParsedJson, UnreadJson
from lime_desktop.protocol.task_events import Cost
from lime_desktop.protocol.wire import Maybe, WireModel

ToastLevel: TypeAlias = Literal["info", "success", "warning", "error"]

MIN_POLL_MS, DEFAULT_POLL_MS, MAX_POLL_MS = 250, 1_000, 10_000


def _known_level(value: object) -> object:
    # A tuple, not a set: a page may send a list, which has no hash.
    return value if value in get_args(ToastLevel) else "info"


def _clamped_poll(value: object) -> object:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return int(min(max(value, MIN_POLL_MS), MAX_POLL_MS))
    return DEFAULT_POLL_MS


class NavigatePayload(WireModel):
    """Where to go: a route of the app, one of its entries, or a URL of its own origin."""

    route: Maybe[NonEmpty[str]] = None
    url: Maybe[Annotated[str, Field(min_length=1, max_length=8_192)]] = None
    entry_key: Maybe[NonEmpty[str]] = Field(
        None, validation_alias=AliasChoices("entryKey", "entry", "entry_key")
    )

    @model_validator(mode="after")
    def _names_a_target(self) -> Self:
        if not (self.route or self.url or self.entry_key):
            raise ValueError("one of route, url and entryKey is needed")
        return self


class ToastPayload(WireModel):
    """A short notice for the person."""

    message: str = Field("", max_length=2_000)
    """May be left out where a code says it."""
    code: Maybe[NonEmpty[str]] = None
    """A failure of `app.errors.yaml`: shown as an error with what to do, and kept as evidence."""
    level: Annotated[ToastLevel, BeforeValidator(_known_level, json_schema_input_type=str)] = "info"
    """An unknown level is shown as `info`."""

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not (self.message or self.code):
            raise ValueError("one of message and code is needed")
        return self


class OpenExternalPayload(WireModel):
    """A page to open in the person's browser: http and https only."""

    url: str = Field(min_length=1, max_length=8_192)


class DownloadPayload(WireModel):
    """A file to save: one of the app's own origin, or one that it holds a reference to."""

    model_config = ConfigDict(
        json_schema_extra={"allOf": [{"anyOf": [{"required": ["url"]}, {"required": ["ref"]}]}]}
    )

    url: Maybe[str] = Field(
        None, validation_alias=AliasChoices("url", "href"), min_length=1, max_length=8_192
    )
    """An address of the app's own origin; `href` is read too."""
    ref: Maybe[NonEmpty[str]] = None
    """A file reference, such as an artifact's export gives."""
    file_name: Maybe[str] = Field(None, max_length=255)
    """The name to propose; the file's own otherwise."""
    unpack: bool = False
    """Whether an archive that the app holds is unpacked into a new folder, at a place the person chooses."""

    @model_validator(mode="after")
    def _names_one_file(self) -> Self:
        if (self.url is None) == (self.ref is None):
            raise ValueError("exactly one of url and ref is needed")
        if self.unpack and self.ref is None:
            raise ValueError("only what a ref opens is unpacked")
        return self


class InvokePayload(WireModel):
    """A capability call. What the app says of its own provenance is not even read."""

    capability: NonEmpty[str]
    method: NonEmpty[str]
    input: UnreadJson = None
    """The arguments as one object; what published SDKs send."""
    args: UnreadJson = None
    """The arguments as one object or as a list in order; read where `input` is absent."""
    idempotency_key: Maybe[NonEmpty[str]] = None
    """The same key and arguments have an effect once, however often they are sent."""
    timeout_ms: Maybe[int] = Field(default=None, ge=1, le=600_000)
    """Give up after this time; the host answers with `timeout`."""
    operation: Maybe[NonEmpty[str]] = None
    """The key of the declared operation that the call carries out; its demands hold either way."""
    dry_run: bool = False
    """Judge the call and say what it would do, without doing it."""
    cost_limit: Maybe[Cost] = None
    """The most that the call may cost."""
    waits_for_person: bool = True
    """Whether the answer may wait for a person who is asked first; otherwise that they are is told at once."""
    accepts_value_ref: bool = False
    """Whether a value too long for a message may come as `valueRef`, to be fetched from the app's own origin."""

    @property
    def written_arguments(self) -> bytes:
        """The arguments in whichever field they came, as they were written."""
        given = self.input if "input" in self.model_fields_set else self.args
        return given if isinstance(given, JsonText) else to_json(given)

    @property
    def arguments(self) -> JsonValue:
        """The same as a value."""
        return cast("JsonValue", from_json(self.written_arguments))


class SubscribePayload(WireModel):
    """A wish for events of a topic, until unsubscribed or the view closes."""

    capability: NonEmpty[str]
    topic: NonEmpty[str]
    subscription_id: Maybe[NonEmpty[str]] = None
    """The app's own id for the subscription; the host makes one otherwise."""
    task_id: Maybe[NonEmpty[str]] = None
    input: ParsedJson = None
    args: ParsedJson = None
    poll_interval_ms: Annotated[
        int, BeforeValidator(_clamped_poll, json_schema_input_type=float)
    ] = DEFAULT_POLL_MS
    """Kept within 250 and 10,000; events are pushed, so it only limits how often at most."""
    bridge_action: Maybe[str] = None
    """Handed back on every event, for apps that route by it."""
    after_sequence: int = Field(default=0, ge=0)
    """For tasks: only events after this one."""
    delivery: Literal["push", "stream"] = "push"
    """`push` sends messages; `stream` answers with a `streamUrl` of the app's own origin, one event per line, read at the
    page's own pace."""

    @property
    def subject_id(self) -> str | None:
        """The task that the topic is about, in whichever field it came."""
        if self.task_id is not None:
            return self.task_id
        first = self.args[0] if isinstance(self.args, list) and self.args else self.args
        for source in (self.input, first):
            found = source.get("taskId") if isinstance(source, dict) else source
            if isinstance(found, str) and found:
                return found
        return None


class UnsubscribePayload(WireModel):
    """The subscription to end."""

    subscription_id: NonEmpty[str]


class CancelPayload(WireModel):
    """The request that nobody waits for any more."""

    request_id: NonEmpty[str]


class Request(BridgeMessage):
    """A message from an app; with a request id it is answered under the same one."""

    request_id: Maybe[NonEmpty[str]] = None


class AppReady(Request):
    """The app has started and wants its first snapshot."""

    type: Literal["app:ready"] = "app:ready"
    payload: Maybe[JsonValue] = None


class GetSnapshot(Request):
    """The app wants the current snapshot."""

    type: Literal["host:getSnapshot"] = "host:getSnapshot"
    payload: Maybe[JsonValue] = None


class Navigate(Request):
    """The app wants to go to another route or entry of its own."""

    type: Literal["host:navigate"] = "host:navigate"
    payload: NavigatePayload


class Toast(Request):
    """The app wants a notice shown."""

    type: Literal["host:toast"] = "host:toast"
    payload: ToastPayload


class OpenExternal(Request):
    """The app wants a page opened outside; the host checks scheme and source."""

    type: Literal["host:openExternal"] = "host:openExternal"
    payload: OpenExternalPayload


class Download(Request):
    """The app wants one of its own files saved; the host checks URL and permission."""

    type: Literal["host:download"] = "host:download"
    payload: DownloadPayload


class Invoke(Request):
    """A capability call; the host decides by allowlist, readiness and policy."""

    type: Literal["capability:invoke"] = "capability:invoke"
    payload: InvokePayload


class Subscribe(Request):
    """The app wants events; published SDKs need this, the standard does not name it."""

    type: Literal["capability:subscribe"] = "capability:subscribe"
    payload: SubscribePayload


class Unsubscribe(Request):
    """The app wants no more events of a subscription."""

    type: Literal["capability:unsubscribe"] = "capability:unsubscribe"
    payload: UnsubscribePayload


class Cancel(Request):
    """The app has given a request up; ours alone, no standard names it. It is not answered itself."""

    type: Literal["capability:cancel"] = "capability:cancel"
    payload: CancelPayload


AppMessage: TypeAlias = (
    AppReady
    | GetSnapshot
    | Navigate
    | Toast
    | OpenExternal
    | Download
    | Invoke
    | Subscribe
    | Unsubscribe
    | Cancel
)

APP_MESSAGES: tuple[type[AppMessage], ...] = (
    AppReady,
    GetSnapshot,
    Navigate,
    Toast,
    OpenExternal,
    Download,
    Invoke,
    Subscribe,
    Unsubscribe,
    Cancel,
)
"""Every message that an app may send."""
