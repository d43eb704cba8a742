"""A run reads as a story: every event has its sentence, in both languages; what belongs together is one step (ours)."""

from pathlib import Path
from typing import Any, cast

import pytest

from lime_desktop.host.runs.story_wording import (
    answer_words,
    doing_words,
    problem_words,
    trouble_words,
)
from lime_desktop.host.wording.texts import Texts, read_texts
from lime_desktop.protocol.runtime.event_types import (
    EXTENSION_EVENT_TYPES,
    PROFILE_EVENT_TYPES,
    REQUIRED_FIELDS,
    EventType,
)
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.runtime_views.session import project
from lime_desktop.runtime_views.story.activity import doing_now
from lime_desktop.runtime_views.story.attention import problems_of, waiting_of
from lime_desktop.runtime_views.story.fold import Story, StoryFold
from lime_desktop.runtime_views.story.words import run_figures, sentence_of

LOCALES = Path(__file__).parents[2] / "resources/locales"
LANGUAGES = ("en", "zh-CN")
_OBJECTS = {"benchmark", "comparison", "refs"}

Told = tuple[str, dict[str, Any]]


def texts_of(locale: str) -> Texts:
    return read_texts(LOCALES, [locale])


def event(sequence: int, kind: str, more: dict[str, Any]) -> RuntimeEvent:
    needed: dict[str, Any] = {
        name: {} if name in _OBJECTS else f"{name}_1"
        for name in REQUIRED_FIELDS[cast("EventType", kind)]
    }
    raw: dict[str, Any] = {
        "eventId": f"event_{sequence}",
        "sequence": sequence,
        "type": kind,
        "timestamp": f"2026-11-16T09:{30 + sequence // 60}:{sequence % 60:02d}.000Z",
        "runtimeId": "runtime_1",
        "sessionId": "session_1",
        "payload": {},
        **needed,
        **more,
    }
    return RuntimeEvent.model_validate(raw)


def told(*events: Told) -> Story:
    fold = StoryFold()
    for at, (kind, more) in enumerate(events, 1):
        fold.fold(event(at, kind, {"turnId": "turn_1", "threadId": "thread_1", **more}))
    return fold.story()


def sentences(story: Story, locale: str = "en") -> list[str]:
    return [sentence_of(step, texts_of(locale)) for step in story.loud()]


def asks(model: str = "good", message: str = "m1", provider: str = "desk") -> Told:
    about = {"provider": provider, "model": model, "messageId": message}
    return "model.requested", {"payload": about}


def says(text: str, message: str = "m1") -> Told:
    usage = {"inputTokens": 50, "outputTokens": 120, "totalTokens": 170}
    return "model.completed", {"payload": {"messageId": message, "text": text, "usage": usage}}


ASKED: Told = ("turn.submitted", {"payload": {"text": "When does the ferry leave?"}})
STARTED: Told = ("turn.started", {})
DONE: Told = ("turn.completed", {})


@pytest.mark.parametrize("kind", [*PROFILE_EVENT_TYPES, *EXTENSION_EVENT_TYPES])
@pytest.mark.parametrize("locale", LANGUAGES)
def test_no_event_is_called_by_its_raw_name(kind: str, locale: str) -> None:
    texts = texts_of(locale)
    fold = StoryFold()
    fold.fold(event(1, kind, {}))
    [step] = fold.story().steps
    words = sentence_of(step, texts)
    assert words
    assert not {"story.", kind, "{", "}"} & {
        part for part in ("story.", kind, "{", "}") if part in words
    }
    assert texts.find_own(f"story.{kind}")


