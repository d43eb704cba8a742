"""Where events wait until they are dealt with: each is on disk with what made it, and is taken away after its run was begun."""

import base64
from collections.abc import Container, Iterable, Sequence
from typing import Protocol

import msgspec
from pydantic import JsonValue

from lime_desktop.app_server.artifacts.rows import list_since
from lime_desktop.app_server.artifacts.service import AppArtifacts
from lime_desktop.app_server.runtime_core.identities import at_ms, moment
from lime_desktop.app_server.storage.happenings import Happenings, cause_in
from lime_desktop.app_server.tools.webhooks.queue import Entry, QueueKey, WebhookQueue
from lime_desktop.app_server.workflows.triggers.events import AppEvent
from lime_desktop.app_server.workflows.triggers.standing import LiveTrigger
from lime_desktop.protocol.calls.artifacts import StoredArtifact
from lime_desktop.protocol.ids import AppId
from lime_desktop.workflow_model.triggers.trigger import TriggerKind

_AT_ONCE = 50
_OVERLAP_MS = 600_000
"""Deliverables are looked for from before the newest that was dealt with: a clock may have been set back a little."""


class EventSource(Protocol):
    """Events of some kinds."""

    kinds: frozenset[TriggerKind]

    async def waiting(self, app_id: AppId, live: Sequence[LiveTrigger]) -> Sequence[AppEvent]:
        """The oldest that wait and that nobody has dealt with; live are the triggers of these kinds, if any."""
        ...

    async def dealt(self, app_id: AppId, event: AppEvent, *, is_begun: bool) -> None:
        """It need not be told again; whether a run was begun by it."""
        ...


class HappeningSource:
    """Changes of data, and topics."""

    kinds = frozenset[TriggerKind]({"storage", "topic"})

    def __init__(self, happenings: Happenings) -> None:
        self._happenings = happenings

    async def waiting(self, app_id: AppId, live: Sequence[LiveTrigger]) -> Sequence[AppEvent]:
        """What was noted. Nobody allowed it: then it is no event, and is forgotten here."""
        if app_id not in self._happenings.wanted:
            return ()
        found = await self._happenings.waiting(app_id, _AT_ONCE)
        kinds = {each.kind for each in live}
        return [
            AppEvent(
                id=each.id,
                kind=_kind_of(each.kind, kinds),
                at_ms=each.at_ms,
                fields=each.fields,
                cause=each.cause,
                lost=each.lost,
            )
            for each in found
        ]

    async def dealt(self, app_id: AppId, event: AppEvent, *, is_begun: bool) -> None:
        """It is gone."""
        del is_begun
        await self._happenings.forget(app_id, event.id)


class ArtifactSource:
    """New deliverables, and new versions of them."""

    kinds = frozenset[TriggerKind]({"artifact"})

    def __init__(self, artifacts: AppArtifacts) -> None:
        self._artifacts = artifacts
        self._dealt: dict[str, set[str]] = {}

    async def waiting(self, app_id: AppId, live: Sequence[LiveTrigger]) -> Sequence[AppEvent]:
        """Those that were kept since the newest that was dealt with."""
        if not live:
            return ()
        since_ms = min(max(each.kept.reached_ms, each.kept.seen_ms - _OVERLAP_MS) for each in live)
        dealt = self._dealt.get(app_id, set())
        # As many as were dealt with may come again, before the first that was not.
        limit = len(dealt) + _AT_ONCE
        found = await self._artifacts.database.read(
            lambda connection: list_since(connection, app_id, moment(since_ms), limit)
        )
        events = (_made(each) for each in found)
        return [each for each in events if each.id not in dealt]

    async def dealt(self, app_id: AppId, event: AppEvent, *, is_begun: bool) -> None:
        """It is not looked at again in this process; the next one finds what became of it in the ledger."""
        del is_begun
        self._dealt.setdefault(app_id, set()).add(event.id)


class WebhookSource:
    """Messages of integrations. One that a run was begun by is taken from the queue; else it stays for the app to read."""

    kinds = frozenset[TriggerKind]({"webhook"})

    def __init__(self, queue: WebhookQueue) -> None:
        self._queue = queue
        self._left: set[str] = set()

    async def waiting(self, app_id: AppId, live: Sequence[LiveTrigger]) -> Sequence[AppEvent]:
        """The oldest of each integration that a trigger means."""
        found: list[AppEvent] = []
        for integration in dict.fromkeys(each.trigger.names for each in live):
            entries = await self._queue.list(QueueKey(app_id, integration), 1_000)
            found += [_sent(integration, each) for each in self._new(entries)][:_AT_ONCE]
        return found

    async def dealt(self, app_id: AppId, event: AppEvent, *, is_begun: bool) -> None:
        """Acknowledge it, or leave it alone."""
        if is_begun:
            integration = str(event.fields["integration"])
            await self._queue.acknowledge(QueueKey(app_id, integration), (event.id,))
        else:
            self._left.add(event.id)

    def _new(self, entries: Iterable[Entry]) -> Iterable[Entry]:
        return (each for each in entries if each.id not in self._left)


def _kind_of(kind: str, live: Container[str]) -> TriggerKind:
    if kind == "topic":
        return "topic"
    # What was lost is told by a trigger that is there to tell it.
    return "topic" if kind != "storage" and "storage" not in live else "storage"


def _made(artifact: StoredArtifact) -> AppEvent:
    return AppEvent(
        id=f"{artifact.artifact_id}:{artifact.version}",
        kind="artifact",
        at_ms=at_ms(artifact.created_at),
        fields={
            "artifactId": artifact.artifact_id,
            "kind": artifact.kind,
            "title": artifact.title,
            "version": artifact.version,
        },
        cause=cause_in(artifact.provenance),
    )


def _sent(integration: str, entry: Entry) -> AppEvent:
    return AppEvent(
        id=entry.id,
        kind="webhook",
        at_ms=entry.received_at_ms,
        fields={
            "integration": integration,
            "entryId": entry.id,
            "form": entry.form,
            "headers": dict(entry.headers),
            "body": _body(entry),
        },
    )


def _body(entry: Entry) -> JsonValue:
    match entry.form:
        case "json":
            return msgspec.json.decode(entry.body)
        case "text":
            return entry.body.decode(errors="replace")
        case "binary":
            return base64.b64encode(entry.body).decode("ascii")
