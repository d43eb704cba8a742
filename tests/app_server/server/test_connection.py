"""The door: introduced first, judged at arrival, answered with stable codes."""

import re
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.routes import Routes
from lime_desktop.jsonrpc.outbox import Limits
from lime_desktop.protocol.calls.sessions import (
    APPEND_RUNTIME_EVENTS,
    AppendEventsParams,
    AppendEventsResult,
    CompactParams,
)
from lime_desktop.protocol.calls.turns import (
    CANCEL_TURN,
    START_TURN,
    CancelTurnParams,
    StartTurnParams,
    StartTurnResult,
)
from lime_desktop.protocol.errors import CapabilityNotAvailable, TurnAlreadyActive
from lime_desktop.protocol.methods import METHODS
from lime_desktop.protocol.wire import Empty, Method, WireModel
from lime_desktop.unique_names import DuplicateName
from tests.app_server.server.door import Door, event
from tests.jsonrpc.conversation import run


def code_of(answer: dict[str, Any]) -> tuple[int, str]:
    return answer["error"]["code"], answer["error"]["data"]["code"]


def test_the_handshake_says_who_both_sides_are() -> None:
    """The standard: protocol appserver.v0."""

    async def scene() -> None:
        answer = await Door().client().introduce()
        assert answer["result"]["serverInfo"]["name"] == "app-server"
        assert answer["result"]["serverInfo"]["protocolVersion"] == "appserver.v0"
        assert answer["result"]["platform"]["family"] == "desktop"

    run(scene())


@pytest.mark.requirement("APP-31", "RT-35")
@pytest.mark.parametrize("before", ["nothing", "initialize alone", "initialized alone"])
def test_no_business_before_the_handshake_is_complete(before: str) -> None:
    """The standard: initialize, then initialized, then everything else."""

    async def scene() -> None:
        door = Door()
        client = door.client()
        if before == "initialize alone":
            await client.call("initialize", {"clientInfo": {"name": "test"}})
        if before == "initialized alone":
            client.say({"method": "initialized"})
        assert code_of(await client.call("agentSession/list")) == (-32002, "APP_E040")
        assert door.calls == []

    run(scene())


def test_a_handshake_may_be_sent_in_one_breath() -> None:
    """Ours: order of arrival counts, so a script need not wait for the answer."""

    async def scene() -> None:
        client = Door().client()
        client.say({"id": 1, "method": "initialize", "params": {"clientInfo": {"name": "t"}}})
        client.say({"method": "initialized"})
        client.say({"id": 2, "method": "agentSession/list"})
        assert [(await client.hear())["id"] for _ in range(2)] == [1, 2]

    run(scene())


def test_a_second_initialize_is_refused_and_changes_nothing() -> None:
    """The standard: negotiated once."""

    async def scene() -> None:
        door = Door()
        client = door.client()
        await client.introduce()
        again = {"clientInfo": {"name": "another"}}
        assert code_of(await client.call("initialize", again)) == (-32003, "APP_E041")
        await client.call("agentSession/compact", {"sessionId": "s"})
        assert [context.client_name for _params, context in door.calls] == ["test"]

    run(scene())


def test_a_failed_initialize_may_be_tried_again() -> None:
    """Ours: a typo must not cost the connection."""

    async def scene() -> None:
        client = Door().client()
        assert code_of(await client.call("initialize", {})) == (-32602, "APP_E014")
        assert "result" in await client.introduce()

    run(scene())


def test_another_protocol_is_refused() -> None:
    """The standard: versions are agreed on, not hoped for."""

    async def scene() -> None:
        answer = await Door().client().introduce(requiredProtocol="appserver.v9")
        assert code_of(answer) == (-32600, "APP_E017")

    run(scene())


def test_an_unknown_method_is_said_to_be_unknown() -> None:
    """The standard: -32601."""

    async def scene() -> None:
        client = Door().client()
        await client.introduce()
        assert code_of(await client.call("agentSession/dance")) == (-32601, "APP_E018")

    run(scene())


