"""Which app is signed in where: begun by the host, finished by the person's browser, kept with the secrets, renewed, given back.

A token is opened for a request and is nowhere else.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field

from pydantic import SecretStr

from lime_desktop.app_package.manifest.operations import OAuthClient
from lime_desktop.app_server.apps.registered import RegisteredApp, RegisteredApps
from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.secrets.opened_values import NOTHING_HIDDEN, OpenedValues
from lime_desktop.app_server.secrets.service import owner_of
from lime_desktop.app_server.secrets.store import SecretStore
from lime_desktop.app_server.tools.sign_in.redirect import BrowserAnswer, listen_for_redirect
from lime_desktop.app_server.tools.sign_in.tokens import (
    SIGN_IN_REFUSED,
    Proof,
    TokenAddress,
    Tokens,
    read_tokens,
)
from lime_desktop.background.tasks import BackgroundTasks
from lime_desktop.protocol.calls.secrets import (
    SIGN_IN_SLOT,
    BeginSignInResult,
    FinishSignInResult,
    SignInParams,
    SignOutResult,
)
from lime_desktop.protocol.errors import AppError, SecretRequired, ToolCallFailed, ToolUnknown

_log = logging.getLogger(__name__)

BROWSER_S = 300.0
"""How long a person may take in the browser."""
_Key = tuple[str, str]


@dataclass(slots=True)
class _Pending:
    address: "asyncio.Future[str]"
    work: "asyncio.Task[object]"
    outcome: "asyncio.Future[bool]" = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )


class SignIns:
    """The sign-ins of every app."""

    def __init__(
        self, apps: RegisteredApps, store: SecretStore, browser_s: float = BROWSER_S
    ) -> None:
        self._apps = apps
        self._store = store
        self._browser_s = browser_s
        self._pending: dict[_Key, _Pending] = {}
        self._renewing: defaultdict[_Key, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._tasks = BackgroundTasks(_log, AppError)

    async def close(self) -> None:
        """Hear no browser any more."""
        await self._tasks.cancel()

    async def begin(self, params: SignInParams, context: CallContext) -> BeginSignInResult:
        """Open a way back for the browser, and give the address to show it. One that is under way is the same.

        Raises:
            ToolUnknown: the manifest names no sign-in of this integration.
        """
        del context
        app = self._apps.get(params.app_id)
        client = _client_of(app, params.connector_id)
        if client is None:
            raise ToolUnknown("The manifest names no sign-in for this integration")
        key = (params.app_id, params.connector_id)
        pending = self._pending.get(key)
        if pending is None:
            address: asyncio.Future[str] = asyncio.get_running_loop().create_future()
            work = self._tasks.spawn(self._sign_in(key, client, address))
            pending = self._pending[key] = _Pending(address, work)
            work.add_done_callback(lambda done: self._ended(key, done))
        return BeginSignInResult(authorization_url=await asyncio.shield(pending.address))

    async def finish(self, params: SignInParams, context: CallContext) -> FinishSignInResult:
        """Wait until the person has come back from the browser, or the time is over."""
        del context
        key = (params.app_id, params.connector_id)
        if (pending := self._pending.get(key)) is not None:
            is_signed_in = await asyncio.shield(pending.outcome)
        else:
            is_signed_in = await self._tokens(key) is not None
        return FinishSignInResult(status="connected" if is_signed_in else "denied")

    async def sign_out(self, params: SignInParams, context: CallContext) -> SignOutResult:
        """Give the tokens back to the system, and forget them in any case."""
        del context
        was_there = await self.forget(params.app_id, params.connector_id)
        return SignOutResult(was_signed_in=was_there)

    async def forget(self, app_id: str, connector_id: str) -> bool:
        """The same, and whether there were any. A system that cannot be reached keeps nobody signed in here."""
        key = (app_id, connector_id)
        tokens = await self._tokens(key)
        if tokens is not None:
            with suppress(AppError):
                app = self._apps.get(app_id)
                if (client := _client_of(app, connector_id)) is not None:
                    await TokenAddress(client, app.registration.network).revoke(tokens)
        return await self._store.remove(owner_of(app_id), SIGN_IN_SLOT + connector_id)

    async def missing(self, app: RegisteredApp) -> frozenset[str]:
        """The integrations that want a sign-in and have none."""
        return frozenset([key async for key in self._missing(app)])

    async def _missing(self, app: RegisteredApp) -> AsyncIterator[str]:
        for each in app.package.manifest.integrations:
            if _client_of(app, each.key) is not None:
                slot = SIGN_IN_SLOT + each.key
                if await self._store.find(owner_of(app.app_id), slot) is None:
                    yield each.key

    async def open(self, app: RegisteredApp, connector_id: str) -> OpenedValues:
        """What a request to an integration carries; a token that ended is renewed first, by one caller for all.

        Raises:
            SecretRequired: nobody is signed in, or no longer.
        """
        client = _client_of(app, connector_id)
        if client is None:
            return NOTHING_HIDDEN
        key = (app.app_id, connector_id)
        async with self._renewing[key]:
            tokens = await self._tokens(key)
            if tokens is None:
                raise SecretRequired(NOT_SIGNED_IN)
            if tokens.is_over:
                tokens = await self._renew(key, TokenAddress(client, app.registration.network))
            return tokens.shown()

    async def open_after_refusal(
        self, app: RegisteredApp, connector_id: str, refused: OpenedValues
    ) -> OpenedValues | None:
        """What a request carries that was refused with its token, before that was to end; None where there is no other.

        Raises:
            SecretRequired: the system renews it no more.
        """
        client = _client_of(app, connector_id)
        if client is None:
            return None
        key = (app.app_id, connector_id)
        async with self._renewing[key]:
            tokens = await self._tokens(key)
            if tokens is not None and tokens.is_in(refused):
                if tokens.refresh is None:
                    return None
                tokens = await self._renew(key, TokenAddress(client, app.registration.network))
            # Else another call was refused as well, and has renewed it by now.
            return None if tokens is None else tokens.shown(refused)

    async def _renew(self, key: _Key, address: TokenAddress) -> Tokens:
        tokens = await self._tokens(key)
        if tokens is None or tokens.refresh is None:
            raise SecretRequired(NO_LONGER)
        try:
            fresh = await address.renew(tokens)
        except ToolCallFailed as failed:
            if failed.details.get("reasonCode") != SIGN_IN_REFUSED:
                raise
            # It was taken back at the system itself: here nobody is signed in either.
            await self._store.remove(owner_of(key[0]), SIGN_IN_SLOT + key[1])
            raise SecretRequired(NO_LONGER) from None
        await self._keep(key, fresh)
        return fresh

    async def _sign_in(
        self, key: _Key, client: OAuthClient, address: "asyncio.Future[str]"
    ) -> object:
        proof = Proof.new()
        async with listen_for_redirect(proof.state) as listener:
            address.set_result(proof.address(client, listener.url))
            answer = BrowserAnswer(None, "timeout")
            with suppress(TimeoutError):
                async with asyncio.timeout(self._browser_s):
                    answer = await listener.answer
            if answer.code is None:
                return False
            network = self._apps.get(key[0]).registration.network
            tokens = await TokenAddress(client, network).exchange(answer.code, proof, listener.url)
        await self._keep(key, tokens)
        return True

    def _ended(self, key: _Key, done: "asyncio.Task[object]") -> None:
        pending = self._pending.pop(key)
        worked = not done.cancelled() and done.exception() is None and done.result() is True
        pending.outcome.set_result(worked)
        if not pending.address.done():
            pending.address.cancel()

    async def _tokens(self, key: _Key) -> Tokens | None:
        record = await self._store.find(owner_of(key[0]), SIGN_IN_SLOT + key[1])
        if record is None:
            return None
        kept = await self._store.open(record.ref, record.owner)
        return read_tokens(kept.get_secret_value())

    async def _keep(self, key: _Key, tokens: Tokens) -> None:
        await self._store.put(owner_of(key[0]), SIGN_IN_SLOT + key[1], SecretStr(tokens.to_json()))


NOT_SIGNED_IN = "Nobody is signed in to this system. Connect it on the app's page."
NO_LONGER = "The sign-in to this system has ended. Connect it again on the app's page."


def _client_of(app: RegisteredApp, connector_id: str) -> OAuthClient | None:
    for each in app.package.manifest.integrations:
        if each.key == connector_id and each.adapter is not None:
            return each.adapter.oauth if each.adapter.kind == "api" else None
    return None
