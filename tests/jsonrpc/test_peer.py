"""A peer answers, asks, cancels, refuses and ends, and holds no more than its limits."""

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lime_desktop.jsonrpc.messages import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    OVERLOADED,
    PARSE_ERROR,
    REQUEST_CANCELLED,
    ConnectionLostError,
    RpcError,
)
from lime_desktop.jsonrpc.outbox import Limits
from lime_desktop.jsonrpc.peer import Peer
from tests.jsonrpc.conversation import Conversation, Recorder, echo, run, until
from tests.jsonrpc.memory import peer_pair


def test_a_request_is_answered() -> None:
    async def scene() -> None:
        talk = Conversation(Recorder(echo=echo))
        talk.say({"id": 1, "method": "echo", "params": {"a": 1}})
        assert await talk.hear() == {"id": 1, "result": {"a": 1}}

    run(scene())


def test_the_version_member_is_sent_only_to_those_who_send_it() -> None:
    async def scene() -> None:
        talk = Conversation(Recorder(echo=echo))
        talk.say({"id": 1, "method": "echo"})
        assert "jsonrpc" not in await talk.hear()
        talk.say({"jsonrpc": "2.0", "id": "2", "method": "echo"})
        assert await talk.hear() == {"jsonrpc": "2.0", "id": "2", "result": None}
        await talk.peer.notify("news", {})
        assert await talk.hear() == {"jsonrpc": "2.0", "method": "news", "params": {}}

    run(scene())


def test_a_refusal_of_the_receiver_goes_out_with_its_data() -> None:
    async def refuse(_params: object) -> object:
        raise RpcError(-32010, "no such session", {"code": "X"})

    async def scene() -> None:
        talk = Conversation(Recorder(refuse=refuse))
        talk.say({"id": 1, "method": "refuse"})
        assert await talk.hear() == {
            "id": 1,
            "error": {"code": -32010, "message": "no such session", "data": {"code": "X"}},
        }

    run(scene())


