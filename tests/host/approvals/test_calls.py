"""A page's call that needs a yes: asked once, answered by a person, made again by the page."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from lime_desktop.host.approvals.question import NO, YES, Answer, Question
from lime_desktop.host.approvals.queue import MAX_OPEN_PER_APP
from tests.conformance.hosted_app import HostedApp
from tests.conformance.packages import app_md, write_package

STORING = """requires: {capabilities: [lime.storage]}
entries: [{key: home, kind: page, title: Home, route: /}]
storage: {namespace: notes}
permissions: [{key: keep, scope: storage, access: read-write, reason: To keep notes}]
"""
ASK = "{id: ask, effect: ask, text: Writing is watched here., when: {capabilities: [lime.storage], methods: [set]}}"
PENDING, DECLINED, SERVER_DOWN, TOO_MANY = "APP_E010", "APP_E027", "APP_E901", "APP_E019"
"""No App Server runs in these tests: a call that gets as far has passed the gate."""


@pytest.fixture
def app(tmp_path: Path) -> HostedApp:
    hosted = HostedApp(write_package(tmp_path, {"APP.md": app_md(STORING)}), house_rules=ASK)
    hosted.registry.grant("notes", "keep")
    return hosted


def write(app: HostedApp, value: object = 1, key: str = "k") -> dict[str, Any]:
    return app.invoke("lime.storage.set", {"key": key, "value": value})["payload"]


def code(payload: dict[str, Any]) -> str:
    return payload["details"]["appErrorCode"]


def answer(app: HostedApp, question_ids: list[str], given: Answer) -> None:
    """Answer as the window does, in a loop: a no is written down in its own time."""

    async def say() -> None:
        app.desk.queue.answer(question_ids, given)

    asyncio.run(say())


def the_question(app: HostedApp) -> Question:
    [question] = app.desk.queue.open
    return question


def test_the_question_says_who_wants_what_and_why(app: HostedApp) -> None:
    refused = write(app, {"text": "hello"})
    assert (code(refused), refused["retryable"], refused["details"]["pending"]) == (
        PENDING,
        True,
        True,
    )
    question = the_question(app)
    assert (question.app_id, question.origin, question.action) == (
        "notes",
        "call",
        "lime.storage.set",
    )
    assert question.arguments == {"key": "k", "value": {"text": "hello"}}
    assert [reason.rule_id for reason in question.reasons] == ["organisation.ask"]
    assert question.reasons[0].text


def test_a_yes_lets_the_same_call_through_once(app: HostedApp) -> None:
    write(app)
    answer(app, [the_question(app).question_id], YES)
    assert code(write(app)) == SERVER_DOWN
    assert code(write(app)) == PENDING


def test_a_yes_to_one_call_says_nothing_about_another(app: HostedApp) -> None:
    write(app, 1)
    answer(app, [the_question(app).question_id], YES)
    assert code(write(app, 2)) == PENDING
    assert code(write(app, 1)) == SERVER_DOWN


def test_a_yes_for_the_session_holds_for_every_such_call_of_the_view(app: HostedApp) -> None:
    write(app, 1)
    assert "session" in the_question(app).remember_scopes
    answer(app, [the_question(app).question_id], Answer(is_yes=True, remember="session"))
    assert [code(write(app, value)) for value in range(3)] == [SERVER_DOWN] * 3


def test_a_no_is_told_once_and_with_its_words(app: HostedApp) -> None:
    write(app)
    no = Answer(is_yes=False, message="Not on Mondays")
    answer(app, [the_question(app).question_id], no)
    told = write(app)
    assert (code(told), told["details"]["message"]) == (DECLINED, "Not on Mondays")
    # A bug: "Grant the permission in Settings", where no permission of the kind was to be found.
    assert "Settings" not in json.dumps(told)
    assert told["message"] == "You did not allow this. Nothing was done."


def test_a_page_that_refreshes_does_not_ask_again_what_was_just_refused(app: HostedApp) -> None:
    """A bug: the same question was back the moment it was answered, as often as the page drew itself."""
    write(app)
    answer(app, [the_question(app).question_id], NO)
    assert [code(write(app)) for _ in range(3)] == [DECLINED] * 3
    assert app.desk.queue.open == ()
    # Another is another, and after a while it may be asked again.
    assert code(write(app, 2)) == PENDING
    app.desk.calls.hush_s = 0
    answer(app, [the_question(app).question_id], NO)
    assert [code(write(app, 2)) for _ in range(2)] == [DECLINED, PENDING]


def test_asking_again_opens_no_second_question(app: HostedApp) -> None:
    assert [code(write(app)) for _ in range(3)] == [PENDING] * 3
    assert len(app.desk.queue.open) == 1


def test_what_is_put_off_or_only_looked_at_stays_open(app: HostedApp) -> None:
    write(app, 1)
    write(app, 2)
    first, second = app.desk.queue.open
    app.desk.queue.defer(first.question_id)
    assert app.desk.queue.open == (second, first)
    assert code(write(app, 1)) == PENDING


def test_several_questions_are_answered_together(app: HostedApp) -> None:
    for value in range(3):
        write(app, value)
    changes: list[int] = []
    app.desk.queue.watch(lambda: changes.append(len(app.desk.queue.open)))
    answer(app, [each.question_id for each in app.desk.queue.open], NO)
    assert [code(write(app, value)) for value in range(3)] == [DECLINED] * 3
    assert changes[0] == 0


def test_an_app_cannot_bury_a_person_in_questions(app: HostedApp) -> None:
    answers = [code(write(app, value)) for value in range(MAX_OPEN_PER_APP + 5)]
    assert answers.count(TOO_MANY) == 5
    assert len(app.desk.queue.open) == MAX_OPEN_PER_APP


def test_a_question_tells_the_page_nothing_it_did_not_say_itself(app: HostedApp) -> None:
    told = json.dumps(write(app, "x"))
    assert "organisation.ask" not in told
