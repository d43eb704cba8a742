"""Answers workflowTrigger/*: a person allows a trigger, stops it for a time or for good, and sees what it did."""

from dataclasses import dataclass

from lime_desktop.app_server.apps.registered import RegisteredApps
from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.files.arrivals import FolderArrivals
from lime_desktop.app_server.routes import Routes
from lime_desktop.app_server.runtime_core.facts import CoreFact
from lime_desktop.app_server.storage.happenings import Happenings
from lime_desktop.app_server.tools.webhooks.queue import QueueKey, WebhookQueue
from lime_desktop.app_server.workflows.clock import Clock
from lime_desktop.app_server.workflows.schedules.standing import told_start
from lime_desktop.app_server.workflows.store import RunStore
from lime_desktop.app_server.workflows.told import with_its_run
from lime_desktop.app_server.workflows.triggers.keeper import TriggerKeeper
from lime_desktop.app_server.workflows.triggers.ledger import (
    KeptTrigger,
    TriggerLedger,
    facts_of_trigger,
)
from lime_desktop.app_server.workflows.triggers.standing import (
    AppTrigger,
    trigger_in,
    triggers_in,
)
from lime_desktop.protocol.errors import Conflict, PermissionDenied, WorkflowInvalidState
from lime_desktop.protocol.ids import AppId
from lime_desktop.protocol.triggers import (
    ALLOW_TRIGGER,
    FORBID_TRIGGER,
    LIST_TRIGGERS,
    PAUSE_TRIGGER,
    READ_TRIGGER,
    RESUME_TRIGGER,
    TOPIC_TOLD,
    AllowTriggerParams,
    EventTrigger,
    ListTriggersParams,
    ListTriggersResult,
    ReadTriggerParams,
    ReadTriggerResult,
    TopicToldParams,
    TopicToldResult,
    TriggerNeed,
    TriggerParams,
    TriggerResult,
)

_TAKEN_BACK = "It was not allowed any more."


@dataclass(frozen=True, slots=True)
class TriggerParts:
    """What triggers are kept by."""

    ledger: TriggerLedger
    keeper: TriggerKeeper
    happenings: Happenings
    arrivals: FolderArrivals
    webhooks: WebhookQueue
    clock: Clock
    store: RunStore


