"""Runtime events hold what the published Lime profile demands, and a little more."""

from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from pydantic import ValidationError

from lime_desktop.protocol.runtime.event_meanings import EVENT_MEANINGS
from lime_desktop.protocol.runtime.event_types import (
    EXTENSION_EVENT_TYPES,
    PROFILE_EVENT_TYPES,
    REQUIRED_FIELDS,
    EventType,
    ProfileEventType,
    is_extension,
)
from lime_desktop.protocol.runtime.events import RuntimeEvent
from tests.protocol.published_schemas import lime_profile, read_json

OBJECT_FIELDS = {"benchmark", "comparison", "refs"}
STAMPS = {
    "schemaVersion": "lime-profile-0.4.0",
    "runtimeId": "runtime_1",
    "sessionId": "session_1",
    "eventId": "event_1",
    "timestamp": "2026-05-11T10:00:00.123Z",
    "sequence": 1,
}
EVENT_FIXTURES = (
    "submit-turn-event",
    "tool-approval-action-required-event",
    "task-retry-attempt-failed-event",
    "routing-single-candidate-event",
    "evidence-export-event",
)


def minimal_event(event_type: EventType) -> dict[str, Any]:
    scope: dict[str, Any] = {
        field: {} if field in OBJECT_FIELDS else f"{field}_1"
        for field in REQUIRED_FIELDS[event_type]
    }
    return {**STAMPS, "type": event_type, "payload": {}, **scope}


@pytest.mark.requirement("RT-01", "RT-09", "RT-13")
def test_the_profile_types_are_exactly_the_published_ones(upstream_data: Path) -> None:
    """The standard: the enumeration of 120 names is closed."""
    schemas = upstream_data / "agentruntime" / "schemas"
    published = read_json(schemas / "agentruntime-lime-profile-event.schema.json")
    names = published["allOf"][1]["properties"]["type"]["enum"]
    assert len(names) == 120
    assert set(PROFILE_EVENT_TYPES) == set(names)


def test_every_type_says_what_it_means() -> None:
    """Ours: the reference page is complete."""
    assert set(EVENT_MEANINGS) == {*PROFILE_EVENT_TYPES, *EXTENSION_EVENT_TYPES}


@pytest.mark.requirement("RT-07", "RT-60")
def test_extensions_are_kept_apart_from_the_profile(upstream_data: Path) -> None:
    """Ours: a strict consumer can filter them out."""
    schema = lime_profile(upstream_data, "event")
    assert not set(EXTENSION_EVENT_TYPES) & set(PROFILE_EVENT_TYPES)
    assert all(is_extension(event_type) for event_type in EXTENSION_EVENT_TYPES)
    assert not any(schema.is_valid(minimal_event(name)) for name in EXTENSION_EVENT_TYPES)


@pytest.mark.requirement("RT-10", "RT-11", "RT-16")
@pytest.mark.parametrize("event_type", PROFILE_EVENT_TYPES)
def test_an_event_with_its_required_ids_is_valid_against_the_published_schema(
    event_type: ProfileEventType, upstream_data: Path
) -> None:
    """The standard: every event that leaves is valid."""
    event = RuntimeEvent.model_validate(minimal_event(event_type))
    assert event.to_wire() == minimal_event(event_type)
    lime_profile(upstream_data, "event").validate(event.to_wire())


@pytest.mark.requirement("RT-10", "RT-11", "RT-16")
@pytest.mark.parametrize("event_type", [*PROFILE_EVENT_TYPES, *EXTENSION_EVENT_TYPES])
def test_an_event_without_one_of_its_fields_is_refused(event_type: EventType) -> None:
    """The standard: what cannot be joined is refused. The whole event is valid against the published
    schema, so nothing that schema asks for can be missing from ours.
    """
    whole = minimal_event(event_type)
    # The version is the one field we may fill in: it is a constant.
    for field in whole.keys() - {"schemaVersion"}:
        assert not _accepts({name: whole[name] for name in whole if name != field}), field


def test_an_empty_id_is_no_id() -> None:
    """The standard: ids have at least one character."""
    assert not _accepts({**minimal_event("turn.started"), "turnId": ""})


def test_an_unknown_type_is_refused() -> None:
    """The standard: the enumeration is closed; ``turn.cancelled`` is nobody's spelling."""
    assert not _accepts({**minimal_event("turn.started"), "type": "turn.cancelled"})


@pytest.mark.parametrize("timestamp", ["yesterday", "2026-05-11", "2026-05-11 10:00:00Z", ""])
def test_a_moment_that_is_not_rfc_3339_is_refused(timestamp: str) -> None:
    """The standard: timestamps are date-times."""
    assert not _accepts({**minimal_event("turn.started"), "timestamp": timestamp})


def test_the_refusal_names_the_missing_fields_and_no_values() -> None:
    """Ours: an engine's author sees at once what to add."""
    event = minimal_event("tool.started")
    del event["stepId"], event["toolCallId"]
    with pytest.raises(ValidationError, match=r"tool\.started needs stepId, toolCallId"):
        RuntimeEvent.model_validate(event)


@pytest.mark.requirement("RT-01", "RT-09")
@pytest.mark.parametrize("name", EVENT_FIXTURES)
def test_the_published_event_fixtures_load_and_leave_as_they_came(
    name: str, upstream_data: Path
) -> None:
    """The standard: the minimum conformance pack."""
    fixture = read_json(
        upstream_data / "agentruntime" / "fixtures" / "lime-profile" / f"{name}.json"
    )
    assert RuntimeEvent.model_validate(fixture).to_wire() == fixture


@pytest.mark.parametrize("event_type", [*PROFILE_EVENT_TYPES, *EXTENSION_EVENT_TYPES])
def test_our_overlay_schema_says_what_our_model_enforces(event_type: EventType) -> None:
    """Ours: extensions are validated by our own schema, with the same rules."""
    overlay = jsonschema_rs.Draft202012Validator(RuntimeEvent.model_json_schema(mode="validation"))
    whole = minimal_event(event_type)
    assert overlay.is_valid(whole)
    for field in REQUIRED_FIELDS[event_type]:
        assert not overlay.is_valid({name: whole[name] for name in whole if name != field})


def _accepts(event: dict[str, Any]) -> bool:
    try:
        RuntimeEvent.model_validate(event)
    except ValidationError:
        return False
    return True
