"""Actions: answered once, in any vocabulary; deferred stays open; silence is never a yes."""

from typing import Any

import pytest

from lime_desktop.app_server.execution.scripted import Ask, Script
from lime_desktop.app_server.runtime_core.running.driver import Limits
from lime_desktop.protocol.calls.sessions import ResumeContract, ResumeThreadParams
from lime_desktop.protocol.errors import ActionClosed, ActionNotFound, AppError, InvalidInput
from lime_desktop.protocol.ids import RuntimeId, SessionId, TurnId
from tests.app_server.conftest import Play
from tests.app_server.runtime_core.runtime import CONTEXT, DONE, Runtime, event


def asking(payload: dict[str, Any] | None = None) -> dict[str, Script]:
    question = {"actionType": "tool_confirmation", "prompt": "Go on?", **(payload or {})}
    return {
        "ask": [
            event("tool.started", {"toolName": "t"}, tool_call_id="call_1"),
            Ask(
                event("action.required", question, action_id="action_1", tool_call_id="call_1"),
                allowed=[event("tool.result", {"preview": "did it"}, tool_call_id="call_1")],
                denied=[event("tool.failed", {"failureCategory": "denied"}, tool_call_id="call_1")],
            ),
            DONE,
        ]
    }


async def asked(runtime: Runtime) -> None:
    await runtime.session()
    await runtime.turn("session_1", "ask", "turn_1")
    await runtime.saw("action.required")


@pytest.mark.parametrize(
    ("said", "behavior", "outcome"),
    [
        ({"decision": "allow"}, "allow", "tool.result"),
        ({"decision": "allow_once"}, "allow", "tool.result"),
        ({"decision": "allow_for_session"}, "allow", "tool.result"),
        ({"decision": "approved"}, "allow", "tool.result"),
        ({"confirmed": True}, "allow", "tool.result"),
        ({"decision": "deny", "message": "no"}, "deny", "tool.failed"),
        ({"decision": "decline"}, "deny", "tool.failed"),
        ({"decision": "cancel"}, "deny", "tool.failed"),
        ({"decision": "rejected"}, "deny", "tool.failed"),
        ({"confirmed": False}, "deny", "tool.failed"),
    ],
)
def test_every_vocabulary_is_stored_in_one_form(
    play: Play, said: dict[str, Any], behavior: str, outcome: str
) -> None:
    async def scenario(runtime: Runtime) -> None:
        await asked(runtime)
        assert await runtime.respond("session_1", "action_1", **said)
        await runtime.ended("turn_1")
        resolved = next(e for e in runtime.events if e.type == "action.resolved")
        assert (resolved.payload["decision"], resolved.payload["behavior"]) == (behavior, behavior)
        assert outcome in runtime.types("turn_1")
        assert runtime.engine.answers[0].behavior == behavior
        assert await runtime.respond("session_1", "action_1", **said)
        assert runtime.types().count("action.resolved") == 1
        with pytest.raises(ActionClosed):
            await runtime.respond("session_1", "action_1", decision="allow", message="another")

    play(asking({"availableDecisions": ["allow_once", "allow_for_session"]}), scenario)


@pytest.mark.parametrize(
    "said",
    [
        {"decision": "answered", "response": "blue"},
        {"response": "blue"},
        {"userData": {"colour": "blue"}},
    ],
)
def test_a_question_that_asks_for_words_is_answered_by_words(
    play: Play, said: dict[str, Any]
) -> None:
    """Ours: only a permission needs a yes; what colour it shall be does not."""

    async def scenario(runtime: Runtime) -> None:
        await asked(runtime)
        assert await runtime.respond("session_1", "action_1", actionType="ask_user", **said)
        await runtime.ended("turn_1")
        assert [answer.behavior for answer in runtime.engine.answers] == ["allow"]

    play(asking({"actionType": "ask_user"}), scenario)


def test_a_question_nobody_asked_cannot_be_deferred(play: Play) -> None:
    """Ours: an answer to nothing is told so, whatever it says."""

    async def scenario(runtime: Runtime) -> None:
        await asked(runtime)
        with pytest.raises(ActionNotFound):
            await runtime.respond("session_1", "action_9", decision="defer")

    play(asking(), scenario)


