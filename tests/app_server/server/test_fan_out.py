"""Who hears of which event, and what becomes of those who cannot keep up."""

import asyncio
from typing import Any

import pytest

from lime_desktop.app_server.server.fan_out import MAX_WATCHED_SESSIONS, FanOut, Subscriber
from lime_desktop.jsonrpc.outbox import Limits
from lime_desktop.protocol.calls.handshake import ClientCapabilities
from lime_desktop.protocol.ids import AppId, SessionId
from lime_desktop.protocol.runtime.event_types import EventType
from tests.app_server.server.door import Client, Door, event
from tests.jsonrpc.conversation import run

APP = AppId("app")


async def settle() -> None:
    for _ in range(30):
        await asyncio.sleep(0)


def heard_by(client: Client) -> list[dict[str, Any]]:
    arrived = client.lines.arrived
    return [arrived.get_nowait() for _ in range(arrived.qsize())]


async def watching(door: Door, *sessions: str, **introduction: object) -> Client:
    client = door.client()
    await client.introduce(**introduction)
    for session in sessions:
        door.owners[SessionId(session)] = APP
        await client.call("agentSession/compact", {"sessionId": session})
    return client


@pytest.mark.requirement("RT-34")
def test_whoever_starts_a_session_hears_its_first_event() -> None:
    """Ours: a client is subscribed to what it names, before the call takes effect."""

    async def scene() -> None:
        client = Door().client()
        await client.introduce()
        answer = await client.call("agentSession/start", {"appId": "app"})
        heard = await client.hear()
        assert heard["method"] == "agentSession/event"
        assert heard["params"]["event"]["sessionId"] == answer["result"]["session"]["sessionId"]
        assert heard["params"]["event"]["type"] == "session.created"

    run(scene())


def test_events_of_other_sessions_are_not_heard() -> None:
    """Ours: a stranger's session is not announced."""

    async def scene() -> None:
        door = Door()
        client = await watching(door, "mine")
        door.services.fan_out.publish(APP, [event("other", 1)])
        door.services.fan_out.publish(APP, [event("mine", 1), event("mine", 2)])
        await settle()
        assert [line["params"]["event"]["sequence"] for line in heard_by(client)] == [1, 2]

    run(scene())


@pytest.mark.parametrize(
    "capabilities",
    [
        {"optOutNotificationMethods": ["agentSession/event", "no/such"]},
        {"eventMethods": ["something/else"]},
        {"eventMethods": []},
    ],
)
def test_a_client_that_wants_no_events_gets_none(capabilities: dict[str, object]) -> None:
    """The standard: exact names, unknown ones are ignored."""

    async def scene() -> None:
        door = Door()
        client = await watching(door, "mine", capabilities=capabilities)
        door.services.fan_out.publish(APP, [event("mine", 1)])
        await settle()
        assert heard_by(client) == []

    run(scene())


@pytest.mark.requirement("RT-07", "RT-60")
def test_a_strict_client_hears_the_profile_and_nothing_beyond() -> None:
    """Ours: extensions are left out, and a cancelled turn still ends."""

    async def scene() -> None:
        door = Door()
        strict = await watching(door, "mine", capabilities={"strictProfile": True})
        lenient = await watching(door, "mine")
        door.services.fan_out.publish(
            APP, [event("mine", 1, "plan.delta"), event("mine", 2, "turn.canceled")]
        )
        await settle()
        (only,) = heard_by(strict)
        assert only["params"]["event"]["type"] == "turn.failed"
        assert only["params"]["event"]["payload"] == {"failureCategory": "cancelled"}
        assert [line["params"]["event"]["type"] for line in heard_by(lenient)] == [
            "plan.delta",
            "turn.canceled",
        ]

    run(scene())


def test_a_slow_client_is_told_where_it_fell_behind_and_costs_no_memory() -> None:
    """Ours: a marker and a re-read instead of a pile of events."""

    async def scene() -> None:
        door = Door(limits=Limits(queued_messages=20))
        client = await watching(door, "mine", "other")
        client.transport.pause_reading()
        for sequence in range(1, 3_001):
            door.services.fan_out.publish(APP, [event("mine", sequence)])
        door.services.fan_out.publish(APP, [event("other", 1)])
        assert len(client.connection.peer._outbox) <= 20
        client.transport.resume_reading()
        await settle()
        *events, first_gap, second_gap = heard_by(client)
        last = events[-1]["params"]["event"]["sequence"]
        assert [line["params"]["event"]["sequence"] for line in events] == list(range(1, last + 1))
        assert (first_gap, second_gap) == (
            {
                "method": "agentSession/gap",
                "params": {"sessionId": "mine", "afterSequence": last},
            },
            {"method": "agentSession/gap", "params": {"sessionId": "other", "afterSequence": 0}},
        )
        door.services.fan_out.publish(APP, [event("mine", 3_001)])
        await settle()
        assert heard_by(client)[0]["params"]["event"]["sequence"] == 3_001

    run(scene())


