"""Answers webhook/*: which of an app's integrations are heard and where. Off until a person switches one on.

A part of the app's data too: what waits goes with the app.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from http import HTTPStatus
from pathlib import Path

import msgspec
from pydantic import SecretStr

from lime_desktop.app_package.manifest.operations import Integration
from lime_desktop.app_package.manifest.resources import SecretUse
from lime_desktop.app_server.apps.data_holder import HeldAmount
from lime_desktop.app_server.apps.registered import RegisteredApp, RegisteredApps
from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.runtime_core.identities import moment
from lime_desktop.app_server.secrets.opened_values import OpenedValues
from lime_desktop.app_server.secrets.service import owner_of
from lime_desktop.app_server.secrets.store import SecretStore
from lime_desktop.app_server.tools.webhooks.incoming import Refused
from lime_desktop.app_server.tools.webhooks.queue import Form, QueueKey, Receiver, WebhookQueue
from lime_desktop.app_server.tools.webhooks.receiver import PATH, Terms, WebhookReceiver, hash_of
from lime_desktop.policy.call import PolicyCall, Target
from lime_desktop.policy.decide import decide
from lime_desktop.policy.decision import Denied
from lime_desktop.policy.facts import Readiness
from lime_desktop.protocol.calls.webhooks import (
    RECEIVER_SLOT,
    ListWebhooksParams,
    ListWebhooksResult,
    SwitchWebhookParams,
    SwitchWebhookResult,
    WebhookReceivedNotification,
    WebhookStatus,
)
from lime_desktop.protocol.errors import (
    AppError,
    AppNotInstalled,
    HostActionFailed,
    PolicyDenied,
    SecretRequired,
    ToolUnknown,
)
from lime_desktop.protocol.ids import AppId

_log = logging.getLogger(__name__)

RECEIVE = "receive"
"""What policy calls it: of `lime.connectors`, as everything with an outside system."""
_FORMS: dict[str | None, Form] = {None: "json", "json": "json", "binary": "binary"}
_SOON_S = 30
_QUEUE_FILE = "webhooks.json"


class Webhooks:
    """The receivers and queues of every app."""

    name = "webhooks"

    def __init__(
        self,
        apps: RegisteredApps,
        store: SecretStore,
        queue: WebhookQueue,
        announce: Callable[[WebhookReceivedNotification], None],
    ) -> None:
        self._apps = apps
        self._store = store
        self.queue = queue
        self._announce = announce
        self._receiver = WebhookReceiver(queue, self._terms, self._tell)

    async def open(self) -> None:
        """Hear again what was heard before this process ended. A machine that lets nobody listen still starts."""
        try:
            await self._hear()
        except (AppError, OSError) as error:
            _log.warning("webhooks are not heard: %s", error)

    async def close(self) -> None:
        """Hear nothing more, and close the queues."""
        await self._receiver.close()
        self.queue.close()

    async def list(self, params: ListWebhooksParams, context: CallContext) -> ListWebhooksResult:
        """How each of an app's receivers stands."""
        del context
        app = self._apps.get(params.app_id)
        found = [await self._status(app, each) for each in webhooks_of(app)]
        return ListWebhooksResult(webhooks=tuple(found))

    async def switch(
        self, params: SwitchWebhookParams, context: CallContext
    ) -> SwitchWebhookResult:
        """Turn one on, at an address that nobody knows yet, or off.

        Raises:
            ToolUnknown: the manifest names no such integration.
            PolicyDenied: a rule forbids it.
            SecretRequired: its messages are to be signed, and nobody entered the secret.
            HostActionFailed: nothing can be listened at here.
        """
        del context
        app = self._apps.get(params.app_id)
        integration = _named(app, params.connector_id)
        if params.is_on:
            await self._turn_on(app, integration)
        else:
            await self._turn_off(QueueKey(app.app_id, integration.key))
        return SwitchWebhookResult(webhook=await self._status(app, integration))

    async def off(self, app: RegisteredApp) -> frozenset[str]:
        """The integrations of an app that could receive and do not."""
        wanted = frozenset(each.key for each in webhooks_of(app))
        if not wanted:
            return wanted
        receivers = await self.queue.receivers()
        return wanted - {
            each.key.integration for each in receivers if each.key.app_id == app.app_id
        }

    async def _turn_on(self, app: RegisteredApp, integration: Integration) -> None:
        if (denied := _denial(app, integration)) is not None:
            raise PolicyDenied(
                f"Refused by policy: {denied.rule.text}", details={"rule": denied.rule.id}
            )
        if await self._lacks_secret(app, integration):
            use = _signing(app, integration)
            slot = use[0] if use else integration.key
            raise SecretRequired(f"The secret {slot} is not set. Enter it on the app's page.")
        key = QueueKey(app.app_id, integration.key)
        token = secrets.token_urlsafe(32)
        await self._store.put(owner_of(key.app_id), _slot(key), SecretStr(token))
        await self.queue.switch_on(key, hash_of(token))
        try:
            await self._hear()
        except OSError as error:
            await self._turn_off(key)
            raise HostActionFailed("This computer lets nobody listen for messages") from error

    async def _turn_off(self, key: QueueKey) -> None:
        await self.queue.switch_off(key)
        await self._hear()
        await self._store.remove(owner_of(key.app_id), _slot(key))

    async def _hear(self) -> None:
        receivers = await self.queue.receivers()
        await self._receiver.hear({each.token_sha256: each.key for each in receivers})

    async def _status(self, app: RegisteredApp, integration: Integration) -> WebhookStatus:
        key = QueueKey(app.app_id, integration.key)
        receiver = await self._receiver_of(key)
        last = receiver.last_received_at_ms if receiver else None
        waiting = await self.queue.amount(key)
        return WebhookStatus(
            connector_id=integration.key,
            provider=integration.provider,
            title=integration.role,
            is_on=receiver is not None,
            url=await self._url(key) if receiver else None,
            is_signed=_signing(app, integration) is not None,
            lacks_secret=await self._lacks_secret(app, integration),
            queued=waiting.entries,
            queued_bytes=waiting.size_bytes,
            refused=receiver.refused if receiver else 0,
            last_received_at=moment(last) if last else None,
        )

    async def _receiver_of(self, key: QueueKey) -> Receiver | None:
        return next((each for each in await self.queue.receivers() if each.key == key), None)

    async def _url(self, key: QueueKey) -> str | None:
        port = self._receiver.port
        record = await self._store.find(owner_of(key.app_id), _slot(key))
        if port is None or record is None:
            return None
        token = await self._store.open(record.ref, record.owner)
        return f"http://127.0.0.1:{port}{PATH}{token.get_secret_value()}"

    async def _lacks_secret(self, app: RegisteredApp, integration: Integration) -> bool:
        use = _signing(app, integration)
        return use is not None and await self._store.find(owner_of(app.app_id), use[0]) is None

    async def _terms(self, key: QueueKey) -> Terms:
        """On which terms a message is taken now: what a person, a policy or a new version changed counts at once."""
        try:
            app = self._apps.get(key.app_id)
        except AppNotInstalled:
            # Just started, or switched off for a while: the sender tries again.
            raise Refused(HTTPStatus.SERVICE_UNAVAILABLE, _SOON_S) from None
        integration = next((each for each in webhooks_of(app) if each.key == key.integration), None)
        if integration is None or integration.adapter is None or _denial(app, integration):
            raise Refused(HTTPStatus.NOT_FOUND)
        terms = Terms(
            form=_FORMS.get(integration.adapter.output_format, "text"),
            headers=integration.adapter.headers,
        )
        use = _signing(app, integration)
        return terms if use is None else await self._signed(terms, key, use)

    async def _signed(self, terms: Terms, key: QueueKey, use: tuple[str, SecretUse]) -> Terms:
        slot, how = use
        record = await self._store.find(owner_of(key.app_id), slot)
        if record is None:
            # Nobody could tell a forged message from a true one.
            raise Refused(HTTPStatus.UNAUTHORIZED)
        value = await self._store.open(record.ref, record.owner)
        return replace(
            terms,
            signature_header=how.header,
            signature_prefix=how.prefix or "",
            key=value.get_secret_value().encode(),
            shown=OpenedValues(variables={slot: value}),
        )

    def _tell(self, key: QueueKey, entry_id: str, received_at_ms: int) -> None:
        self._announce(
            WebhookReceivedNotification(
                app_id=AppId(key.app_id),
                connector_id=key.integration,
                entry_id=entry_id,
                received_at=moment(received_at_ms),
            )
        )

    # What waits is in an app's export, and no older copy of it comes back: it was read, or is here.

    async def amount(self, app_id: AppId) -> HeldAmount:
        """Count what waits."""
        held = [entry for _, entry in await self.queue.of_app(app_id)]
        return HeldAmount(len(held), sum(each.size_bytes for each in held))

    async def copy_to(self, app_id: AppId, folder: Path) -> None:
        """Write down what waits."""
        held = await self.queue.of_app(app_id)
        if held:
            rows = [{"integration": by, **msgspec.to_builtins(entry)} for by, entry in held]
            await asyncio.to_thread((folder / _QUEUE_FILE).write_bytes, msgspec.json.encode(rows))

    async def replace_from(self, app_id: AppId, folder: Path) -> None:
        """Nothing: see above."""

    async def remove(self, app_id: AppId) -> None:
        """Hear the app no more, and forget what waits."""
        await self.queue.remove(app_id)
        await self._hear()