def test_a_deferred_question_stays_open(play: Play) -> None:
    async def scenario(runtime: Runtime) -> None:
        await asked(runtime)
        assert not await runtime.respond("session_1", "action_1", decision="defer")
        waiting = (await runtime.read("session_1")).snapshot.threads[0].pending_actions
        assert [action.action_id for action in waiting] == ["action_1"]
        await runtime.respond("session_1", "action_1", confirmed=True)
        await runtime.ended("turn_1")
        assert (await runtime.read("session_1")).snapshot.threads[0].pending_actions == ()

    play(asking(), scenario)


@pytest.mark.requirement("RT-31")
@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ({}, "missing"),
        ({"decision": "allow", "confirmed": False}, "contradicts_decision"),
        ({"decision": "allow_for_session"}, "not_offered"),
        ({"response": "better not"}, "missing"),
        ({"userData": {"sure": False}}, "missing"),
        ({"decision": "answered", "response": "never", "actionType": "ask_user"}, "missing"),
    ],
)
def test_an_answer_that_says_nothing_clear_is_refused(
    play: Play, said: dict[str, Any], problem: str
) -> None:
    """The standard: an unresolved action must not count as approved."""

    async def scenario(runtime: Runtime) -> None:
        await asked(runtime)
        with pytest.raises(InvalidInput) as refusal:
            await runtime.respond("session_1", "action_1", **said)
        assert problem in str(refusal.value.details)
        assert runtime.engine.answers == []

    play(asking(), scenario)


@pytest.mark.parametrize(
    ("said", "field"),
    [
        ({"decision": "allow_for_session"}, "decision"),
        ({"decision": "defer"}, "decision"),
        ({"decision": "allow", "updatedInput": {"a": 1}}, "updatedInput"),
    ],
)
def test_an_answer_goes_no_further_than_the_request_lets_it(
    play: Play, said: dict[str, Any], field: str
) -> None:
    """The standard: `rememberPolicy`, `supportsDefer` and `supportsUpdatedInput` of a request."""
    strict = {
        "availableDecisions": ["allow_once", "allow_for_task", "allow_for_session", "decline"],
        "rememberPolicy": "task",
        "supportsDefer": False,
        "supportsUpdatedInput": False,
    }

    async def scenario(runtime: Runtime) -> None:
        await asked(runtime)
        [told] = (await runtime.read("session_1")).snapshot.threads[0].pending_actions
        assert told.available_decisions == ("allow_once", "allow_for_task", "decline")
        with pytest.raises(InvalidInput) as refusal:
            await runtime.respond("session_1", "action_1", **said)
        assert (field in str(refusal.value.details), runtime.engine.answers) == (True, [])
        assert await runtime.respond("session_1", "action_1", decision="allow_for_task")

    play(asking(strict), scenario)


@pytest.mark.requirement("RT-31")
def test_an_unknown_question_and_a_foreign_scope_are_not_found(play: Play) -> None:
    async def scenario(runtime: Runtime) -> None:
        await asked(runtime)
        with pytest.raises(ActionNotFound):
            await runtime.respond("session_1", "action_9", confirmed=True)
        with pytest.raises(ActionNotFound):
            await runtime.respond(
                "session_1", "action_1", confirmed=True, actionScope={"turnId": "turn_9"}
            )

    play(asking(), scenario)


@pytest.mark.requirement("RT-26", "RT-31")
def test_a_question_expires_and_its_tool_may_only_fail(play: Play) -> None:
    async def scenario(runtime: Runtime) -> None:
        await asked(runtime)
        await runtime.ended("turn_1")
        resolved = next(e for e in runtime.events if e.type == "action.resolved")
        assert resolved.payload["decision"] == "expired"
        assert "tool.failed" in runtime.types("turn_1")
        with pytest.raises(ActionClosed):
            await runtime.respond("session_1", "action_1", confirmed=True)

    play(asking(), scenario, limits=Limits(action_expiry_s=0.05))