def test_one_slow_client_does_not_slow_another() -> None:
    """Ours: everybody has their own queue."""

    async def scene() -> None:
        door = Door(limits=Limits(queued_messages=20))
        slow, fast = await watching(door, "mine"), await watching(door, "mine")
        slow.transport.pause_reading()
        for sequence in range(1, 2_001):
            door.services.fan_out.publish(APP, [event("mine", sequence)])
            if sequence % 10 == 0:
                await asyncio.sleep(0)
        await settle()
        assert [line["params"]["event"]["sequence"] for line in heard_by(fast)] == list(
            range(1, 2_001)
        )

    run(scene())


def test_a_client_hears_of_a_bounded_number_of_sessions() -> None:
    """Ours: a connection that lives for months must not grow for months."""

    class Silent:
        def try_notify(self, method: str, params: object = None) -> bool:
            del method, params
            return True

    fan_out = FanOut()
    subscriber = Subscriber(Silent(), ClientCapabilities(), None)
    for number in range(MAX_WATCHED_SESSIONS + 10):
        fan_out.watch(subscriber, SessionId(f"s{number}"))
    fan_out.watch(subscriber, SessionId(f"s{MAX_WATCHED_SESSIONS}"))
    assert len(subscriber.watched) == len(fan_out._by_session) == MAX_WATCHED_SESSIONS
    fan_out.leave(subscriber)
    assert not fan_out._by_session


def types_heard_by(client: Client) -> list[str]:
    return [line["params"]["event"]["type"] for line in heard_by(client)]


def tell(door: Door, session: str, *types: EventType) -> None:
    told = [event(session, number, each) for number, each in enumerate(types, 1)]
    door.services.fan_out.publish(APP, told)


SOME: tuple[EventType, ...] = ("model.delta", "turn.started", "runtime.warning")


def test_a_client_hears_the_types_of_events_that_it_asked_for() -> None:
    """Ours: what would be dropped on the other side is not sent there."""

    async def scene() -> None:
        door = Door()
        wishes = {"sessionEventTypes": ["turn.*", "runtime.warning"]}
        some = await watching(door, "mine", capabilities=wishes)
        none = await watching(door, "mine", capabilities={"sessionEventTypes": []})
        tell(door, "mine", *SOME)
        await settle()
        assert types_heard_by(some) == ["turn.started", "runtime.warning"]
        assert types_heard_by(none) == []

    run(scene())


def test_a_client_that_follows_a_session_hears_of_it_what_it_names_then() -> None:
    """Ours: of one session more, or less, or the usual again."""

    async def scene() -> None:
        door = Door()
        client = await watching(
            door, "mine", "other", capabilities={"sessionEventTypes": ["turn.*"]}
        )
        heard: list[list[str]] = []
        for more in ({"eventTypes": ["*"]}, {"eventTypes": ["model.delta"]}, {}):
            follow = {"sessionId": "mine", **more}
            client.say({"method": "agentSession/follow", "params": follow})
            await settle()
            tell(door, "mine", *SOME)
            await settle()
            heard.append(types_heard_by(client))
        assert heard == [[*SOME], ["model.delta"], ["turn.started"]]
        tell(door, "other", *SOME)
        await settle()
        assert types_heard_by(client) == ["turn.started"]

    run(scene())


@pytest.mark.parametrize(
    "follow",
    [
        {"sessionId": "strange", "eventTypes": ["*"]},
        {"sessionId": "", "eventTypes": ["*"]},
        {"sessionId": "mine", "eventTypes": "all"},
        {"sessionId": "mine", "eventTypes": ["x" * 101]},
        {},
        None,
    ],
)
def test_to_follow_a_session_opens_none_and_breaks_nothing(follow: object) -> None:
    """Ours: only a session that was named, and is the client's own, is heard of."""

    async def scene() -> None:
        door = Door()
        door.owners[SessionId("strange")] = AppId("other")
        client = await watching(door, "mine", appId="app")
        client.say({"method": "agentSession/follow", "params": follow})
        await client.call("agentSession/compact", {"sessionId": "strange"})
        door.services.fan_out.publish("other", [event("strange", 1)])
        tell(door, "mine", "model.delta")
        await settle()
        assert types_heard_by(client) == ["model.delta"]

    run(scene())


def test_a_session_may_be_followed_before_it_is_named() -> None:
    """Ours: what is written between the two must not be missed."""

    async def scene() -> None:
        door = Door()
        client = await watching(door, capabilities={"sessionEventTypes": []})
        client.say(
            {
                "method": "agentSession/follow",
                "params": {"sessionId": "mine", "eventTypes": ["*"]},
            }
        )
        await client.call("agentSession/compact", {"sessionId": "mine"})
        tell(door, "mine", "model.delta")
        await settle()
        assert types_heard_by(client) == ["model.delta"]

    run(scene())
