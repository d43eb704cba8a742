"""Makes a tool of every operation that an app's OpenAPI document describes.

What one does is told by its HTTP method and by nothing that the document says: reading asks for nothing more, changing needs an
operation that the manifest declares, deleting always a person's yes. What the other side answers is a stranger's word.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING

import msgspec

from lime_desktop.app_package.api_description import (
    ApiDescription,
    ApiOperation,
    Method,
    UnreadableApi,
    parse_api,
)
from lime_desktop.app_package.files.path_rules import normalised
from lime_desktop.app_package.manifest.operations import Integration, SideEffect
from lime_desktop.app_server.apps.registered import RegisteredApp
from lime_desktop.app_server.runtime_core.backend import TurnRequest
from lime_desktop.app_server.secrets.opened_values import OpenedValues
from lime_desktop.app_server.secrets.tool_secrets import AppToolSecrets, ToolSecrets
from lime_desktop.app_server.tools.answer_mailbox import AnswerMailbox
from lime_desktop.app_server.tools.api.requests import build_request
from lime_desktop.app_server.tools.catalogue import PolicyAsk, Tool, ToolRow
from lime_desktop.app_server.tools.proxied_http import (
    NO_WAY_OUT,
    HttpAnswer,
    HttpRequest,
    proxied_http,
)
from lime_desktop.app_server.tools.sign_in.sign_ins import NOT_SIGNED_IN, SignIns
from lime_desktop.app_server.tools.tool_names import joined_name
from lime_desktop.app_server.tools.tooling import ToolCall, ToolOutcome, key_of
from lime_desktop.network.hosts import may_carry_secrets, parse_host
from lime_desktop.policy.call import Target
from lime_desktop.policy.vocabulary import Access
from lime_desktop.protocol.ids import JsonObject

if TYPE_CHECKING:
    from lime_desktop.app_package.package import AppPackage

_EFFECTS: dict[Method, SideEffect] = {
    "get": "none",
    "head": "none",
    "post": "external_write",
    "put": "external_write",
    "patch": "external_write",
    "delete": "external_delete",
}
_LONGEST_REFUSAL = 2_000
_NOT_LET_IN = 401
_READ_ONLY = "The manifest declares that this connection does not write."
_UNENCRYPTED = "A secret would travel unencrypted: the system's address must begin with https."


@dataclass(frozen=True, slots=True)
class DescribedSystem:
    """An integration of the kind `api`, and what its document says."""

    integration: Integration
    description: ApiDescription


def described_systems(package: "AppPackage") -> tuple[DescribedSystem, ...]:
    """The systems that a package describes, as far as that can be read. Blocks."""
    found = (
        (each, _description(package, each.adapter.document or "", each.adapter.base_url))
        for each in package.manifest.integrations
        if each.adapter is not None and each.adapter.kind == "api"
    )
    return tuple(DescribedSystem(each, read) for each, read in found if read is not None)


def _description(
    package: "AppPackage", document: str, base_url: str | None
) -> ApiDescription | None:
    path = normalised(document)
    if not path or path not in package.tree.files:
        return None
    try:
        return _parsed(package.tree.read(path), path, base_url)
    except (OSError, UnreadableApi):
        return None


@lru_cache(maxsize=32)
def _parsed(body: bytes, path: str, base_url: str | None) -> ApiDescription:
    # Kept: every turn of an app asks for its tools, and a long document takes a second to read.
    return parse_api(body, path, base_url)


class ApiTools:
    """The source of them."""

    def __init__(self, secrets: AppToolSecrets, sign_ins: SignIns) -> None:
        self._secrets = secrets
        self._sign_ins = sign_ins

    async def tools_for(self, app: RegisteredApp, request: TurnRequest) -> Sequence[Tool]:
        """One tool for each operation of each system."""
        if not any(_is_api(each) for each in app.package.manifest.integrations):
            return []
        tools: list[Tool] = []
        missing = await self._sign_ins.missing(app)
        for system in await asyncio.to_thread(described_systems, app.package):
            key = system.integration.key
            shown = ShownToSystem(
                await self._secrets.for_integration(app, request, key),
                partial(self._sign_ins.open, app, key),
                partial(self._sign_ins.open_after_refusal, app, key),
                is_signed_out=key in missing,
                wants_sign_in=_wants_sign_in(system.integration),
            )
            tools += [ApiTool(app, system, each, shown) for each in system.description.operations]
        return tools


def _is_api(integration: Integration) -> bool:
    return integration.adapter is not None and integration.adapter.kind == "api"


def _wants_sign_in(integration: Integration) -> bool:
    return integration.adapter is not None and integration.adapter.oauth is not None


@dataclass(frozen=True, slots=True)
class ShownToSystem:
    """What requests to a system carry that is secret: slots of the app, and the token of a sign-in."""

    secrets: ToolSecrets
    open_token: Callable[[], Awaitable[OpenedValues]]
    open_another: Callable[[OpenedValues], Awaitable[OpenedValues | None]]
    """A token in the place of one that was refused."""
    is_signed_out: bool
    wants_sign_in: bool

    @property
    def is_anything(self) -> bool:
        """Whether there is anything to be kept from others."""
        return self.wants_sign_in or bool(self.secrets.wanted)

    @property
    def unavailable(self) -> tuple[str | None, str]:
        """Why a tool cannot be called, and the same as a stable word."""
        return (
            (NOT_SIGNED_IN, "sign_in_required") if self.is_signed_out else self.secrets.unavailable
        )

    async def open(self) -> OpenedValues:
        """The values; a token goes before a slot of the same header."""
        return (await self.open_token()).and_more(await self.secrets.open())

    async def open_again(self, refused: OpenedValues) -> OpenedValues | None:
        """The values with another token, after the system did not take the one that it was sent."""
        token = await self.open_another(refused)
        return None if token is None else token.and_more(refused)


class ApiTool:
    """One operation in the hands of one turn."""

    def __init__(
        self,
        app: RegisteredApp,
        system: DescribedSystem,
        operation: ApiOperation,
        shown: ShownToSystem,
    ) -> None:
        self._network = app.registration.network
        self._integration = system.integration
        self._base_url = system.description.base_url
        self._operation = operation
        self._shown = shown
        self._declared = operation.key if _declares(app, system.integration, operation) else None

    @property
    def row(self) -> ToolRow:
        """Its line in the catalogue."""
        operation, key = self._operation, self._integration.key
        reason, code = self._unavailable()
        effect = _EFFECTS[operation.method]
        return ToolRow(
            name=joined_name("api", key, operation.key),
            title=operation.title,
            description=operation.description or operation.title,
            input_schema=operation.input_schema,
            keywords=(key, self._integration.provider, self._integration.role),
            is_read_only=effect == "none",
            is_destructive=effect != "none",
            unavailable_reason=reason,
            unavailable_code=code,
            declared_as=key,
            action=operation.key,
            # Whoever runs the system may bill for it, and no document says so.
            cost=None,
        )

    def asks(self, arguments: JsonObject) -> PolicyAsk:
        """Acting in a connected system, at its own host, with the effect that the method has."""
        del arguments
        effect = _EFFECTS[self._operation.method]
        access: Access = "read" if effect == "none" else "execute"
        named = self._integration.host_capability
        return PolicyAsk(
            capability="lime.connectors",
            also_as=(named,) if named else (),
            method="invoke",
            access=access,
            side_effect=effect,
            targets=(
                Target("tool", self._integration.key),
                Target("domain", parse_host(self._base_url) or self._base_url),
                *self._shown.secrets.targets,
            ),
            operation=self._declared,
            bound_to=("api", self._base_url, self._operation.method, self._operation.path),
        )

    async def run(self, call: ToolCall, mailbox: AnswerMailbox) -> AsyncIterator[ToolOutcome]:
        """Send the request, and give what the system answered."""
        del mailbox
        request = build_request(self._base_url, self._operation, call.arguments)
        if (key := key_of(call)) is not None and "Idempotency-Key" not in request.headers:
            request = request.with_headers({**request.headers, "Idempotency-Key": key})
        shown = await self._shown.open()
        answer = await self._send(request, shown)
        # Who is not let in has done nothing: the same request may be sent once more, and only once.
        if answer.status == _NOT_LET_IN and (again := await self._shown.open_again(shown)):
            answer, shown = await self._send(request, again), again
        yield await asyncio.to_thread(_outcome, call.call_id, answer, shown)

    async def _send(self, request: HttpRequest, shown: OpenedValues) -> HttpAnswer:
        secret = {name.lower() for name in shown.headers}
        plain = {name: each for name, each in request.headers.items() if name.lower() not in secret}
        async with proxied_http(self._network, shown) as http:
            return await http.send(request.with_headers({**plain, **shown.plain_headers()}))

    def _unavailable(self) -> tuple[str | None, str]:
        access = self._integration.access
        is_change = _EFFECTS[self._operation.method] != "none"
        obstacle = (
            self._operation.problem
            or (NO_WAY_OUT if self._network is None else None)
            or (_READ_ONLY if is_change and access and access.write is False else None)
        )
        if obstacle is None and self._shown.is_anything and not may_carry_secrets(self._base_url):
            obstacle = _UNENCRYPTED
        return (obstacle, "tool_unavailable") if obstacle else self._shown.unavailable


def _declares(app: RegisteredApp, integration: Integration, operation: ApiOperation) -> bool:
    """Whether the manifest has an operation of this very name and system: then its demands alone are meant."""
    return any(
        each.key == operation.key and each.integration == integration.key
        for each in app.package.manifest.operations
    )


def _outcome(call_id: str, answer: HttpAnswer, shown: OpenedValues) -> ToolOutcome:
    text = shown.hide(answer.text())
    if answer.status >= 300:
        said = f"The system answered with status {answer.status}. {text[:_LONGEST_REFUSAL]}"
        return ToolOutcome(call_id, said.strip(), is_error=True, category="http_status")
    if answer.is_cut:
        return ToolOutcome(call_id, text, is_error=True, category="tool_output_too_large")
    if "json" not in answer.media_type:
        return ToolOutcome(call_id, text)
    try:
        return ToolOutcome(call_id, text, structured=msgspec.json.decode(text) if text else None)
    except msgspec.DecodeError:
        wrong = "The system said that it answers with JSON, and did not."
        return ToolOutcome(call_id, wrong, is_error=True, category="malformed_result")
