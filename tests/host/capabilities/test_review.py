"""lime.review: asked like every other question, decided by a person's button, kept by the App Server, read by the app."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from pydantic import JsonValue

from lime_desktop.host.approvals.question import NO, YES, Answer, Question
from lime_desktop.policy.call import PolicyCall
from lime_desktop.policy.decision import Allowed
from tests.app_server.apps.packages import write_app
from tests.host.bridged import Bridged, bridged, play, run

ASKED = {"subject": "draft", "payload": {"text": "Hi"}}


def package_in(folder: Path) -> Path:
    return write_app(folder, capabilities="{lime.review: '>=0.3.0'}")


async def question_of(page: Bridged) -> Question:
    """The review as the window shows it, once it does."""
    queue, is_shown = page.approvals.queue, asyncio.Event()
    leave = queue.watch(is_shown.set)
    if not queue.open:
        await is_shown.wait()
    leave()
    return queue.open[0]


async def decide(page: Bridged, answer: Answer) -> None:
    question, is_settled = await question_of(page), asyncio.Event()
    leave = page.approvals.calls.settled.subscribe(lambda _: is_settled.set())
    page.approvals.queue.answer([question.question_id], answer)
    await is_settled.wait()
    leave()
    assert await page.value("lime.review.listPending") == []


def joined(page: Bridged) -> Bridged:
    """The page with a window that shows what the server asks."""
    page.approvals.agents.introduce(page.connection)
    return page


@pytest.mark.parametrize(
    ("answer", "decision", "payload"),
    [
        (YES, "approve", {"text": "Hi"}),
        (Answer(is_yes=True, updated_arguments={"text": "Hello"}), "modify", {"text": "Hello"}),
        (NO, "reject", {"text": "Hi"}),
        (Answer(is_yes=False, message="rubbish", text="yes"), "reject", {"text": "Hi"}),
    ],
)
def test_a_decision_is_the_persons(
    tmp_path: Path, answer: Answer, decision: str, payload: object
) -> None:
    async def scene(page: Bridged) -> None:
        joined(page)
        first = await page.value("lime.review.requestDecision", **ASKED)
        assert first["status"] == "pending"
        again = await page.value("lime.review.requestDecision", **ASKED)
        assert again["decisionId"] == first["decisionId"]
        question = await question_of(page)
        assert question.review is not None
        assert question.review.content == {"text": "Hi"}
        assert question.review.answer_goes_to_app
        await decide(page, answer)
        given = {"decisionId": first["decisionId"], "decision": "approve"}
        assert await page.code("lime.review.submitDecision", **given) == "APP_E121"
        told = await page.value("lime.review.requestDecision", **ASKED)
        assert (told["decisionId"], told["status"]) == (first["decisionId"], "decided")
        assert (told["decision"], told["payload"]) == (decision, payload)
        assert told.get("note") == answer.message
        anew = await page.value("lime.review.requestDecision", **ASKED)
        assert anew["status"] == "pending"
        assert anew["decisionId"] != first["decisionId"]

    play(tmp_path / "data", package_in(tmp_path), scene)


def test_a_review_that_is_waited_for_is_one_act(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bug: the settings said "204 times" after six questions, since a page asks on until there is an answer."""

    async def scene(page: Bridged) -> None:
        counted: list[str] = []

        def count(call: PolicyCall, _: Allowed) -> None:
            counted.append(call.name)

        monkeypatch.setattr(page.approvals.calls, "was_allowed", count)
        joined(page)
        for _ in range(5):
            await page.value("lime.review.requestDecision", **ASKED)
        assert counted == ["lime.review.requestDecision"]
        await page.value("lime.review.requestDecision", subject="another", payload=None)
        assert len(counted) == 2

    play(tmp_path / "data", package_in(tmp_path), scene)