def test_a_run_reads_as_a_story() -> None:
    story = told(
        ASKED,
        STARTED,
        ("routing.decided", {"payload": {"selectedModel": "qwen-1.5b"}}),
        ("context.resolved", {"payload": {"citations": [{"title": "Trip", "location": "p. 2"}]}}),
        asks("qwen-1.5b"),
        ("model.delta", {"payload": {"messageId": "m1", "delta": "At **08"}}),
        says("At **08:15**."),
        ("artifact.changed", {"artifactId": "a1", "payload": {"title": "Answer"}}),
        DONE,
    )
    assert sentences(story) == [
        "Asked “When does the ferry leave?”",
        "Looked in your knowledge, found 1 passage",
        "Asked qwen-1.5b",
        "Saved Answer",
    ]
    assert sentences(story, "zh-CN") == [
        "提问“When does the ferry leave?”",
        "在你的知识中找到 1 段",
        "询问了 qwen-1.5b",
        "保存了 Answer",
    ]
    asked, looked, model, document = story.loud()
    assert [(each.name, each.text) for each in looked.details] == [("passages", "Trip · p. 2")]
    assert [(each.name, each.text) for each in model.details] == [
        ("question", "When does the ferry leave?"),
        ("answer", "At **08:15**."),
    ]
    assert (model.tokens, document.artifact_id, asked.details[0].name) == (
        (50, 120),
        "a1",
        "question",
    )


def test_a_tool_is_one_step_with_its_input_its_output_and_what_the_rules_said() -> None:
    call = {"toolCallId": "call_1", "stepId": "step_1"}
    started = {
        "toolName": "knowledge_search",
        "title": "Search knowledge",
        "safeArgs": {"query": "ferry", "topK": 3},
    }
    begun = (
        ASKED,
        STARTED,
        ("tool.started", {**call, "payload": started}),
        ("permission.evaluated", {**call, "payload": {"decision": "allow"}}),
    )
    assert sentences(told(*begun))[-1] == "Looking for “ferry”"
    result = {
        "toolName": "knowledge_search",
        "output": "[1] Trip",
        "refIds": ["a", "b"],
        "durationMs": 1500,
    }
    story = told(*begun, ("tool.result", {**call, "payload": result}))
    assert sentences(story)[-1] == "Looked for “ferry”, found 2"
    step = story.loud()[-1]
    assert [
        (each.name, each.text) for each in step.details if each.name in {"input", "output"}
    ] == [
        ("input", "query: ferry\ntopK: 3"),
        ("output", "[1] Trip"),
    ]
    assert (step.seconds, step.state, step.event_count) == (1.5, "completed", 3)


def test_a_model_that_is_asked_in_vain_is_one_step_however_often() -> None:
    failed = {"failureCategory": "connection_refused", "error": "Nothing answers."}
    waits = {"phase": "retrying", "reasonCode": "connection_refused", "waitMs": 1200}
    first = (
        ASKED,
        STARTED,
        asks(message="m1"),
        ("model.failed", {"payload": {"messageId": "m1", **failed}}),
        ("run.status", {"phase": "retrying", "payload": waits}),
    )
    now = doing_now(told(*first), "turn_1")
    assert now is not None
    assert doing_words(now, texts_of("en"), "2026-11-16T09:30:05.100Z") == (
        "The provider's address does not respond. Start the server, or check the address in Settings."
        " Trying again in 1 s"
    )
    story = told(
        *first,
        asks(message="m2"),
        ("model.failed", {"payload": {"messageId": "m2", **failed}}),
        (
            "turn.failed",
            {"payload": {"failureCategory": "upstream_failed", "reasonCode": "connection_refused"}},
        ),
    )
    assert sentences(story) == [
        "Asked “When does the ferry leave?”",
        "good did not answer in 2 attempts",
        "Could not finish",
    ]
    [problem] = problems_of(story)
    assert problem_words(problem, texts_of("zh-CN")) == (
        "未能完成。服务商的地址没有回应。请启动服务器，或在“设置”中检查地址。"
    )