def test_an_answer_after_the_expiry_closes_the_question_instead(play: Play) -> None:
    async def scenario(runtime: Runtime) -> None:
        await asked(runtime)
        for handle in runtime.core.running._expiries.values():
            handle.cancel()
        with pytest.raises(ActionClosed):
            await runtime.respond("session_1", "action_1", confirmed=True)
        await runtime.ended("turn_1")

    play(asking({"expiresAt": "2020-01-01T00:00:00Z"}), scenario)


def test_a_long_answer_reaches_the_engine_whole(play: Play) -> None:
    async def scenario(runtime: Runtime) -> None:
        await asked(runtime)
        await runtime.respond("session_1", "action_1", decision="allow", response="word " * 5_000)
        await runtime.ended("turn_1")
        assert runtime.engine.answers[0].response == "word " * 5_000
        resolved = next(e for e in runtime.events if e.type == "action.resolved")
        assert len(str(resolved.payload["response"])) == 1_200

    play(asking(), scenario)


def contract(mode: str, decisions: list[dict[str, str]], **more: object) -> ResumeThreadParams:
    stated = ResumeContract.model_validate(
        {
            "runtimeId": RuntimeId("runtime"),
            "sessionId": "session_1",
            "turnId": TurnId("turn_1"),
            "resumeMode": mode,
            "openActionIds": ["action_1"],
            "decisions": decisions,
            "createdAt": "2026-01-01T00:00:00Z",
            **more,
        }
    )
    return ResumeThreadParams(session_id=SessionId("session_1"), resume_contract=stated)


def test_a_resume_contract_must_answer_every_open_question(play: Play) -> None:
    async def scenario(runtime: Runtime) -> None:
        await asked(runtime)
        with pytest.raises(InvalidInput):
            await runtime.core.resumption.resume(contract("all-open-actions", []), CONTEXT)
        answered = contract("all-open-actions", [{"actionId": "action_1", "decision": "allow"}])
        await runtime.core.resumption.resume(answered, CONTEXT)
        await runtime.ended("turn_1")
        assert "tool.result" in runtime.types()

    play(asking(), scenario)


def test_a_resume_contract_settles_nothing_in_another_session(play: Play) -> None:
    """A bug: a client bound to one app could say yes to another app's question."""

    async def scenario(runtime: Runtime) -> None:
        await asked(runtime)
        await runtime.session("session_2")
        yes = [{"actionId": "action_1", "decision": "allow"}]
        stated = contract("all-open-actions", yes)
        foreign = stated.model_copy(update={"session_id": SessionId("session_2")})
        with pytest.raises(InvalidInput):
            await runtime.core.resumption.resume(foreign, CONTEXT)
        assert runtime.engine.answers == []

    play(asking(), scenario)


@pytest.mark.parametrize(
    ("decision", "more", "error"),
    [
        ("allow", {"expiresAt": "2026-01-02T00:00:00Z"}, ActionClosed),
        ("allow", {"turnId": "turn_9"}, ActionNotFound),
        ("perhaps", {}, InvalidInput),
    ],
)
def test_a_resume_contract_that_does_not_hold_settles_nothing(
    play: Play, decision: str, more: dict[str, object], error: type[AppError]
) -> None:
    """Ours: what a person decided holds for the turn and the time they decided it for."""

    async def scenario(runtime: Runtime) -> None:
        await asked(runtime)
        said = [{"actionId": "action_1", "decision": decision}]
        stated = contract("all-open-actions", said, **more)
        with pytest.raises(error):
            await runtime.core.resumption.resume(stated, CONTEXT)
        assert runtime.engine.answers == []

    play(asking(), scenario)


def test_a_resume_contract_can_withdraw_every_open_question(play: Play) -> None:
    async def scenario(runtime: Runtime) -> None:
        await asked(runtime)
        await runtime.core.resumption.resume(contract("cancel-open-actions", []), CONTEXT)
        await runtime.ended("turn_1")
        assert "tool.failed" in runtime.types()

    play(asking(), scenario)
