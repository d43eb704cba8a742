"""A call that needs a yes waits for the person as long as its client does; a later answer is never lost (ours)."""

import asyncio
from pathlib import Path

import pytest

from lime_desktop.host.approvals.approvals import Approvals
from lime_desktop.host.approvals.question import NO, YES, Answer, Question
from lime_desktop.host.bridge.session import Payload
from lime_desktop.host.requests.asked_call import AskedCall
from lime_desktop.host.requests.repeated_calls import WaitingCalls
from lime_desktop.policy.policy_file import parse_policy_file
from lime_desktop.protocol.bridge.from_app import InvokePayload
from lime_desktop.protocol.bridge.from_host import ResponsePayload
from lime_desktop.protocol.capability_calls.table import call_named
from lime_desktop.protocol.errors import ApprovalRequired
from tests.app_server.apps.packages import write_app
from tests.host.bridged import Bridged, Scene, play

STORING = """\
storage: {namespace: notes}
permissions: [{key: keep, scope: storage, access: read-write, reason: To keep notes.}]
"""
SET = {"key": "a", "value": "kept"}
HOUSE_RULES = parse_policy_file(
    "version: 1\nname: House rules\n"
    "rules: [{id: ask, effect: ask, text: Watched., when: {capabilities: [lime.storage]}}]",
    layer="organisation",
    source="house.yaml",
).rules


def show(folder: Path, scene: Scene) -> None:
    """Run a scene in which a person is asked about everything that the page stores."""

    async def ruled(page: Bridged) -> None:
        page.rules = HOUSE_RULES
        await scene(page)

    package = write_app(folder, capabilities="{lime.storage: '*', lime.policy: '*'}", more=STORING)
    play(folder / "data", package, ruled)


async def question_of(page: Bridged) -> Question:
    queue, is_shown = page.approvals.queue, asyncio.Event()
    leave = queue.watch(is_shown.set)
    if not queue.open:
        await is_shown.wait()
    leave()
    return queue.open[0]


async def say(page: Bridged, answer: Answer) -> None:
    page.approvals.queue.answer([(await question_of(page)).question_id], answer)


def test_a_yes_in_time_lets_the_very_call_through(tmp_path: Path) -> None:
    """A bug: the call was told at once that a person is asked, and most apps took that for a refusal."""

    async def scene(page: Bridged) -> None:
        page.approvals.calls.wait_s = 30
        call = asyncio.ensure_future(page("lime.storage.set", **SET))
        await say(page, YES)
        assert (await call)["ok"]
        page.approvals.calls.wait_s = 0
        assert await page.code("lime.storage.get", key="a") == "APP_E010"

    show(tmp_path, scene)


def test_a_no_in_time_is_told_to_the_very_call(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        page.approvals.calls.wait_s = 30
        call = asyncio.ensure_future(page("lime.storage.set", **SET))
        await say(page, NO)
        assert (await call)["details"]["appErrorCode"] == "APP_E027"
        assert page.approvals.queue.open == ()

    show(tmp_path, scene)


def test_a_later_yes_is_told_by_an_event_and_picked_up_by_the_same_call(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        wish = {"capability": "lime.policy", "topic": "decisions"}
        assert (await page.send("capability:subscribe", wish))["ok"]
        told = await page("lime.storage.set", **SET)
        assert (told["details"]["appErrorCode"], told["details"]["pending"]) == ("APP_E010", True)
        await say(page, YES)
        event = (await page.pushed.get())["payload"]
        assert event["eventType"] == "decision"
        assert event["payload"] == {
            "questionId": told["details"]["questionId"],
            "decision": "allowed",
        }
        assert (await page("lime.storage.set", **SET))["ok"]

    show(tmp_path, scene)


def test_whoever_wants_to_know_that_a_person_is_asked_is_told_at_once(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        page.approvals.calls.wait_s = 30
        call = {"capability": "lime.storage", "method": "set", "input": SET}
        told = await page.send("capability:invoke", {**call, "waitsForPerson": False})
        assert told["details"]["appErrorCode"] == "APP_E010"

    show(tmp_path, scene)


def test_a_permission_that_is_asked_for_waits_likewise(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        page.approvals.calls.wait_s = 30
        for answer, status in (
            (NO, "denied"),
            (Answer(is_yes=True, remember="session"), "granted"),
        ):
            page.window.is_pressed = True
            call = asyncio.ensure_future(
                page.value("lime.policy.requestPermission", capability="lime.storage")
            )
            await say(page, answer)
            assert (await call)["status"] == status

    show(tmp_path, scene)


def test_what_a_closed_view_asked_is_withdrawn(tmp_path: Path) -> None:
    """A bug: the question stayed, and a yes to it was for nobody."""

    async def scene(page: Bridged) -> None:
        await page("lime.storage.set", **SET)
        await question_of(page)
        page.bridge.close()
        assert page.approvals.queue.open == ()

    show(tmp_path, scene)


def asked_for(seconds: float) -> AskedCall:
    call = call_named("lime.storage", "set")
    assert call is not None
    payload = InvokePayload(
        capability="lime.storage", method="set", input=dict(SET), timeout_ms=int(seconds * 1_000)
    )
    return AskedCall(call, payload).read()


def test_what_a_late_yes_began_is_done_once_and_its_outcome_kept_for_the_next_call() -> None:
    """The client would have given up, and what it asked for would have been cut off halfway."""

    async def scene() -> None:
        desk, done, begun = Approvals(), asyncio.Event(), list[int]()
        waiting, asked = WaitingCalls(desk.calls), asked_for(0.5)

        async def work() -> Payload:
            begun.append(1)
            await done.wait()
            return ResponsePayload.of("kept")

        # The question is answered already: what is begun by that takes longer than the client waits.
        needed = ApprovalRequired("asked", details={"questionId": "answered"})
        with pytest.raises(ApprovalRequired) as told:
            await waiting.run(asked, work, needed)
        assert told.value.details == {"pending": True}
        assert waiting.is_late(asked)
        done.set()
        answer = await waiting.join(asked)
        assert isinstance(answer, ResponsePayload)
        assert (answer.value, begun) == ("kept", [1])
        assert not waiting.is_late(asked)

    asyncio.run(asyncio.wait_for(scene(), 30))


def test_a_client_that_gives_up_ends_what_it_began() -> None:
    async def scene() -> None:
        desk, is_ended = Approvals(), asyncio.Event()
        waiting = WaitingCalls(desk.calls)

        async def work() -> Payload:
            try:
                await asyncio.Event().wait()
            finally:
                is_ended.set()
            raise AssertionError

        needed = ApprovalRequired("asked", details={"questionId": "answered"})
        task = asyncio.ensure_future(waiting.run(asked_for(60), work, needed))
        for _ in range(5):
            await asyncio.sleep(0)
        task.cancel()
        await is_ended.wait()

    asyncio.run(asyncio.wait_for(scene(), 30))