def test_a_page_cannot_decide_for_the_person(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        joined(page)
        first = await page.value("lime.review.requestDecision", subject="draft")
        given = {"decisionId": first["decisionId"], "decision": "approve"}
        assert (await page.value("lime.review.submitDecision", **given))["status"] == "pending"
        assert len(await page.value("lime.review.listPending")) == 1
        await decide(page, YES)
        assert (
            await page.code("lime.review.submitDecision", decisionId="x", decision="reject")
            == "APP_E120"
        )

    play(tmp_path / "data", package_in(tmp_path), scene)


def test_a_review_outlives_desktop_and_server(tmp_path: Path) -> None:
    """Bug: reviews were kept in a dictionary of the desktop process."""
    package = package_in(tmp_path)

    async def scene() -> None:
        async with bridged(tmp_path / "data", package) as page:
            first = await page.value("lime.review.requestDecision", **ASKED)
        async with bridged(tmp_path / "data", package) as page:
            # Nobody has asked again: the window finds it by itself.
            await decide(joined(page), Answer(is_yes=True, updated_arguments={"text": "Hello"}))
        async with bridged(tmp_path / "data", package) as page:
            joined(page)
            told = await page.value("lime.review.requestDecision", **ASKED)
            assert told["decisionId"] == first["decisionId"]
            assert (told["decision"], told["payload"]) == ("modify", {"text": "Hello"})
            assert page.approvals.queue.open == ()

    run(scene)


def test_a_review_stays_in_the_window_while_the_server_is_away(tmp_path: Path) -> None:
    """A bug: a new server had every question put anew, and what the person had written there was gone."""
    package, seen = package_in(tmp_path), list[int]()

    async def scene() -> None:
        async with bridged(tmp_path / "data", package) as page:
            kept = joined(page).approvals
            await page.value("lime.review.requestDecision", **ASKED)
            question = await question_of(page)
            kept.queue.watch(lambda: seen.append(len(kept.queue.open)))
        async with bridged(tmp_path / "data", package) as page:
            kept.agents.introduce(page.connection)
            await kept.agents.close()
            assert kept.queue.open == (question,)
            assert seen == []
            is_settled = asyncio.Event()
            kept.calls.settled.subscribe(lambda _: is_settled.set())
            kept.queue.answer([question.question_id], YES)
            await is_settled.wait()
            told = await page.value("lime.review.requestDecision", **ASKED)
            assert (told["status"], told["decision"]) == ("decided", "approve")

    run(scene)


def test_an_answer_given_while_the_server_is_away_goes_to_the_next_one(tmp_path: Path) -> None:
    """A bug: it was asked again, and changes and note were gone."""
    package = package_in(tmp_path)
    answer = Answer(is_yes=True, updated_arguments={"text": "Hello"}, message="shorter")

    async def scene() -> None:
        async with bridged(tmp_path / "data", package) as page:
            kept = joined(page).approvals
            await page.value("lime.review.requestDecision", **ASKED)
            question = await question_of(page)
        kept.queue.answer([question.question_id], answer)
        await kept.agents.close()
        assert kept.queue.open == ()
        async with bridged(tmp_path / "data", package) as page:
            is_settled = asyncio.Event()
            kept.calls.settled.subscribe(lambda _: is_settled.set())
            kept.agents.introduce(page.connection)
            await is_settled.wait()
            assert kept.queue.open == ()
            told = await page.value("lime.review.requestDecision", **ASKED)
            assert (told["decision"], told["payload"]) == ("modify", {"text": "Hello"})
            assert told["note"] == "shorter"

    run(scene)


def test_an_answer_that_is_refused_is_asked_for_again_with_what_was_typed(tmp_path: Path) -> None:
    """A bug: one that was too long ended as a failed task, and its question was never put again."""

    async def scene(page: Bridged) -> None:
        joined(page)
        await page.value("lime.review.requestDecision", **ASKED)
        question = await question_of(page)
        long = Answer(is_yes=True, updated_arguments={"text": "x" * 200_000}, message="note")
        page.approvals.queue.answer([question.question_id], long)
        again = await question_of(page)
        assert (again.draft, again.refused_as) == (long, "APP_E014")
        await decide(page, NO)

    play(tmp_path / "data", package_in(tmp_path), scene)


def test_an_answer_is_told_as_it_is_given(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        joined(page)
        wish: dict[str, Any] = {"capability": "lime.review", "topic": "decisions"}
        assert (await page.send("capability:subscribe", wish))["ok"]
        first = await page.value("lime.review.requestDecision", **ASKED)
        await decide(page, Answer(is_yes=False, message="Too short"))
        event = (await page.pushed.get())["payload"]
        assert event["eventType"] == "decision"
        assert event["payload"]["decisionId"] == first["decisionId"]
        assert (event["payload"]["decision"], event["payload"]["note"]) == ("reject", "Too short")

    play(tmp_path / "data", package_in(tmp_path), scene)


def test_a_long_content_is_shown_and_changed_whole(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        joined(page)
        long = {"password": "x" * 50_000}
        await page.value("lime.review.requestDecision", subject="long", payload=long)
        question = await question_of(page)
        assert question.review is not None
        assert question.review.content == long
        changed: JsonValue = {"password": "y" * 50_000}
        await decide(page, Answer(is_yes=True, updated_arguments=changed))
        told = await page.value("lime.review.requestDecision", subject="long", payload=long)
        assert (told["decision"], told["payload"]) == ("modify", changed)

    play(tmp_path / "data", package_in(tmp_path), scene)


def test_a_request_under_a_key_is_answered_at_once_and_again_when_it_is_decided(
    tmp_path: Path,
) -> None:
    """A bug: the host asked the App Server over and over until the page's patience was over."""

    async def scene(page: Bridged) -> None:
        joined(page)
        payload = {"capability": "lime.review", "method": "requestDecision", "input": ASKED}
        keyed = {**payload, "idempotencyKey": "k"}
        first = (await page.send("capability:invoke", keyed))["value"]
        assert first["status"] == "pending"
        await decide(page, YES)
        told = (await page.send("capability:invoke", keyed))["value"]
        assert (told["decisionId"], told["decision"]) == (first["decisionId"], "approve")

    play(tmp_path / "data", package_in(tmp_path), scene)
