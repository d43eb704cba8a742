"""app/call as a stranger would abuse it: the params are an app's bytes, the caller is the host's alone (ours)."""

import json
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from lime_desktop.app_server.assembly import open_services
from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.execution.unavailable import UnavailableEngine
from lime_desktop.app_server.routes import AppCalls
from lime_desktop.protocol.app_call import MAX_PARAMS_BYTES, AppCaller, AppCallParams
from lime_desktop.protocol.capability_calls.storage import (
    GET_VALUE,
    StorageGetResult,
    StorageKeyParams,
)
from lime_desktop.protocol.capability_calls.table import CALLS
from lime_desktop.protocol.errors import InvalidInput, MessageTooLarge, WorkspaceUnknown
from lime_desktop.protocol.ids import TraceId
from lime_desktop.unique_names import DuplicateName
from tests.app_server.for_apps import caller, envelope, provenance
from tests.app_server.server.door import Client
from tests.app_server.server.test_connection import code_of
from tests.jsonrpc.conversation import run

Scene = Callable[[Client], Awaitable[None]]


def play(data: Path, scene: Scene) -> None:
    async def whole() -> None:
        async with open_services(data, UnavailableEngine()) as services:
            client = Client(services)
            await client.introduce()
            await scene(client)

    run(whole())


def line(params: str, call: str = "lime.storage.set") -> bytes:
    """An envelope with params as a page wrote them."""
    who = json.dumps(caller("notes").to_wire())
    return f'{{"caller":{who},"call":"{call}","params":{params}}}'.encode()


async def send(client: Client, params: bytes) -> dict[str, Any]:
    """Send app/call as it stands, and give what is said to it."""
    client.transport.write(b'{"id":"raw","method":"app/call","params":' + params + b"}\n")
    while (heard := await client.hear()).get("id") != "raw":
        pass
    return heard