def test_another_model_is_named_before_it_answers() -> None:
    story = told(
        ASKED,
        STARTED,
        asks("best"),
        ("model.failed", {"payload": {"messageId": "m1", "failureCategory": "provider_error"}}),
        ("routing.fallback.applied", {"payload": {"failedModel": "best", "selectedModel": "good"}}),
        asks("good", "m2"),
        ("model.delta", {"payload": {"messageId": "m2", "delta": "Hi"}}),
    )
    assert sentences(story) == [
        "Asked “When does the ferry leave?”",
        "best did not answer",
        "best did not answer. good answers instead",
        "good is answering",
    ]
    assert story.turns["turn_1"].instead_of == "best"
    assert (
        problems_of(
            told(
                ASKED,
                STARTED,
                asks("best"),
                ("model.failed", {"payload": {"messageId": "m1"}}),
                says("Hi", "m2"),
                DONE,
            )
        )
        == ()
    )


def test_what_waits_for_a_person_is_found_and_its_answer_told() -> None:
    asked = {"actionId": "ask_1", "payload": {"title": "Write three entries?"}}
    story = told(ASKED, STARTED, ("action.required", asked))
    [waiting] = waiting_of(story)
    assert sentence_of(waiting, texts_of("en")) == "Asks you: Write three entries?"
    for decision, words in (
        ("allow_once", "You allowed it: Write three entries?"),
        ("decline", "You did not allow it: Write three entries?"),
        ("cancelled", "The question was withdrawn: Write three entries?"),
    ):
        resolved = {"actionId": "ask_1", "payload": {"decision": decision}}
        story = told(ASKED, STARTED, ("action.required", asked), ("action.resolved", resolved))
        assert sentences(story)[-1] == words
        assert waiting_of(story) == ()


def test_what_was_changed_before_it_was_allowed_is_told_so() -> None:
    """A bug: a review that was approved with changes read as if it had been allowed as it stood."""
    asked = {"actionId": "decision_1", "payload": {"title": "Letter"}}
    for said, words in (
        ({}, "You allowed it: Letter"),
        ({"response": '{"text": "Hello"}'}, "You allowed it with changes: Letter"),
        ({"responseRef": "content:1"}, "You allowed it with changes: Letter"),
    ):
        resolved = {"actionId": "decision_1", "payload": {"decision": "allow", **said}}
        story = told(ASKED, STARTED, ("action.required", asked), ("action.resolved", resolved))
        assert sentences(story)[-1] == words


def test_a_question_asked_anew_marks_the_earlier_turn_and_all_after_it() -> None:
    def turn(number: int, **payload: str) -> list[Told]:
        name = {"turnId": f"turn_{number}"}
        return [
            ("turn.submitted", {**name, "payload": {"text": f"Question {number}", **payload}}),
            ("turn.completed", name),
        ]

    story = told(*turn(1), *turn(2), *turn(3), *turn(4, replacesTurnId="turn_2"))
    assert {name: each.replaced_by for name, each in story.turns.items()} == {
        "turn_1": None,
        "turn_2": "turn_4",
        "turn_3": "turn_4",
        "turn_4": None,
    }
    assert sentences(story)[-1] == "Asked again “Question 4”"


def test_who_answered_is_called_as_the_person_calls_it() -> None:
    """A bug: the line under an answer showed the provider's id."""
    kind, facts = asks()
    named = (kind, {"payload": {**facts["payload"], "providerTitle": "Harbor Lab"}})
    story = told(ASKED, STARTED, named, says("Hi"), DONE)
    assert answer_words(story.turns["turn_1"], texts_of("en")).startswith("good · Harbor Lab · ")


def test_what_a_turn_took_is_said_and_what_is_unknown_is_not() -> None:
    cost = {"amount": 0.0012, "currency": "USD", "state": "known", "roundAmount": 0.0012}
    story = told(ASKED, STARTED, asks(), says("Hi"), ("cost.recorded", {"payload": cost}), DONE)
    turn = story.turns["turn_1"]
    assert answer_words(turn, texts_of("en")) == (
        "good · desk · 4.0 s · 50 tokens read, 120 written · 0.0012 USD"
    )
    unknown = {"amount": 0.0, "currency": "USD", "state": "unknown"}
    story = told(ASKED, STARTED, asks(), says("Hi"), ("cost.recorded", {"payload": unknown}), DONE)
    assert "USD" not in answer_words(story.turns["turn_1"], texts_of("en"))
    assert run_figures(list(story.turns.values()), texts_of("en")) == [
        "4.0 s",
        "50 tokens read, 120 written",
    ]


