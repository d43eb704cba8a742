"""One client's connection: the handshake, then calls. Each is read, held to the client's app, routed and answered.

Failures become JSON-RPC errors here. What a call does is its handler's business.
"""

import itertools
import logging
import re
import secrets
import sys
from collections.abc import Coroutine
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, TypeAlias, TypeVar, cast

import msgspec
from pydantic import JsonValue, ValidationError

from lime_desktop import __version__
from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.routes import AppCalls, Route, Routes
from lime_desktop.app_server.server.app_scope import FindOwner, narrow_to_app
from lime_desktop.app_server.server.authentication import Token
from lime_desktop.app_server.server.fan_out import FanOut, Subscriber
from lime_desktop.app_server.server.peer_refusals import peer_error_data
from lime_desktop.jsonrpc.messages import (
    RpcError,
    read_value,
)
from lime_desktop.jsonrpc.outbox import Limits
from lime_desktop.jsonrpc.peer import Peer
from lime_desktop.jsonrpc.receiver import Answered
from lime_desktop.protocol.app_call import AppCallParams
from lime_desktop.protocol.calls.artifacts import READ_ARTIFACTS
from lime_desktop.protocol.calls.capabilities import LIST_CAPABILITIES
from lime_desktop.protocol.calls.evidence import EXPORT_EVIDENCE
from lime_desktop.protocol.calls.handshake import (
    INITIALIZE,
    INITIALIZED,
    PROTOCOL_VERSION,
    InitializeParams,
    InitializeResult,
    Platform,
    ServerCapabilities,
    ServerInfo,
)
from lime_desktop.protocol.calls.sessions import (
    FOLLOW_SESSION,
    START_SESSION,
    StartSessionParams,
    session_of,
)
from lime_desktop.protocol.calls.turns import StartTurnParams
from lime_desktop.protocol.errors import (
    AlreadyInitialized,
    AppError,
    InternalError,
    InvalidInput,
    InvalidMessage,
    NotInitialized,
    UnsupportedProtocol,
)
from lime_desktop.protocol.ids import AppId, SessionId, TraceId
from lime_desktop.protocol.runtime.events import RuntimeEvent, strict_events
from lime_desktop.protocol.runtime.payload_rules import key_like_paths
from lime_desktop.protocol.wire import WireModel

_log = logging.getLogger(__name__)


ParamsT = TypeVar("ParamsT", bound=WireModel)
_TRACEPARENT = re.compile(r"[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}")


@dataclass(frozen=True, slots=True)
class Services:
    """What every connection shares."""

    routes: Routes
    find_owner: FindOwner
    fan_out: FanOut = field(default_factory=FanOut)
    limits: Limits = field(default_factory=Limits)
    app_calls: AppCalls = field(default_factory=AppCalls)
    """What `app/call` leads to."""


@dataclass(frozen=True, slots=True)
class Client:
    """Who is on the other end, settled once."""

    name: str
    app_id: AppId | None
    is_strict: bool
    subscriber: Subscriber


@dataclass(frozen=True, slots=True)
class Waiting:
    """Nobody has been introduced."""


@dataclass(frozen=True, slots=True)
class Introduced:
    """`initialize` was answered; `initialized` has not come."""

    client: Client


@dataclass(frozen=True, slots=True)
class Ready:
    """Calls are heard."""

    client: Client


State: TypeAlias = Waiting | Introduced | Ready


class Connection:
    """The receiver behind one peer."""

    def __init__(self, services: Services, token: Token | None = None) -> None:
        """Serve one client; with a token, only after it has shown a proof."""
        self._services = services
        self._token = token
        self._state: State = Waiting()
        self.peer = Peer(self, services.limits, error_data=peer_error_data)

    @property
    def is_introduced(self) -> bool:
        """Whether `initialize` was answered."""
        return not isinstance(self._state, Waiting)

    # What the peer asks.

    def request(self, method: str, params: msgspec.Raw) -> Coroutine[Any, Any, object] | Answered:
        """Check a call at arrival, in order; answer it in its own time."""
        edge = _ErrorEdge(method, _new_trace_id())
        with edge:
            if method == INITIALIZE.name:
                return Answered(self._initialize(params).to_wire())
            client = self._ready_client()
            route = self._services.routes.find(method)
            return self._answer(route, client, params, edge)

    def notification(self, method: str, params: object) -> None:
        """Open the gate, or change what is heard of a session; nothing else a client tells has a meaning here."""
        if method == INITIALIZED.name and isinstance(self._state, Introduced):
            self._state = Ready(self._state.client)
        elif method == FOLLOW_SESSION.name and isinstance(self._state, Ready):
            self._follow(params, self._state.client)

    def room_returned(self) -> None:
        """Tell a client that was too slow what it missed."""
        if not isinstance(self._state, Waiting):
            self._state.client.subscriber.catch_up()

    def connection_lost(self) -> None:
        """Forget the client."""
        if not isinstance(self._state, Waiting):
            self._services.fan_out.leave(self._state.client.subscriber)

    def _follow(self, params: object, client: Client) -> None:
        try:
            wish = FOLLOW_SESSION.params.model_validate(params)
        except ValidationError:
            _log.debug("a session is followed in no form that is known")
            return
        # Whether it may hear of the session at all is seen when the client names it, and at each event.
        client.subscriber.follow(wish.session_id, wish.event_types)

    # The gate.

    def _initialize(self, raw: msgspec.Raw) -> InitializeResult:
        if not isinstance(self._state, Waiting):
            raise AlreadyInitialized("This connection is initialized")
        params = _parse_params(InitializeParams, raw)
        if params.required_protocol not in {None, PROTOCOL_VERSION}:
            raise UnsupportedProtocol(f"This server speaks {PROTOCOL_VERSION}")
        if self._token is not None:
            self._token.check(params.proof, params.app_id)
        self._state = Introduced(self._introduce(params))
        self._services.fan_out.join(self._state.client.subscriber)
        return InitializeResult(
            server_info=ServerInfo(version=__version__),
            platform=Platform(os=sys.platform),
            capabilities=self._offer(),
        )

    def _offer(self) -> ServerCapabilities:
        served = self._services.routes.served()
        return ServerCapabilities(
            agent_session=START_SESSION.name in served,
            capability_discovery=LIST_CAPABILITIES.name in served,
            artifact=READ_ARTIFACTS.name in served,
            evidence=EXPORT_EVIDENCE.name in served,
        )

    def _introduce(self, params: InitializeParams) -> Client:
        return Client(
            name=params.client_info.name,
            app_id=params.app_id,
            is_strict=params.capabilities.strict_profile,
            subscriber=Subscriber(self.peer, params.capabilities, params.app_id),
        )

    def _ready_client(self) -> Client:
        if not isinstance(self._state, Ready):
            raise NotInitialized("Send initialize, then initialized")
        return self._state.client

    # The call.

    async def _answer(
        self, route: Route, client: Client, raw: msgspec.Raw, edge: "_ErrorEdge"
    ) -> object:
        with edge:
            params = _with_session_id(_parse_params(route.params, raw))
            if client.app_id is not None:
                params = await narrow_to_app(params, client.app_id, self._services.find_owner)
            if session_id := session_of(params):
                # Before the call and not after: its own events are part of what the client hears.
                self._services.fan_out.watch(client.subscriber, session_id)
            context = CallContext(
                trace_id=_callers_trace(params) or edge.trace_id,
                bound_app_id=client.app_id,
                client_name=client.name,
            )
            result = await route.handler(params, context)
            return _encode(_for_client(result, client))


