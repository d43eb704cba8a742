"""The views of a session as lines to read: title, detail, state. Pure over views and texts; knows no widget."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from lime_desktop.host.failure_words import failure_words
from lime_desktop.host.texts import Texts
from lime_desktop.runtime_views.views import (
    ActionView,
    ReferenceView,
    SessionViews,
    TimelineEntry,
    ToolCallView,
    ViewStatus,
)

_MOST = 500

_KIND_SIGNS = {
    "status": "activity",
    "reasoning": "sparkle",
    "tool": "tool",
    "action": "shield",
    "artifact": "document",
    "evidence": "evidence",
    "task": "workflow",
    "diagnostic": "warning",
    "message": "chat",
}
_GOES_ON = {"tool", "action", "task", "message", "reasoning"}
"""What begins and ends. The rest is there once it is told."""
_PHASES = {"submitted", "preparing", "completed", "failed", "canceled"}


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that happened or is there."""

    sign: str
    title: str
    detail: str = ""
    status: ViewStatus | None = None
    artifact_id: str | None = None
    """What can be opened to be read."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """One part of the drawer: `drawer.<key>` names it, `drawer.<key>.none` says why it is empty."""

    key: str
    lines: Callable[[SessionViews, Texts], Sequence[Line]] = field(repr=False)


def _timeline(views: SessionViews, texts: Texts) -> Sequence[Line]:
    return [_entry_line(each, views, texts) for each in views.timeline[-_MOST:]]


def _entry_line(entry: TimelineEntry, views: SessionViews, texts: Texts) -> Line:
    found = [each for each in views.diagnostics if each.source_event_id == entry.source_event_id]
    told = failure_words(found[0].category, entry.detail, texts) if found else entry.detail
    detail = " · ".join(part for part in (_time_of_day(entry.created_at), told) if part)
    status = entry.status if entry.kind in _GOES_ON else None
    return Line(_KIND_SIGNS[entry.kind], _title(entry, texts), detail, status)


def _time_of_day(at: str) -> str:
    """When it was by the clock on this person's wall."""
    return datetime.fromisoformat(at).astimezone().strftime("%H:%M:%S")


def _title(entry: TimelineEntry, texts: Texts) -> str:
    """The name an event gave. Where it gave none its type stands in, which is no word for a person."""
    is_type = "." in entry.title and " " not in entry.title
    if not is_type:
        return entry.title
    if entry.kind == "status" and entry.phase in _PHASES:
        return texts(f"drawer.phase.{entry.phase}")
    return texts(f"drawer.kind.{entry.kind}")


def _tools(views: SessionViews, _texts: Texts) -> Sequence[Line]:
    return [_tool_line(call) for call in list(views.tool_calls.values())[-_MOST:]]


def _tool_line(call: ToolCallView) -> Line:
    said = call.error_preview or call.output_preview or call.input_summary or ""
    return Line("tool", call.tool_name or call.tool_call_id, said, call.status)


def _approvals(views: SessionViews, texts: Texts) -> Sequence[Line]:
    settled = [
        _entry_line(each, views, texts)
        for each in views.timeline
        if each.kind == "action" and each.status != "waiting"
    ]
    return [*map(_action_line, views.actions), *settled[-_MOST:]]


def _action_line(action: ActionView) -> Line:
    detail = action.tool_name or action.prompt or ""
    return Line("shield", action.title, detail, "waiting")


def _artifacts(views: SessionViews, _texts: Texts) -> Sequence[Line]:
    return [
        replace(_reference_line(each, "document"), artifact_id=each.id)
        for each in views.artifacts[-_MOST:]
    ]


def _evidence(views: SessionViews, _texts: Texts) -> Sequence[Line]:
    return [_reference_line(each, "evidence") for each in views.evidence[-_MOST:]]


def _reference_line(each: ReferenceView, sign: str) -> Line:
    return Line(sign, each.title or each.id, each.path or each.status or "")


CHAPTERS: tuple[Chapter, ...] = (
    Chapter("timeline", _timeline),
    Chapter("tools", _tools),
    Chapter("approvals", _approvals),
    Chapter("artifacts", _artifacts),
    Chapter("evidence", _evidence),
)