def test_every_call_of_the_servers_has_a_service(tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_services(tmp_path, UnavailableEngine()) as services:
            assert services.app_calls.missing() == []

    run(scene())


async def _get(params: StorageKeyParams, caller: AppCaller) -> StorageGetResult:
    del params, caller
    return StorageGetResult(None)


def test_a_second_service_for_a_call_keeps_the_server_from_starting() -> None:
    calls = AppCalls()
    calls.add(GET_VALUE, _get)
    with pytest.raises(DuplicateName):
        calls.add(GET_VALUE, _get)


async def _lose(params: StorageKeyParams, caller: AppCaller) -> StorageGetResult:
    del params, caller
    raise WorkspaceUnknown("No call of lime.storage says so")


def test_a_service_that_fails_with_a_code_of_another_call_is_noted(
    undeclared_codes: list[logging.LogRecord],
) -> None:
    calls = AppCalls()
    calls.add(GET_VALUE, _lose)
    asked = AppCallParams(caller=caller("notes"), call=GET_VALUE.name, params=b'{"key":"k"}')
    with pytest.raises(WorkspaceUnknown):
        run(calls.answer(asked, CallContext(trace_id=TraceId("t"))))
    [noted] = undeclared_codes
    assert (noted.__dict__["call"], noted.__dict__["code"]) == (GET_VALUE.name, "APP_E023")
    undeclared_codes.clear()


def test_what_the_host_carries_out_is_not_the_servers_to_answer() -> None:
    own = next(call for call in CALLS if call.by == "host")
    with pytest.raises(ValueError, match="host's own"):
        AppCalls().add(own, _get)


@pytest.mark.parametrize(
    "call", ["lime.storage.burn", "lime.ui.toast", "storage/get", "", "lime.storage"]
)
def test_a_call_that_the_server_does_not_carry_out_is_refused(tmp_path: Path, call: str) -> None:
    async def scene(client: Client) -> None:
        assert "error" in await client.call("app/call", envelope("notes", call))

    play(tmp_path, scene)


@pytest.mark.parametrize(
    "forged",
    [
        {"params": {"key": "k"}, "call": "lime.storage.get"},
        {"caller": None, "call": "lime.storage.get"},
        {"caller": {"provenance": {"appId": "other"}}, "call": "lime.storage.get"},
        {"caller": [], "call": "lime.storage.get"},
        {"caller": "notes", "call": "lime.storage.get"},
        {"caller": {"appId": "notes"}, "call": "lime.storage.get"},
    ],
)
def test_a_call_without_a_whole_caller_is_refused(tmp_path: Path, forged: dict[str, Any]) -> None:
    async def scene(client: Client) -> None:
        assert code_of(await client.call("app/call", forged)) == (-32602, "APP_E014")

    play(tmp_path, scene)


def test_nothing_among_the_params_says_who_calls(tmp_path: Path) -> None:
    forged = {
        "caller": caller("other").to_wire(),
        "provenance": provenance("other").to_wire(),
        "appId": "other",
        "app_id": "other",
    }

    async def scene(client: Client) -> None:
        asked = envelope("notes", "lime.storage.set", key="k", value=1, **forged)
        kept = (await client.call("app/call", asked))["result"]
        assert (kept["appId"], kept["provenance"]["appId"]) == ("notes", "notes")
        others = await client.call("app/call", envelope("other", "lime.storage.list"))
        assert others["result"] == []

    play(tmp_path, scene)


@pytest.mark.parametrize(
    "params",
    [
        '{"key":"k","value":' + "[" * 500 + "]" * 500 + "}",
        '{"key":"k","value":1e999}',
        '{"key":"k","value":' + "9" * 5_000 + "}",
        '{"value":1}',
        '"k"',
        '["k",1,2]',
        "null",
        "7",
    ],
)
def test_params_that_cannot_be_kept_are_refused_by_code_and_the_server_lives_on(
    tmp_path: Path, params: str
) -> None:
    async def scene(client: Client) -> None:
        assert code_of(await send(client, line(params))) == (-32602, "APP_E014")
        kept = await client.call("app/call", envelope("notes", "lime.storage.list"))
        assert kept["result"] == []

    play(tmp_path, scene)


def test_of_two_fields_of_one_name_policy_and_service_see_the_same(tmp_path: Path) -> None:
    written = b'{"key":"seen","value":1,"key":"kept"}'
    policys: Any = next(each for each in CALLS if each.name == "lime.storage.set")

    async def scene(client: Client) -> None:
        kept = (await send(client, line(written.decode())))["result"]["key"]
        assert kept == policys.read_params(written).key == "kept"

    play(tmp_path, scene)


def test_a_second_caller_in_the_params_text_stays_in_the_params() -> None:
    """A page's text ends where its value ends: nothing behind it becomes a part of the envelope."""
    params = b'{"key":"k"},"caller":{"provenance":{"appId":"other"}}'
    with pytest.raises(InvalidInput):
        GET_VALUE.read_params(params)
    with pytest.raises(InvalidInput):
        AppCallParams.read(line(params.decode() + "}"))


def test_more_than_a_bridge_carries_is_refused() -> None:
    with pytest.raises(MessageTooLarge):
        AppCallParams.read(line(json.dumps("x" * (MAX_PARAMS_BYTES + 1))))


def test_a_line_break_between_values_does_not_end_the_message(tmp_path: Path) -> None:
    """Ours: on the wire a line is a message."""

    async def scene(client: Client) -> None:
        pretty = AppCallParams.read(line('{\n  "key": "k",\n  "value": ["a\\nb"]\n}'))
        assert "result" in await send(client, msgspec.json.encode(pretty.to_wire()))
        got = await client.call("app/call", envelope("notes", "lime.storage.get", key="k"))
        assert got["result"] == ["a\nb"]

    play(tmp_path, scene)


def test_params_that_are_not_utf_8_are_answered_by_their_id(tmp_path: Path) -> None:
    async def scene(client: Client) -> None:
        broken = line('{"key":"?"}').replace(b"?", b"\xff")
        assert code_of(await send(client, broken)) == (-32602, "APP_E014")

    play(tmp_path, scene)


def test_a_client_bound_to_an_app_starts_nothing_in_its_name(tmp_path: Path) -> None:
    """Ours: no policy of a host stands before it, so whatever acts is refused there, each call by itself."""
    acting = [each.name for each in CALLS if each.by == "server" and each.acts]
    assert "lime.documents.summarize" in acting

    async def whole() -> None:
        async with open_services(tmp_path, UnavailableEngine()) as services:
            client = Client(services)
            await client.introduce(appId="mine")
            for name in (*acting, "lime.storage.invented", "lime.search.query"):
                answer = await client.call("app/call", envelope("mine", name))
                assert code_of(answer) == (-32020, "APP_E002"), name

    run(whole())
