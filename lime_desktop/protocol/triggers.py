"""workflowTrigger/*: what installed apps want started when something happens, and what a person decided about it.

An app has no part in it: it declares a trigger in its package, and a person allows it or stops it. Topics are told by the
host, which carries them between windows.
"""

from typing import Literal, TypeAlias

from pydantic import Field, JsonValue

from lime_desktop.protocol.ids import AppId, NonEmpty, Timestamp
from lime_desktop.protocol.schedules import ScheduledStart, ScheduleState
from lime_desktop.protocol.wire import HostOnlyParams, Maybe, Method, WireModel

TriggerOn: TypeAlias = Literal["storage", "topic", "artifact", "webhook", "folder"]
TriggerNeed: TypeAlias = Literal["folder", "webhook"]


class EventTrigger(WireModel):
    """A trigger of an app, and how it stands."""

    app_id: AppId
    key: str
    """The workflow's key and its own: `book/new-invoice`."""
    title: str
    workflow_key: str
    """What it starts."""
    workflow_title: str
    on: TriggerOn
    """What has to happen."""
    names: str
    """The table, the beginning of a key, the topic, the kind of artifact, the integration, or the pattern of files."""
    is_table: bool = False
    changes: tuple[str, ...] = ()
    """Of a table or of keys: which changes are meant."""
    folders: tuple[str, ...] = ()
    """Of files: the folders that a person opened to the app for good, which are looked at."""
    needs: Maybe[TriggerNeed] = None
    """What is to be settled before anything can happen: no folder is open to the app, or nobody switched its webhook on."""
    state: ScheduleState
    terms: str
    """A name for what a person would allow: another one once that changes."""
    allowed_at: Maybe[Timestamp] = None
    last: Maybe[ScheduledStart] = None


class ListTriggersParams(HostOnlyParams):
    """The triggers of an app that the host has told of."""

    app_id: NonEmpty[AppId]


class ListTriggersResult(WireModel):
    """All that can be heeded, in the manifest's order."""

    triggers: tuple[EventTrigger, ...]


class TriggerParams(HostOnlyParams):
    """The trigger meant."""

    app_id: NonEmpty[AppId]
    key: NonEmpty[str]


class AllowTriggerParams(TriggerParams):
    """A person allowed the trigger, as it was shown to them."""

    terms: NonEmpty[str]
    locale: Maybe[NonEmpty[str]] = None
    """Their language: texts of its runs are wanted in it."""


class TriggerResult(WireModel):
    """As it stands now."""

    trigger: EventTrigger


class ReadTriggerParams(TriggerParams):
    """A trigger with what became of its newest events."""

    limit: int = Field(default=50, ge=1, le=1_000)


class ReadTriggerResult(WireModel):
    """The newest first."""

    trigger: EventTrigger
    starts: tuple[ScheduledStart, ...]


class TopicToldParams(HostOnlyParams):
    """An app has told something on a topic: it waits on disk before the app hears a yes, if a trigger of its means it."""

    app_id: NonEmpty[AppId]
    event_id: NonEmpty[str]
    topic: NonEmpty[str]
    payload: JsonValue = None


class TopicToldResult(WireModel):
    """Whether a trigger means it."""

    is_meant: bool


LIST_TRIGGERS = Method("workflowTrigger/list", ListTriggersParams, ListTriggersResult)
READ_TRIGGER = Method("workflowTrigger/read", ReadTriggerParams, ReadTriggerResult)
ALLOW_TRIGGER = Method("workflowTrigger/allow", AllowTriggerParams, TriggerResult)
FORBID_TRIGGER = Method(
    "workflowTrigger/forbid",
    TriggerParams,
    TriggerResult,
    "Start nothing by this trigger any more; what runs, runs on.",
)
PAUSE_TRIGGER = Method(
    "workflowTrigger/pause",
    TriggerParams,
    TriggerResult,
    "Start nothing by this trigger until it is resumed.",
)
RESUME_TRIGGER = Method(
    "workflowTrigger/resume",
    TriggerParams,
    TriggerResult,
    "Go on with a paused trigger from now: what happened meanwhile starts nothing.",
)
TOPIC_TOLD = Method("workflowTrigger/topicTold", TopicToldParams, TopicToldResult)

TRIGGER_METHODS = (
    LIST_TRIGGERS,
    READ_TRIGGER,
    ALLOW_TRIGGER,
    FORBID_TRIGGER,
    PAUSE_TRIGGER,
    RESUME_TRIGGER,
)