@pytest.mark.parametrize("seconds", [1, 5])
def test_no_answer_is_said_within_three_seconds(seconds: int) -> None:
    now = doing_now(told(ASKED, STARTED, asks("hang")), "turn_1")
    assert now is not None
    words = doing_words(now, texts_of("en"), f"2026-11-16T09:30:{3 + seconds:02d}.000Z")
    assert words == (
        "Waiting for hang…"
        if seconds < 3
        else "hang has not answered for 5 s. You can wait, or press Stop."
    )


@pytest.mark.parametrize(("locale", "words"), [("en", "Getting ready…"), ("zh-CN", "正在准备…")])
def test_what_only_begins_is_said_to_get_ready(locale: str, words: str) -> None:
    """A bug: whoever waited in a chat read "Started an attempt"."""
    begun = ("task.attempt.started", {"payload": {"status": "running"}})
    now = doing_now(told(ASKED, STARTED, begun), "turn_1")
    assert now is not None
    assert doing_words(now, texts_of(locale), "2026-11-16T09:30:04.000Z") == words


def test_nothing_goes_on_once_the_turn_is_over() -> None:
    call = {"toolCallId": "call_1", "stepId": "step_1", "payload": {"toolName": "slow_tool"}}
    story = told(ASKED, STARTED, asks(), ("tool.started", call), ("turn.canceled", {}))
    assert [step.state for step in story.loud()] == [
        "completed",
        "cancelled",
        "cancelled",
        "cancelled",
    ]
    assert doing_now(story, "turn_1") is None


def test_reasons_that_nobody_translated_are_told_by_their_kind() -> None:
    story = told(
        ASKED,
        ("turn.failed", {"payload": {"failureCategory": "timeout", "message": "It took 9 s."}}),
    )
    trouble = story.loud()[-1].trouble
    assert trouble is not None
    assert trouble_words(trouble, texts_of("zh-CN")) == texts_of("zh-CN")("failure.timeout")


def test_a_long_answer_stays_whole_when_its_last_event_repeats_only_its_beginning() -> None:
    """A bug: an answer of more than 8,000 characters shrank to a preview once it was complete."""
    whole = "word " * 3_000
    final = {"messageId": "m1", "text": whole[:500], "textRef": "output:1"}
    events = [
        ASKED,
        STARTED,
        asks(),
        ("model.delta", {"payload": {"messageId": "m1", "delta": whole}}),
        ("model.completed", {"payload": final}),
        DONE,
    ]
    step = told(*events).loud()[1]
    assert {each.name: each.text for each in step.details}["answer"] == whole
    views = project(
        [
            event(at, kind, {"turnId": "turn_1", "threadId": "thread_1", **more})
            for at, (kind, more) in enumerate(events, 1)
        ]
    )
    assert views.messages[-1].text == whole


def test_a_question_that_is_shown_in_part_is_known_to_be_so() -> None:
    """It must not be sent again as if it were the whole."""
    long = {"text": "Beginning", "textRef": "output:1"}
    assert told(("turn.submitted", {"payload": long})).turns["turn_1"].is_shortened
    assert not told(ASKED).turns["turn_1"].is_shortened


def test_nobody_counts_how_long_a_person_takes() -> None:
    asked = {"actionId": "ask_1", "payload": {"title": "Write?"}}
    now = doing_now(told(ASKED, STARTED, ("action.required", asked)), "turn_1")
    assert now is not None
    assert doing_words(now, texts_of("en"), "2026-11-17T09:30:00.000Z") == "Waiting for you"