@pytest.mark.parametrize("params", [{}, [], [1], "text", 5, {"sessionId": ""}, {"sessionId": 7}])
def test_bad_params_are_refused_by_field(params: object) -> None:
    """The standard: -32602, with paths and never with values."""

    async def scene() -> None:
        door = Door()
        client = door.client()
        await client.introduce()
        answer = await client.call("agentSession/compact", params)
        assert code_of(answer) == (-32602, "APP_E014")
        assert answer["error"]["data"]["details"]["fields"]
        assert door.calls == []

    run(scene())


def test_a_refusal_never_repeats_what_was_sent() -> None:
    """Ours: the value may be a secret."""

    async def scene() -> None:
        client = Door().client()
        await client.introduce()
        answer = await client.call("agentSession/start", {"appId": {"deep": "hunter2"}})
        assert code_of(answer) == (-32602, "APP_E014")
        assert "hunter2" not in str(answer)

    run(scene())


@pytest.mark.requirement("RT-36")
@pytest.mark.parametrize(
    "params",
    [
        {"sessionId": "s", "apiKey": "sk-1"},
        {"sessionId": "s", "options": [{"provider": {"access_token": "sk-1"}}]},
    ],
)
def test_a_key_is_refused_at_any_depth_even_where_it_would_be_ignored(params: object) -> None:
    """The standard: keys go to the provider store and nowhere else."""

    async def scene() -> None:
        door = Door()
        client = door.client()
        await client.introduce()
        answer = await client.call("agentSession/compact", params)
        assert code_of(answer) == (-32602, "APP_E014")
        assert answer["error"]["data"]["details"]["fields"][0]["problem"] == "key_like_field"
        assert "sk-1" not in str(answer)
        assert door.calls == []

    run(scene())