def test_a_bug_in_the_receiver_is_answered_without_its_text(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def break_down(_params: object) -> object:
        message = "the secret plan"
        raise ZeroDivisionError(message)

    async def scene() -> None:
        talk = Conversation(Recorder(break_down=break_down, echo=echo))
        talk.say({"id": 1, "method": "break_down"})
        answer = await talk.hear()
        assert answer["error"]["code"] == INTERNAL_ERROR
        assert "secret" not in str(answer)
        talk.say({"id": 2, "method": "echo"})
        assert (await talk.hear())["id"] == 2

    run(scene())
    assert caplog.records[0].exc_info is not None


def test_a_result_that_cannot_be_encoded_is_answered_as_a_bug(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def give_surrogate(_params: object) -> object:
        return {"text": "\ud800"}

    async def scene() -> None:
        talk = Conversation(Recorder(give=give_surrogate))
        talk.say({"id": 1, "method": "give"})
        assert (await talk.hear())["error"]["code"] == INTERNAL_ERROR

    run(scene())
    assert caplog.records


def test_nonsense_is_answered_and_blank_lines_are_not() -> None:
    async def scene() -> None:
        talk = Conversation(Recorder(echo=echo), Limits(line_bytes=100))
        talk.say_bytes(b"\n  \r\nnonsense\n" + b"x" * 200 + b"\n")
        talk.say([1], {"id": True, "method": "echo"}, {"id": 3, "method": "gone"})
        answers = [await talk.hear() for _ in range(5)]
        assert [(answer["id"], answer["error"]["code"]) for answer in answers] == [
            (None, PARSE_ERROR),
            (None, INVALID_REQUEST),
            (None, INVALID_REQUEST),
            (None, INVALID_REQUEST),
            (3, METHOD_NOT_FOUND),
        ]

    run(scene())


def test_an_id_in_use_is_refused_without_touching_the_first_request() -> None:
    async def scene() -> None:
        gate = asyncio.Event()

        async def wait(_params: object) -> object:
            await gate.wait()
            return "done"

        talk = Conversation(Recorder(wait=wait))
        talk.say({"id": 1, "method": "wait"}, {"id": 1, "method": "wait"})
        refusal = await talk.hear()
        assert (refusal["id"], refusal["error"]["code"]) == (None, INVALID_REQUEST)
        gate.set()
        assert await talk.hear() == {"id": 1, "result": "done"}

    run(scene())


def test_an_id_is_free_as_soon_as_it_is_answered() -> None:
    async def scene() -> None:
        talk = Conversation(Recorder(echo=echo))
        for number in range(20):
            talk.say({"id": 1, "method": "echo", "params": number})
            assert (await talk.hear())["result"] == number

    run(scene())


@pytest.mark.parametrize("is_started", [True, False])
def test_a_cancelled_request_is_answered_as_cancelled(*, is_started: bool) -> None:
    async def scene() -> None:
        started = asyncio.Event()

        async def wait(_params: object) -> object:
            started.set()
            return await asyncio.Event().wait()

        talk = Conversation(Recorder(wait=wait))
        talk.say({"id": "a", "method": "wait"})
        if is_started:
            await started.wait()
        talk.say({"method": "$/cancelRequest", "params": {"id": "a"}})
        answer = await talk.hear()
        assert (answer["id"], answer["error"]["code"]) == ("a", REQUEST_CANCELLED)

    run(scene())


@pytest.mark.parametrize("params", [None, [], {}, {"id": None}, {"id": True}, {"id": "unknown"}])
def test_cancelling_nothing_changes_nothing(params: object) -> None:
    async def scene() -> None:
        talk = Conversation(Recorder(echo=echo))
        talk.say({"method": "$/cancelRequest", "params": params})
        talk.say({"id": 1, "method": "echo"})
        assert await talk.hear() == {"id": 1, "result": None}

    run(scene())


def test_one_request_too_many_is_refused_as_overload() -> None:
    async def scene() -> None:
        gate = asyncio.Event()

        async def wait(_params: object) -> object:
            return await gate.wait()

        talk = Conversation(Recorder(wait=wait), Limits(running_requests=2))
        talk.say(*({"id": number, "method": "wait"} for number in (1, 2, 3)))
        refusal = await talk.hear()
        assert (refusal["id"], refusal["error"]["code"]) == (3, OVERLOADED)
        gate.set()
        assert {(await talk.hear())["id"], (await talk.hear())["id"]} == {1, 2}

    run(scene())


def test_a_client_that_does_not_read_is_not_read_from() -> None:
    """Memory stays bounded: a flood of requests waits in the client's own pipe."""

    async def scene() -> None:
        answered = 0

        async def big(_params: object) -> object:
            nonlocal answered
            answered += 1
            return "x" * 10_000

        limits = Limits(running_requests=2_000, queued_messages=20)
        talk = Conversation(Recorder(big=big), limits)
        talk.transport.pause_reading()
        for number in range(2_000):
            talk.say({"id": number, "method": "big"})
            await asyncio.sleep(0)
        held = answered
        assert held < 100
        talk.transport.resume_reading()
        assert [(await talk.hear())["id"] for _ in range(2_000)] == list(range(2_000))

    run(scene())


def test_a_slow_reader_is_told_about_later_and_not_buffered_for() -> None:
    async def scene() -> None:
        recorder = Recorder()
        talk = Conversation(recorder, Limits(queued_messages=10))
        talk.transport.pause_reading()
        sent = 0
        while talk.peer.try_notify("news", {"text": "x" * 10_000}):
            sent += 1
            await asyncio.sleep(0)
        assert 0 < sent < 50
        assert not recorder.has_room.is_set()
        talk.transport.resume_reading()
        await recorder.has_room.wait()
        assert talk.peer.try_notify("news", "again")
        heard = [await talk.hear() for _ in range(sent + 1)]
        assert heard[-1]["params"] == "again"

    run(scene())


def test_notifying_waits_for_a_slow_reader_and_loses_nothing() -> None:
    async def scene() -> None:
        talk = Conversation(Recorder(), Limits(queued_messages=10))
        talk.transport.pause_reading()
        telling = asyncio.create_task(_tell(talk.peer, 200))
        for _ in range(500):
            await asyncio.sleep(0)
        assert not telling.done()
        talk.transport.resume_reading()
        assert [(await talk.hear())["params"][0] for _ in range(200)] == list(range(200))
        await telling

    async def _tell(peer: Peer, count: int) -> None:
        for number in range(count):
            await peer.notify("news", [number, "x" * 2_000])

    run(scene())


def test_half_a_close_lets_every_answer_out() -> None:
    """A script may pipe its requests in and read the answers at its leisure."""

    async def scene() -> None:
        async def later(params: object) -> object:
            await asyncio.sleep(0)
            return params

        talk = Conversation(Recorder(later=later))
        talk.say(*({"id": number, "method": "later"} for number in range(50)))
        talk.say_bytes(b'{"id":50,"method":"later"}')
        assert [answer["id"] for answer in await talk.hear_all()] == list(range(51))

    run(scene())


def test_an_answer_that_never_comes_delays_the_end_only_so_long() -> None:
    async def scene() -> None:
        stopped = asyncio.Event()

        async def hang(_params: object) -> object:
            try:
                return await asyncio.Event().wait()
            finally:
                stopped.set()

        talk = Conversation(Recorder(hang=hang), Limits(closing_s=0.05))
        talk.say({"id": 1, "method": "hang"})
        assert await talk.hear_all() == []
        assert stopped.is_set()
        assert talk.recorder.losses == 1

    run(scene())


def test_closing_stops_answers_and_fails_questions() -> None:
    async def scene() -> None:
        async def hang(_params: object) -> object:
            return await asyncio.Event().wait()

        left, right = peer_pair(Recorder(hang=hang), Recorder(hang=hang))
        asking = [asyncio.create_task(peer.request("hang")) for peer in (left, right)]
        await asyncio.sleep(0)
        await left.close()
        await right.wait_closed()
        for question in asking:
            with pytest.raises(ConnectionLostError):
                await question
        with pytest.raises(ConnectionLostError):
            await left.request("hang")
        assert not right.try_notify("news") or right.is_closing

    run(scene())


def test_a_reader_who_never_reads_is_cut_off_at_the_end() -> None:
    async def scene() -> None:
        talk = Conversation(Recorder(), Limits(closing_s=0.05))
        talk.transport.pause_reading()
        talk.peer.try_notify("news", "x" * 200_000)
        await talk.peer.close()
        assert talk.recorder.losses == 1

    run(scene())


def test_a_reader_who_says_no_more_and_never_reads_is_cut_off() -> None:
    """A bug: what had no room to leave kept the connection for good."""

    async def scene() -> None:
        talk = Conversation(Recorder(), Limits(queued_messages=2, closing_s=0.05))
        talk.transport.pause_reading()
        await until(lambda: not talk.peer.try_notify("news", "x" * 50_000))
        talk.transport.write_eof()
        await talk.peer.wait_closed()
        assert talk.recorder.losses == 1

    run(scene())


def test_waiting_for_room_ends_with_the_connection() -> None:
    async def scene() -> None:
        talk = Conversation(Recorder(), Limits(queued_messages=1, closing_s=0.05))
        talk.transport.pause_reading()
        await until(lambda: not talk.peer.try_notify("news", "x" * 50_000))
        telling = asyncio.create_task(talk.peer.notify("more"))
        await asyncio.sleep(0)
        talk.peers_transport.abort()
        with pytest.raises(ConnectionLostError):
            await telling
        assert talk.recorder.losses == 1

    run(scene())


def test_a_peer_without_a_transport_can_be_closed() -> None:
    async def scene() -> None:
        peer = Peer(Recorder())
        await peer.close()
        await peer.close()

    run(scene())


def test_giving_up_a_question_cancels_it_on_the_other_side() -> None:
    async def scene() -> None:
        started, stopped = asyncio.Event(), asyncio.Event()

        async def hang(_params: object) -> object:
            started.set()
            try:
                return await asyncio.Event().wait()
            finally:
                stopped.set()

        asker, _answerer = peer_pair(Recorder(), Recorder(hang=hang, echo=echo))
        question = asyncio.create_task(asker.request("hang"))
        await started.wait()
        question.cancel()
        await stopped.wait()
        assert await asker.request("echo", "still here") == "still here"

    run(scene())


def test_a_refusal_reaches_the_asker() -> None:
    async def scene() -> None:
        asker, _answerer = peer_pair(Recorder(), Recorder())
        with pytest.raises(RpcError) as refusal:
            await asker.request("gone")
        assert refusal.value.code == METHOD_NOT_FOUND

    run(scene())


def test_notifications_keep_their_order_before_later_requests() -> None:
    async def scene() -> None:
        recorder = Recorder()

        async def heard(_params: object) -> object:
            return len(recorder.notifications)

        recorder.handlers["heard"] = heard
        talk = Conversation(recorder)
        talk.say(*({"method": "note", "params": [number]} for number in range(5)))
        talk.say({"id": 1, "method": "heard"})
        assert (await talk.hear())["result"] == 5
        assert [params for _, params in recorder.notifications] == [[n] for n in range(5)]

    run(scene())


@settings(max_examples=200, deadline=None)
@given(st.lists(st.binary(max_size=60), max_size=20))
def test_no_bytes_kill_a_peer(chunks: list[bytes]) -> None:
    async def scene() -> None:
        talk = Conversation(Recorder(echo=echo), Limits(line_bytes=50))
        for chunk in chunks:
            talk.say_bytes(chunk)
            await asyncio.sleep(0)
        talk.say_bytes(b"\n")
        talk.say({"id": "alive", "method": "echo"})
        while (await talk.hear()).get("id") != "alive":
            pass

    run(scene())
