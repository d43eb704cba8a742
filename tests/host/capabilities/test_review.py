"""lime.review: asked like every other question, decided by a person, read by the app."""

from pathlib import Path

import pytest

from lime_desktop.host.approvals.question import NO, YES, Answer
from tests.app_server.apps.packages import write_app
from tests.host.bridged import Bridged, play


@pytest.mark.parametrize(
    ("answer", "decision", "payload"),
    [
        (YES, "approve", {"text": "Hi"}),
        (Answer(is_yes=True, updated_arguments={"text": "Hello"}), "modify", {"text": "Hello"}),
        (NO, "reject", {"text": "Hi"}),
    ],
)
def test_a_decision_is_the_persons(
    tmp_path: Path, answer: Answer, decision: str, payload: object
) -> None:
    async def scene(page: Bridged) -> None:
        asked = {"subject": "draft", "payload": {"text": "Hi"}}
        first = await page.value("lime.review.requestDecision", **asked)
        assert (first["status"], len(page.approvals.queue.open)) == ("pending", 1)
        again = await page.value("lime.review.requestDecision", **asked)
        assert again["decisionId"] == first["decisionId"]
        page.approvals.queue.answer([page.approvals.queue.open[0].question_id], answer)
        assert await page.value("lime.review.listPending") == []
        given = {"decisionId": first["decisionId"], "decision": "approve"}
        assert await page.code("lime.review.submitDecision", **given) == "APP_E121"
        told = await page.value("lime.review.requestDecision", **asked)
        assert (told["decisionId"], told["status"]) == (first["decisionId"], "decided")
        assert (told["decision"], told["payload"]) == (decision, payload)
        anew = await page.value("lime.review.requestDecision", **asked)
        assert (anew["status"], len(page.approvals.queue.open)) == ("pending", 1)

    play(tmp_path / "data", write_app(tmp_path, capabilities="{lime.review: '>=0.3.0'}"), scene)


def test_a_page_cannot_decide_for_the_person(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        first = await page.value("lime.review.requestDecision", subject="draft")
        given = {"decisionId": first["decisionId"], "decision": "approve"}
        assert (await page.value("lime.review.submitDecision", **given))["status"] == "pending"
        assert len(page.approvals.queue.open) == 2
        page.approvals.queue.answer([page.approvals.queue.open[1].question_id], YES)
        assert await page.value("lime.review.listPending") == []
        assert (
            await page.code("lime.review.submitDecision", decisionId="x", decision="reject")
            == "APP_E120"
        )

    play(tmp_path / "data", write_app(tmp_path, capabilities="{lime.review: '>=0.3.0'}"), scene)
