"""Text from a page becomes a message or an expected error, whatever it holds."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue
from pydantic_core import from_json

from lime_desktop.protocol.bridge.envelope import MAX_MESSAGE_CHARACTERS, Envelope
from lime_desktop.protocol.bridge.from_app import (
    APP_MESSAGES,
    AppMessage,
    AppReady,
    Download,
    Invoke,
    Navigate,
    Subscribe,
    Toast,
)
from lime_desktop.protocol.bridge.reading import parse_app_message, parse_incoming, read_message
from lime_desktop.protocol.errors import (
    AppError,
    InvalidInput,
    InvalidMessage,
    MessageTooLarge,
    UnknownMessage,
    UnsupportedProtocol,
)
from lime_desktop.protocol.ids import JsonText

TYPES = [str(message.model_fields["type"].default) for message in APP_MESSAGES]

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
payload_names = st.sampled_from(
    [
        "route", "url", "href", "message", "level", "capability", "method", "input", "args",
        "topic", "subscriptionId", "taskId", "pollIntervalMs", "timeoutMs", "fileName",
    ]
)  # fmt: skip


def _text(kind: str, payload: JsonValue = None, **more: Any) -> str:
    return json.dumps(
        {
            "protocol": "lime.agentApp.bridge",
            "version": 1,
            "type": kind,
            "appId": "demo",
            "payload": payload,
            **more,
        }
    )


def _invoke(**payload: JsonValue) -> Invoke:
    message = parse_app_message(
        _text("capability:invoke", {"capability": "lime.storage", "method": "get", **payload})
    )
    assert isinstance(message, Invoke)
    return message


def _read_whole(message: AppMessage) -> JsonValue:
    """A message with the arguments of a call read too, whichever way it came."""
    return message.model_dump(exclude_unset=True)


def _with_arguments(envelope: Envelope) -> Envelope:
    """A message of the wrong shape, with the arguments read that a call leaves as they were written."""
    if not isinstance(envelope.payload, dict):
        return envelope
    payload = {
        name: from_json(value) if isinstance(value, JsonText) else value
        for name, value in envelope.payload.items()
    }
    return envelope.model_copy(update={"payload": payload})


def _subscribe(**payload: JsonValue) -> Subscribe:
    message = parse_app_message(
        _text("capability:subscribe", {"capability": "lime.agent", "topic": "task", **payload})
    )
    assert isinstance(message, Subscribe)
    return message


@given(st.text() | json_values.map(json.dumps))
def test_any_text_gives_a_message_or_an_expected_error(text: str) -> None:
    """Ours: a page may send anything."""
    with suppress(AppError):
        assert parse_app_message(text).type in TYPES


@given(
    kind=st.sampled_from(TYPES) | st.text(),
    payload=json_values | st.dictionaries(payload_names, json_values),
    fields=st.dictionaries(
        st.sampled_from(["protocol", "version", "requestId", "appId", "entryKey", "type"]),
        json_values,
        max_size=2,
    ),
)
def test_any_nearly_right_message_gives_a_message_or_an_expected_error(
    kind: str, payload: JsonValue, fields: dict[str, Any]
) -> None:
    """Ours: the interesting texts are close to right."""
    with suppress(AppError):
        assert parse_app_message(_text(kind, payload, **{"requestId": "r", **fields})).type in TYPES


@given(
    kind=st.sampled_from(TYPES),
    payload=st.dictionaries(payload_names, json_values | st.sampled_from(["x", 1])),
    fields=st.dictionaries(
        st.sampled_from(["requestId", "request_id", "appId", "entryKey", "entry_key"]),
        json_values | st.text(min_size=1, max_size=4),
        max_size=2,
    ),
)
def test_reading_in_one_go_gives_what_reading_step_by_step_gives(
    kind: str, payload: JsonValue, fields: dict[str, Any]
) -> None:
    """Ours: the short way takes nothing that the long way would refuse, and reads nothing differently."""
    text = _text(kind, payload, **fields)
    try:
        incoming = parse_incoming(text)
    except AppError:
        # Not JSON at all, or no envelope.
        with pytest.raises(ValueError):  # noqa: PT011 - what both kinds have in common
            Envelope.model_validate(from_json(text, allow_inf_nan=False))
        return
    envelope = Envelope.model_validate(from_json(text))
    if isinstance(incoming, Envelope):
        assert _with_arguments(incoming) == envelope
        for each in (incoming, envelope):
            with pytest.raises(AppError):
                read_message(each)
    else:
        assert _read_whole(incoming) == _read_whole(read_message(envelope))


@pytest.mark.requirement("APP-24")
@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", InvalidMessage),
        ("{", InvalidMessage),
        ("NaN", InvalidMessage),
        ("[" * 100_000, InvalidMessage),
        ("1" * 100_000, InvalidMessage),
        ('"\ud800"', InvalidMessage),
        ("[]", InvalidMessage),
        ("{}", UnsupportedProtocol),
        (_text("app:ready", protocol="lime.agentApp.bridge2"), UnsupportedProtocol),
        (_text("app:ready", version=2), UnsupportedProtocol),
        (_text("app:ready", version=True), UnsupportedProtocol),
        (_text("app:ready", version="1"), UnsupportedProtocol),
        (_text("app:ready", appId=""), InvalidMessage),
        (_text("app:ready", requestId=7), InvalidMessage),
        (_text("app:ready", requestId="r" * 257), InvalidMessage),
        (_text("app:ready", entryKey="k" * 257), InvalidMessage),
        (_text("app:teleport"), UnknownMessage),
        (_text("host:toast"), InvalidInput),
        (_text("host:toast", {"message": ""}), InvalidInput),
        (_text("host:navigate", {}), InvalidInput),
        (_text("host:openExternal", {"url": 7}), InvalidInput),
        (_text("capability:invoke", {"capability": "lime.ui"}), InvalidInput),
        (_text("capability:unsubscribe", {}), InvalidInput),
        ('"' + "x" * MAX_MESSAGE_CHARACTERS + '"', MessageTooLarge),
        ('"' + "文" * MAX_MESSAGE_CHARACTERS + '"', MessageTooLarge),
    ],
)
def test_a_wrong_text_is_refused_by_name(text: str, error: type[AppError]) -> None:
    """Ours: each kind of mistake has its own code."""
    with pytest.raises(error):
        parse_app_message(text)


def test_a_refusal_never_repeats_what_was_sent() -> None:
    """Ours: the text may hold a secret."""
    with pytest.raises(InvalidInput) as refused:
        parse_app_message(_text("capability:invoke", {"method": {"apiKey": "hunter2"}}))
    assert "hunter2" not in json.dumps(refused.value.to_data())


def test_a_message_of_the_wrong_shape_can_still_be_answered() -> None:
    """The standard: a refusal carries the request id."""
    envelope = parse_incoming(_text("host:toast", {}, requestId="r-1", entryKey="dashboard"))
    assert isinstance(envelope, Envelope)
    assert (envelope.request_id, envelope.entry_key) == ("r-1", "dashboard")
    with pytest.raises(InvalidInput):
        read_message(envelope)


def test_an_app_is_ready_without_request_id_and_payload() -> None:
    """The published SDK sends it so."""
    text = '{"protocol":"lime.agentApp.bridge","version":1,"type":"app:ready","appId":"demo"}'
    assert parse_app_message(text) == AppReady.model_validate({"appId": "demo"})


def test_fields_of_a_newer_client_are_ignored() -> None:
    """Ours: the other side may be newer."""
    assert parse_app_message(_text("app:ready", channel="x")).app_id == "demo"


@pytest.mark.parametrize(
    ("payload", "arguments"),
    [
        ({}, None),
        ({"input": {"key": "a"}}, {"key": "a"}),
        ({"args": {"key": "a"}}, {"key": "a"}),
        ({"args": ["a"]}, ["a"]),
        ({"input": {"key": "a"}, "args": ["b"]}, {"key": "a"}),
        ({"input": None, "args": ["b"]}, None),
    ],
)
def test_arguments_are_found_where_published_clients_put_them(
    payload: dict[str, JsonValue], arguments: JsonValue
) -> None:
    """The published SDK sends `input`; the standard's diagram says `args`."""
    assert _invoke(**payload).payload.arguments == arguments


