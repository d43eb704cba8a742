"""However events are delivered, the views are the same; what is missing is never made up."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lime_desktop.protocol.ids import AppId, EventId
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.runtime.sessions import RecoveryCursor
from lime_desktop.runtime_views.session import SessionProjection, project
from lime_desktop.runtime_views.stream import Delivery, UncorrelatedEvent, parse_delivery
from lime_desktop.runtime_views.task_stream import TaskStream, task_events
from lime_desktop.runtime_views.views import SessionViews
from tests.app_server.runtime_core.test_provider_fixtures import FIXTURES
from tests.runtime_views.conftest import Record

names = st.sampled_from(sorted(FIXTURES))


@given(data=st.data(), name=names)
def test_a_prefix_delivered_twice_is_a_prefix_delivered_once(
    record: Record, data: st.DataObject, name: str
) -> None:
    events, _ = record(name)
    end = data.draw(st.integers(0, len(events)))
    assert project([*events[:end], *events[:end]]) == project(events[:end])


@pytest.mark.requirement("RT-23")
@given(data=st.data(), name=names)
@pytest.mark.requirement("RT-23")
def test_duplicates_anywhere_change_nothing(record: Record, data: st.DataObject, name: str) -> None:
    events, _ = record(name)
    projection = SessionProjection()
    for index, event in enumerate(events):
        again = data.draw(st.lists(st.integers(0, index), max_size=2))
        projection.receive([event, *(events[i] for i in again)])
    assert projection.views() == project(events)


@given(data=st.data(), name=names)
def test_any_order_adds_up_to_the_same(record: Record, data: st.DataObject, name: str) -> None:
    """Apart from the remark that something was missing for a while."""
    events, _ = record(name)
    projection = SessionProjection()
    for event in data.draw(st.permutations(events)):
        projection.receive([event])
    gaps = {"sequence_gap"}
    views = projection.views()
    kept = tuple(d for d in views.diagnostics if d.code not in gaps)
    assert views.model_copy(update={"diagnostics": kept}) == project(events)


@pytest.mark.requirement("RT-12", "RT-21")
@given(data=st.data(), name=names)
@pytest.mark.requirement("RT-12")
def test_a_session_with_a_hole_is_never_completed(
    record: Record, data: st.DataObject, name: str
) -> None:
    events, _ = record(name)
    hole = data.draw(st.integers(0, len(events) - 2))
    views = project([*events[:hole], *events[hole + 1 :]])
    assert (views.runtime.status, views.hydration.status) == ("stale", "stale")


@given(data=st.data(), name=names)
def test_a_snapshot_makes_everything_before_it_old_news(
    record: Record, data: st.DataObject, name: str
) -> None:
    events, snapshot = record(name)
    again = data.draw(st.lists(st.sampled_from(events)))
    assert project(again, snapshot) == project((), snapshot)


@pytest.mark.requirement("RT-12", "RT-14")
@given(data=st.data(), name=names)
def test_a_snapshot_that_brings_no_news_changes_nothing(
    record: Record, data: st.DataObject, name: str
) -> None:
    events, snapshot = record(name)
    projection = SessionProjection()
    projection.receive(events)
    cursor = data.draw(st.integers(0, events[-1].sequence))
    older = RecoveryCursor(sequence=cursor)
    projection.repair(snapshot.model_copy(update={"recovery_cursor": older}))
    assert projection.views() == project(events)


@given(data=st.data(), name=names)
def test_a_repaired_view_keeps_what_was_seen_and_ends_where_the_session_did(
    record: Record, data: st.DataObject, name: str
) -> None:
    events, snapshot = record(name)
    seen = data.draw(st.integers(0, len(events)))
    projection = SessionProjection()
    projection.receive(events[:seen])
    projection.repair(snapshot)
    views, whole = projection.views(), project(events)
    assert (views.runtime, views.actions) == (whole.runtime, whole.actions)
    assert {p.part_id for p in project(events[:seen]).messages} <= {
        p.part_id for p in views.messages
    }
    assert "streaming" not in {part.state for part in views.messages}
    assert _lines(views) <= _lines(whole)
    assert _nodes(views) <= _nodes(whole)
    said = [(p.part_id, p.text) for p in whole.messages if p.type == "text"]
    assert [(p.part_id, p.text) for p in views.messages if p.type == "text"] == said


def _lines(views: SessionViews) -> set[tuple[str, str]]:
    """Lines with how they stand; what is said to be unknown claims nothing."""
    return {(line.entry_id, line.status) for line in views.timeline if line.status != "unknown"}


def _nodes(views: SessionViews) -> set[tuple[str, str]]:
    return {(node.node_id, node.status) for node in views.graph if node.status != "unknown"}


def test_a_snapshot_ends_a_degradation(record: Record) -> None:
    events, snapshot = record("text-basic")
    projection = SessionProjection()
    projection.receive(
        [*events[:-1], UncorrelatedEvent(EventId("e"), events[-1].sequence, "turn.odd")]
    )
    assert projection.views().hydration.status == "degraded"
    projection.repair(snapshot)
    assert projection.views().hydration.status == "live"


def test_an_event_that_cannot_be_joined_degrades_and_completes_nothing(record: Record) -> None:
    events, _ = record("text-basic")
    delivered: list[Delivery | None] = []
    for event in events:
        raw = event.to_wire()
        if event.type == "turn.completed":
            del raw["turnId"]
        delivered.append(parse_delivery(raw))
    views = project([delivery for delivery in delivered if delivery])
    assert views.hydration.status == "degraded"
    assert views.runtime.status == "running"
    assert [d.code for d in views.diagnostics] == ["missing_scope_id"]


@pytest.mark.parametrize("raw", [{}, {"eventId": "e"}, {"eventId": 1, "sequence": 2}])
def test_what_has_no_name_and_number_is_no_event(raw: dict[str, object]) -> None:
    assert parse_delivery(raw) is None  # pyright: ignore[reportArgumentType] - on purpose


def _assert_told_once(events: Sequence[RuntimeEvent], deliveries: Sequence[RuntimeEvent]) -> None:
    task_id = next(event.task_id for event in events if event.type == "turn.started")
    assert task_id is not None
    stream = TaskStream(AppId("app_1"), task_id)
    told = [told for event in deliveries for told in stream.tell(event)]
    assert tuple(told) == task_events(AppId("app_1"), task_id, events)


@given(data=st.data(), name=names)
def test_a_tasks_story_is_told_once(record: Record, data: st.DataObject, name: str) -> None:
    events, _ = record(name)
    deliveries: list[RuntimeEvent] = []
    for index, event in enumerate(events):
        again = data.draw(st.lists(st.integers(0, index), max_size=2))
        deliveries += [event, *(events[i] for i in again)]
    _assert_told_once(events, deliveries)
