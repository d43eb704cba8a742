"""Whatever the order of asking, answering, cancelling, stalling and closing, every question ends once."""

import asyncio

from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from hypothesis.strategies import DataObject, data, sampled_from

from lime_desktop.jsonrpc.messages import OVERLOADED, REQUEST_CANCELLED
from lime_desktop.jsonrpc.outbox import Limits
from tests.jsonrpc.conversation import Conversation, Recorder

RUNNING_LIMIT = 3


class Interleavings(RuleBasedStateMachine):
    """A model of what the other side may expect, against the real peer."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.gates: dict[int, asyncio.Future[str]] = {}
        self.open: set[int] = set()
        self.answers: dict[int, str] = {}
        self.next_id = 0
        self.talk = self.loop.run_until_complete(self._converse())

    async def _converse(self) -> Conversation:
        async def hold(params: dict[str, int]) -> object:
            self.gates[params["n"]] = gate = self.loop.create_future()
            return await gate

        return Conversation(
            Recorder(hold=hold), Limits(running_requests=RUNNING_LIMIT, closing_s=0.01)
        )

    def settle(self) -> None:
        async def some_turns() -> None:
            for _ in range(10):
                await asyncio.sleep(0)

        self.loop.run_until_complete(some_turns())
        while not self.talk.lines.arrived.empty():
            answer = self.talk.lines.arrived.get_nowait()
            assert answer["id"] not in self.answers, "a question was answered twice"
            code = answer.get("error", {}).get("code")
            self.answers[answer["id"]] = {
                None: "result",
                OVERLOADED: "overloaded",
                REQUEST_CANCELLED: "cancelled",
            }[code]

    @precondition(lambda self: not self.talk.lines.lost.is_set())
    @rule()
    def ask(self) -> None:
        self.next_id += 1
        has_place = len(self.open) < RUNNING_LIMIT
        self.talk.say({"id": self.next_id, "method": "hold", "params": {"n": self.next_id}})
        self.settle()
        if has_place:
            self.open.add(self.next_id)
        else:
            assert self.answers[self.next_id] == "overloaded"

    @precondition(lambda self: self.open and not self.talk.lines.lost.is_set())
    @rule(data=data())
    def answer(self, data: DataObject) -> None:
        number = data.draw(sampled_from(sorted(self.open)))
        self.gates[number].set_result("done")
        self.settle()
        self.open.remove(number)
        assert self.answers[number] == "result"

    @precondition(lambda self: self.open and not self.talk.lines.lost.is_set())
    @rule(data=data())
    def cancel(self, data: DataObject) -> None:
        number = data.draw(sampled_from(sorted(self.open)))
        self.talk.say({"method": "$/cancelRequest", "params": {"id": number}})
        self.settle()
        self.open.remove(number)
        assert self.answers[number] == "cancelled"

    @precondition(lambda self: not self.talk.lines.lost.is_set())
    @rule()
    def ask_and_cancel_at_once(self) -> None:
        self.next_id += 1
        has_place = len(self.open) < RUNNING_LIMIT
        self.talk.say(
            {"id": self.next_id, "method": "hold", "params": {"n": self.next_id}},
            {"method": "$/cancelRequest", "params": {"id": self.next_id}},
        )
        self.settle()
        assert self.answers[self.next_id] == ("cancelled" if has_place else "overloaded")

    @rule()
    def close(self) -> None:
        self.loop.run_until_complete(self.talk.peer.close())
        self.settle()
        self.open.clear()
        assert self.talk.lines.lost.is_set()

    @invariant()
    def the_peer_runs_exactly_what_is_open(self) -> None:
        assert set(self.talk.peer._answering.running) == self.open

    def teardown(self) -> None:
        self.loop.run_until_complete(self.talk.peer.close())
        self.loop.close()


TestInterleavings = Interleavings.TestCase
TestInterleavings.settings = settings(max_examples=60, stateful_step_count=20, deadline=None)
