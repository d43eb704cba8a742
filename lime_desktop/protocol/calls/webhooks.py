"""webhook/*: which outside systems may send an app messages, and where; switched on and off by a person."""

from lime_desktop.protocol.ids import AppId, NonEmpty, Timestamp
from lime_desktop.protocol.wire import HostOnlyParams, Maybe, Method, Notification, WireModel

RECEIVER_SLOT = "webhook/"
"""Begins the name of the slot that holds the words of a receiver's address: no key of a manifest has a stroke in it."""


class ListWebhooksParams(HostOnlyParams):
    """The integrations of an app that receive messages."""

    app_id: NonEmpty[AppId]


class WebhookStatus(WireModel):
    """How one of them stands."""

    connector_id: str
    provider: str
    title: str
    is_on: bool
    url: Maybe[str] = None
    """Where it is heard: on this machine, and only while it listens. Whoever knows it can send."""
    is_signed: bool = False
    """Whether each message must carry a signature made with a secret of the app."""
    lacks_secret: bool = False
    """Whether that secret is still to be entered: until then nothing is taken."""
    queued: int = 0
    queued_bytes: int = 0
    refused: int = 0
    """Messages turned away since it was switched on: no room, too many, unsigned, or not what they said they were."""
    last_received_at: Maybe[Timestamp] = None


class ListWebhooksResult(WireModel):
    """All of them, in the manifest's order."""

    webhooks: tuple[WebhookStatus, ...]


class SwitchWebhookParams(HostOnlyParams):
    """A person turned one on or off. Turned on anew, it has another address."""

    app_id: NonEmpty[AppId]
    connector_id: NonEmpty[str]
    is_on: bool


class SwitchWebhookResult(WireModel):
    """As it stands now."""

    webhook: WebhookStatus


class WebhookReceivedNotification(WireModel):
    """A message came; what it says is read from the queue."""

    app_id: AppId
    connector_id: str
    entry_id: str
    received_at: Timestamp


LIST_WEBHOOKS = Method("webhook/list", ListWebhooksParams, ListWebhooksResult)
SWITCH_WEBHOOK = Method("webhook/switch", SwitchWebhookParams, SwitchWebhookResult)

WEBHOOK_RECEIVED = Notification("webhook/received", WebhookReceivedNotification)