class AppTriggers:
    """The triggers of every app that the host told of."""

    def __init__(self, apps: RegisteredApps, parts: TriggerParts) -> None:
        self._apps = apps
        self._ledger = parts.ledger
        self._keeper = parts.keeper
        self._happenings = parts.happenings
        self._arrivals = parts.arrivals
        self._webhooks = parts.webhooks
        self._clock = parts.clock
        self._store = parts.store

    def serve(self, routes: Routes) -> None:
        """Answer the host."""
        routes.add(LIST_TRIGGERS, self.list)
        routes.add(READ_TRIGGER, self.read)
        routes.add(ALLOW_TRIGGER, self.allow)
        routes.add(FORBID_TRIGGER, self.forbid)
        routes.add(PAUSE_TRIGGER, self.pause)
        routes.add(RESUME_TRIGGER, self.resume)
        routes.add(TOPIC_TOLD, self.topic_told)

    async def list(self, params: ListTriggersParams, context: CallContext) -> ListTriggersResult:
        """An app's triggers."""
        del context
        found = triggers_in(self._apps.get(params.app_id))
        return ListTriggersResult(triggers=tuple([await self._told(each) for each in found]))

    async def read(self, params: ReadTriggerParams, context: CallContext) -> ReadTriggerResult:
        """A trigger, and what became of its newest events."""
        del context
        trigger = self._find(params)
        starts = await self._ledger.starts(params.app_id, params.key, params.limit)
        told = await self._told(trigger)
        return ReadTriggerResult(trigger=told, starts=tuple(map(told_start, starts)))

    async def allow(self, params: AllowTriggerParams, context: CallContext) -> TriggerResult:
        """A person agreed to what they were shown: what happens from now on starts it."""
        del context
        trigger = self._find(params)
        if params.terms != trigger.terms.name:
            raise Conflict("The trigger is another one than the one that was shown")
        if trigger.trigger.kind == "folder" and not await self._is_watched(params.app_id):
            await self._arrivals.begin(params.app_id)
        now_ms = self._clock.now_ms()
        async with self._ledger.changing(params.app_id, params.key):
            await self._ledger.begin(params.app_id, params.key, trigger.declared.title)
            kept = await self._ledger.read(params.app_id, params.key)
            if trigger.state(kept) == "off":
                # What waited for an earlier installation was not agreed to with this one.
                taken_back = _taken_back(params.app_id, params.key, kept)
                await self._ledger.append(params.app_id, params.key, *taken_back)
            await self._stand(
                params,
                agreed=trigger.terms,
                agreed_at_ms=now_ms,
                installed_at_ms=trigger.app.registration.installed_at_ms,
                locale=params.locale,
                is_paused=False,
                reached_ms=now_ms,
                seen_ms=now_ms,
            )
        return await self._looked(trigger)

    async def forbid(self, params: TriggerParams, context: CallContext) -> TriggerResult:
        """It starts nothing any more; what runs, runs on."""
        del context
        trigger = self._find(params)
        await self._take_back(params.app_id, params.key)
        return TriggerResult(trigger=await self._told(trigger))

    async def forbid_all(self, app_id: AppId) -> None:
        """The app's data go: nothing of it was ever allowed."""
        for kept in await self._ledger.of_app(app_id):
            if kept.is_agreed:
                await self._take_back(app_id, kept.key)

    async def allowed_apps(self) -> tuple[AppId, ...]:
        """The apps of which a person allowed one."""
        return await self._ledger.allowed_apps()

    async def pause(self, params: TriggerParams, context: CallContext) -> TriggerResult:
        """It starts nothing until it is resumed."""
        del context
        trigger = await self._allowed(params)
        async with self._ledger.changing(params.app_id, params.key):
            await self._stand(params, is_paused=True)
        return TriggerResult(trigger=await self._told(trigger))

    async def resume(self, params: TriggerParams, context: CallContext) -> TriggerResult:
        """It goes on from now: what happened meanwhile starts nothing."""
        del context
        trigger = await self._allowed(params)
        async with self._ledger.changing(params.app_id, params.key):
            if (await self._ledger.read(params.app_id, params.key)).is_paused:
                now_ms = self._clock.now_ms()
                await self._stand(params, is_paused=False, reached_ms=now_ms)
        return await self._looked(trigger)

    async def topic_told(self, params: TopicToldParams, context: CallContext) -> TopicToldResult:
        """An app has told something on a topic of its own."""
        del context
        fields = {"topic": params.topic, "payload": params.payload}
        is_meant = await self._happenings.tell_topic(params.app_id, params.event_id, fields)
        return TopicToldResult(is_meant=is_meant)

    def _find(self, params: TriggerParams) -> AppTrigger:
        return trigger_in(self._apps.get(params.app_id), params.key)

    async def _is_watched(self, app_id: AppId) -> bool:
        """Whether another trigger has the app's folders looked at: then what is there is known."""
        others = [
            each for each in triggers_in(self._apps.get(app_id)) if each.trigger.kind == "folder"
        ]
        states = [each.state(await self._ledger.read(app_id, each.key)) for each in others]
        return "on" in states

    async def _allowed(self, params: TriggerParams) -> AppTrigger:
        trigger = self._find(params)
        kept = await self._ledger.read(params.app_id, params.key)
        if trigger.state(kept) not in {"on", "paused"}:
            raise WorkflowInvalidState("Nobody has allowed this trigger as it is now")
        return trigger

    async def _take_back(self, app_id: AppId, key: str) -> None:
        async with self._ledger.changing(app_id, key):
            kept = await self._ledger.read(app_id, key)
            if kept.is_agreed:
                await self._ledger.append(app_id, key, *_taken_back(app_id, key, kept))

    async def _stand(self, params: TriggerParams, **fields: object) -> None:
        facts = facts_of_trigger(params.app_id, params.key)
        await self._ledger.append(params.app_id, params.key, facts.stands(**fields))

    async def _looked(self, trigger: AppTrigger) -> TriggerResult:
        await self._keeper.look(trigger.app.app_id)
        return TriggerResult(trigger=await self._told(trigger))

    async def _told(self, trigger: AppTrigger) -> EventTrigger:
        kept = await self._ledger.read(trigger.app.app_id, trigger.key)
        folders = await self._folders(trigger)
        told = trigger.told(kept, folders, await self._needs(trigger, folders))
        return told.model_copy(update={"last": await with_its_run(self._store, told.last)})

    async def _folders(self, trigger: AppTrigger) -> tuple[str, ...]:
        if trigger.trigger.kind != "folder":
            return ()
        opened = await self._arrivals.folders(trigger.app.app_id)
        return tuple(dict.fromkeys(str(each.path) for each in opened))

    async def _needs(self, trigger: AppTrigger, folders: tuple[str, ...]) -> TriggerNeed | None:
        kind = trigger.trigger.kind
        if kind == "folder" and not folders:
            return "folder"
        if kind == "webhook":
            key = QueueKey(trigger.app.app_id, trigger.trigger.names)
            heard = {each.key for each in await self._webhooks.receivers()}
            return None if key in heard else "webhook"
        return None


def _taken_back(app_id: str, key: str, kept: KeptTrigger) -> list[CoreFact]:
    facts = facts_of_trigger(app_id, key)
    refused = PermissionDenied(_TAKEN_BACK)
    why = {"code": refused.code, "message": refused.message}
    left = [facts.left(name, outcome="refused", **why) for name in kept.open]
    return [*left, facts.stands(agreed=None, is_paused=False, open=[])]