@pytest.mark.parametrize(
    ("payload", "subject"),
    [
        ({"taskId": "t"}, "t"),
        ({"input": {"taskId": "t"}}, "t"),
        ({"args": ["t"]}, "t"),
        ({"args": [{"taskId": "t"}]}, "t"),
        ({"args": {"taskId": "t"}}, "t"),
        ({"args": []}, None),
        ({"input": {"taskId": 7}}, None),
        ({}, None),
    ],
)
def test_the_task_of_a_subscription_is_found_where_published_clients_put_it(
    payload: dict[str, JsonValue], subject: str | None
) -> None:
    """What published hosts accept."""
    assert _subscribe(**payload).payload.subject_id == subject


@pytest.mark.parametrize(
    ("asked", "granted"),
    [(None, 1_000), (10, 250), (99_999, 10_000), (1_500.7, 1_500), (True, 1_000), ("x", 1_000)],
)
def test_a_poll_interval_stays_within_bounds(asked: JsonValue, granted: int) -> None:
    """What published hosts do: clamp rather than refuse."""
    assert _subscribe(pollIntervalMs=asked).payload.poll_interval_ms == granted


@pytest.mark.parametrize("level", ["loud", None, 7, ["info"]])
def test_an_unknown_toast_level_is_shown_as_info(level: JsonValue) -> None:
    """What published hosts do."""
    message = parse_app_message(_text("host:toast", {"message": "Hi", "level": level}))
    assert isinstance(message, Toast)
    assert message.payload.level == "info"


def test_a_download_is_read_from_href_too() -> None:
    """What published hosts do."""
    message = parse_app_message(_text("host:download", {"href": "/a.csv"}))
    assert isinstance(message, Download)
    assert message.payload.url == "/a.csv"


def test_an_entry_may_be_named_by_either_word() -> None:
    """The standard says entry, the SDK entryKey."""
    message = parse_app_message(_text("host:navigate", {"entry": "calendar"}))
    assert isinstance(message, Navigate)
    assert message.payload.entry_key == "calendar"
