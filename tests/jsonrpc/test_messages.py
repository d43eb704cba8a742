"""Every line means something, if only that it makes no sense."""

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lime_desktop.jsonrpc.messages import (
    INVALID_REQUEST,
    PARSE_ERROR,
    Failure,
    Malformed,
    Message,
    Notification,
    Request,
    Response,
    encode_request,
    parse,
    read_value,
)

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=10,
)
members = st.sampled_from(["jsonrpc", "id", "method", "params", "result", "error"])


def read(message: object) -> Message:
    return parse(json.dumps(message).encode()).message


@given(st.binary(max_size=200))
def test_any_bytes_are_some_message(line: bytes) -> None:
    parse(line)


@given(st.dictionaries(members, json_values, max_size=6))
def test_any_mix_of_members_is_some_message(fields: dict[str, object]) -> None:
    message = read(fields)
    if isinstance(message, Request | Response):
        assert type(message.id) in {int, str}


@given(st.integers() | st.text(), st.text(), json_values)
def test_what_we_ask_is_what_is_read(request_id: int | str, method: str, params: object) -> None:
    message = parse(encode_request(request_id, method, params)).message
    assert isinstance(message, Request)
    assert (message.id, message.method) == (request_id, method)
    assert read_value(message.params) == params


@pytest.mark.parametrize("request_id", [True, False, 1.5, [], {}, None])
def test_an_id_is_a_whole_number_or_a_string(request_id: object) -> None:
    message = read({"id": request_id, "method": "m"})
    assert isinstance(message, Malformed)
    assert (message.id, message.error.code) == (None, INVALID_REQUEST)


@pytest.mark.parametrize("line", [b"[]", b'[{"id":1,"method":"m"}]', b"1", b'"m"', b"null"])
def test_a_batch_or_a_bare_value_is_refused(line: bytes) -> None:
    message = parse(line).message
    assert isinstance(message, Malformed)
    assert message.error.code == INVALID_REQUEST


@pytest.mark.parametrize(
    "line", [b"{", b"\xff", b'{"id": NaN}', b'{"id":"\\ud800"}', b"{" * 10_000]
)
def test_what_is_not_json_is_said_to_be_so(line: bytes) -> None:
    message = parse(line).message
    assert isinstance(message, Malformed)
    assert (message.id, message.error.code) == (None, PARSE_ERROR)


@pytest.mark.parametrize(
    ("line", "answered_by"),
    [
        (b'{"id":7,"method":"m","params":{"a":"\\ud800"}}', 7),
        (b'{"id":"x","method":"m","params":{"a":NaN}}', "x"),
        (b'{"id":"\\ud800","method":"m"}', None),
        (b'{"id":7,"result":"\\ud800"}', None),
    ],
)
def test_a_request_that_cannot_be_read_is_refused_by_its_id(
    line: bytes, answered_by: object
) -> None:
    """A bug: half a surrogate pair in the input of a workflow was answered to nobody, who waited for ever."""
    message = parse(line).message
    assert isinstance(message, Malformed)
    assert (message.id, message.error.code) == (answered_by, PARSE_ERROR)


def test_the_kinds_of_message_are_told_apart() -> None:
    assert read({"id": 1, "method": "m"}) == Request(1, "m", msgspec.Raw(b"null"))
    assert read({"method": "m", "params": {"a": 1}}) == Notification("m", {"a": 1})
    assert read({"id": "x", "result": None}) == Response("x", msgspec.Raw(b"null"))


def test_a_request_we_can_name_is_refused_by_its_name() -> None:
    message = read({"jsonrpc": "1.0", "id": 7, "method": "m"})
    assert isinstance(message, Malformed)
    assert message.id == 7


@pytest.mark.parametrize("error", [None, 3, {}, {"code": "x", "message": 1}])
def test_a_badly_written_refusal_is_still_a_refusal(error: object) -> None:
    assert isinstance(read({"id": 1, "error": error}), Failure)


def test_a_refusal_without_an_id_is_read() -> None:
    assert isinstance(read({"id": None, "error": {"code": -32700, "message": "?"}}), Failure)