def test_a_bug_is_answered_without_its_text_and_logged_with_its_trace(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Ours: APP_E900 and a trace id, nothing more."""

    async def scene() -> dict[str, Any]:
        client = Door().client()
        await client.introduce()
        return await client.call("agentSession/compact", {"sessionId": "broken"})

    answer = run(scene())
    assert code_of(answer) == (-32603, "APP_E900")
    assert "internal text" not in str(answer)
    (record,) = caplog.records
    assert vars(record)["traceId"] == answer["error"]["data"]["traceId"]
    assert record.exc_info is not None


def test_a_call_can_be_cancelled() -> None:
    """The standard: $/cancelRequest answers -32800."""

    async def scene() -> None:
        door = Door()
        client = door.client()
        await client.introduce()
        params = {"sessionId": "slow"}
        client.say({"id": "x", "method": "agentSession/compact", "params": params})
        await door.hanging.wait()
        client.say({"method": "$/cancelRequest", "params": {"id": "x"}})
        assert code_of(await client.hear()) == (-32800, "APP_E904")

    run(scene())


def test_overload_is_answered_with_a_stable_code() -> None:
    """The standard: -32001, retry later."""

    async def scene() -> None:
        client = Door(limits=Limits(running_requests=1)).client()
        await client.introduce()
        for number in (1, 2):
            params = {"sessionId": "slow"}
            client.say({"id": number, "method": "agentSession/compact", "params": params})
        answer = await client.hear()
        assert (answer["id"], *code_of(answer)) == (2, -32001, "APP_E902")
        assert answer["error"]["data"]["retryable"] is True

    run(scene())


def test_every_call_carries_who_makes_it() -> None:
    """Ours: the owner of a fact knows who asked, and under which trace."""

    async def scene() -> None:
        door = Door()
        client = door.client()
        await client.introduce()
        await client.call("agentSession/compact", {"sessionId": "s"})
        ((params, context),) = door.calls
        assert params == CompactParams.model_validate({"sessionId": "s"})
        assert context.client_name == "test"
        assert re.fullmatch("[0-9a-f]{32}", context.trace_id)

    run(scene())


def test_a_turn_joins_the_trace_of_its_caller() -> None:
    """The standard: W3C trace context comes in with the turn."""
    trace = "0af7651916cd43dd8448eb211c80319c"

    async def scene() -> None:
        door = Door()
        seen: list[CallContext] = []

        async def start_turn(params: StartTurnParams, context: CallContext) -> StartTurnResult:
            del params
            seen.append(context)
            raise TurnAlreadyActive("busy")

        door.routes.add(START_TURN, start_turn)
        client = door.client()
        await client.introduce()
        for traceparent in (f"00-{trace}-b7ad6b7169203331-01", "nonsense", 7):
            options = {"metadata": {"traceparent": traceparent}}
            params = {"sessionId": "s", "input": {"text": "x"}, "runtimeOptions": options}
            assert code_of(await client.call("agentSession/turn/start", params))[0] == -32012
        assert seen[0].trace_id == trace
        assert all(context.trace_id != trace for context in seen[1:])

    run(scene())


def test_a_strict_client_reads_the_profile_alone() -> None:
    """Ours: what it reads is filtered as what it hears."""

    async def scene() -> None:
        door = Door()

        async def append(params: AppendEventsParams, context: CallContext) -> AppendEventsResult:
            del params, context
            return AppendEventsResult(events=(event("s", 1, "plan.final"), event("s", 2)))

        door.routes.add(APPEND_RUNTIME_EVENTS, append)
        client = door.client()
        await client.introduce(capabilities={"strictProfile": True})
        params = {"sessionId": "s", "runtimeEvents": [{"type": "turn.started"}]}
        answer = await client.call("agentSession/runtimeEvents/append", params)
        assert [each["sequence"] for each in answer["result"]["events"]] == [2]

    run(scene())


def refuse_all(routes: Routes) -> None:
    """Lead every method to a refusal."""

    async def refuse(_params: WireModel, _context: CallContext) -> WireModel:
        raise CapabilityNotAvailable("not today")

    for method in cast("tuple[Method[Any, Any], ...]", METHODS):
        routes.add(method, refuse)


def test_a_table_knows_which_methods_lead_nowhere() -> None:
    """Ours: every method has a route or a reason."""
    routes = Routes()
    assert len(routes.missing()) == len(METHODS) - 1
    refuse_all(routes)
    assert routes.missing() == []


def test_a_method_has_one_route() -> None:
    """Ours: a second one would take the first one's place, and its checks with it, without a word."""

    async def answer(_params: CancelTurnParams, _context: CallContext) -> Empty:
        return Empty()

    routes = Routes()
    routes.add(CANCEL_TURN, answer)
    first = routes.find(CANCEL_TURN.name)
    with pytest.raises(DuplicateName, match=CANCEL_TURN.name):
        routes.add(CANCEL_TURN, answer)
    assert routes.find(CANCEL_TURN.name) is first
    assert routes.served() == [CANCEL_TURN.name]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=10,
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(METHODS), json_values), max_size=8))
def test_whatever_is_asked_is_answered_and_never_as_a_bug(calls: list[tuple[Any, object]]) -> None:
    """Ours: strangers' input can only be refused."""

    async def scene() -> None:
        door = Door(routes=Routes())
        refuse_all(door.routes)
        client = door.client()
        await client.introduce()
        for method, params in calls:
            answer = await client.call(method.name, params)
            assert answer["error"]["code"] in {-32602, -32020, -32003}

    run(scene())


@pytest.mark.parametrize("depth", [50, 400, 900])
def test_deep_nesting_is_refused_like_anything_else(depth: int) -> None:
    """Ours: depth is a stranger's choice."""

    async def scene() -> None:
        client = Door().client()
        await client.introduce()
        text = '{"id":9,"method":"agentSession/list","params":{"x":' + "[" * depth + "]" * depth
        client.transport.write(text.encode() + b"}}\n")
        answer = await client.hear()
        assert "result" in answer or answer["error"]["code"] in {-32602, -32700}
        assert "result" in await client.call("agentSession/list")

    run(scene())


def test_clients_do_not_share_their_handshake() -> None:
    """The standard: the gate is per connection."""

    async def scene() -> None:
        door = Door()
        first, second = door.client(), door.client()
        await first.introduce()
        assert "result" in await first.call("agentSession/list")
        assert code_of(await second.call("agentSession/list")) == (-32002, "APP_E040")

    run(scene())


def test_a_lost_client_is_forgotten() -> None:
    """Ours: nothing is kept for who is gone."""

    async def scene() -> None:
        door = Door()
        client = door.client()
        await client.introduce()
        await client.call("agentSession/compact", {"sessionId": "s"})
        assert door.services.fan_out._by_session
        client.transport.close()
        await client.connection.peer.wait_closed()
        assert not door.services.fan_out._by_session

    run(scene())