_trace_prefix = secrets.token_hex(8)
_trace_numbers = itertools.count(1)


def _new_trace_id() -> TraceId:
    """A W3C trace id: random per process, counted within it, at a tenth of the cost of all random."""
    return TraceId(f"{_trace_prefix}{next(_trace_numbers):016x}")


def _with_session_id(params: WireModel) -> WireModel:
    """Name a new session here, so that its first event finds its listener."""
    if not isinstance(params, StartSessionParams) or params.session_id is not None:
        return params
    if params.session_policy.mode in {"resume", "continue"}:
        return params
    return params.model_copy(update={"session_id": SessionId(f"session_{secrets.token_hex(12)}")})


def _callers_trace(params: WireModel) -> TraceId | None:
    """The trace a caller's turn belongs to, from its W3C ``traceparent``."""
    if not isinstance(params, StartTurnParams) or params.runtime_options.metadata is None:
        return None
    found = _TRACEPARENT.match(str(params.runtime_options.metadata.get("traceparent", "")))
    return TraceId(found[1]) if found else None


def _for_client(result: WireModel, client: Client) -> WireModel:
    if not client.is_strict or "events" not in type(result).model_fields:
        return result
    events = cast("tuple[RuntimeEvent, ...]", getattr(result, "events", ()))
    return result.model_copy(update={"events": tuple(strict_events(events))})


def _encode(result: WireModel) -> msgspec.Raw:
    return msgspec.Raw(result.to_bytes())


def _parse_params(model: type[ParamsT], written: msgspec.Raw) -> ParamsT:
    """Check and read a call's parameters.

    Raises:
        InvalidInput: with the paths of the fields, never their values.
        InvalidMessage: they are not UTF-8.
    """
    if issubclass(model, AppCallParams):
        # What an app says is judged by the service that takes it: each has a place of its own for secrets.
        return model.read(bytes(written))
    try:
        raw = read_value(written)
    except RpcError as error:
        raise InvalidMessage(error.message) from None
    # Keys go to the provider store by its own way; here not even their names are accepted.
    if raw and (key_like := list(key_like_paths(cast("JsonValue", raw)))):
        raise InvalidInput.at_fields((path, "key_like_field") for path in key_like)
    try:
        return model.model_validate({} if raw is None else raw)
    except ValidationError as error:
        raise InvalidInput.from_validation(error) from None


class _ErrorEdge:
    """Everything raised inside leaves as `RpcError`, except cancellation, which is no failure.

    An `AppError` is answered as it is; anything else is a bug, logged under the trace id and answered without a word of
    it. One of the two places where every exception may be caught.
    """

    def __init__(self, method: str, trace_id: TraceId) -> None:
        self._method = method
        self.trace_id = trace_id

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Translate what was raised."""
        del kind, traceback
        if isinstance(error, Exception):
            raise self._translate(error) from None

    def _translate(self, error: Exception) -> RpcError:
        expected = self._expected(error)
        expected.trace_id = expected.trace_id or self.trace_id
        return RpcError(expected.rpc_code, expected.message, cast("object", expected.to_data()))

    def _expected(self, error: Exception) -> AppError:
        if isinstance(error, AppError):
            _log.debug(
                "call refused",
                extra={"method": self._method, "traceId": self.trace_id, "code": error.code},
            )
            return error
        _log.error(
            "call failed unexpectedly",
            exc_info=error,
            extra={"method": self._method, "traceId": self.trace_id},
        )
        return InternalError("Something went wrong; the trace id finds it in the log")