def webhooks_of(app: RegisteredApp) -> Iterator[Integration]:
    """The integrations that receive messages."""
    for each in app.package.manifest.integrations:
        if each.adapter is not None and each.adapter.kind == "webhook":
            yield each


def _named(app: RegisteredApp, key: str) -> Integration:
    for each in webhooks_of(app):
        if each.key == key:
            return each
    raise ToolUnknown("The manifest names no webhook of that id")


def _signing(app: RegisteredApp, integration: Integration) -> tuple[str, SecretUse] | None:
    """The slot whose secret its messages are signed with, and how."""
    for slot in app.package.manifest.secrets:
        for use in slot.use:
            if use.integration == integration.key and use.header is not None:
                return slot.key, use
    return None


def _denial(app: RegisteredApp, integration: Integration) -> Denied | None:
    """The rule by which it takes nothing. The person who switched it on has answered what would be asked."""
    facts = app.policy_facts(time.time_ns() // 1_000_000)
    if facts.readiness.state != "disabled":
        # What an app still needs before it can run is no reason to lose what is sent to it.
        facts = replace(facts, readiness=Readiness(state="ready"))
    call = PolicyCall(
        app_id=app.app_id,
        capability="lime.connectors",
        method=RECEIVE,
        also_as=(integration.host_capability,) if integration.host_capability else (),
        access="read",
        targets=(Target("tool", integration.key),),
    )
    decision = decide(call, facts)
    return decision if isinstance(decision, Denied) else None


def _slot(key: QueueKey) -> str:
    return RECEIVER_SLOT + key.integration
