"""Output is judged by what it says: a form full of nothing is nothing (ours)."""

import pytest
from pydantic import JsonValue

from lime_desktop.app_server.answer_guards.content import hollow_output, hollow_text
from lime_desktop.app_server.answer_guards.output_demand import Fits, OutputDemand, Unfit
from lime_desktop.protocol.calls.turns import StructuredOutput
from lime_desktop.protocol.ids import JsonObject

SCHEMA: JsonObject = {
    "type": "object",
    "required": ["title", "body"],
    "properties": {
        "title": {"type": "string", "description": "A short headline"},
        "body": {"type": "string"},
        "mood": {"enum": ["string", "calm"]},
        "points": {"type": "array", "items": {"type": "string"}},
        "amount": {"type": "number"},
    },
}
ASKED = "Write a letter to the members about the spring meeting and ask them to bring chairs."


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ({"title": "", "body": "  "}, "empty"),
        ({"title": "string", "body": "Dear all, we meet in May."}, "placeholder"),
        ({"title": "title", "body": "Dear all, we meet in May."}, "placeholder"),
        ({"title": "A short headline", "body": "Dear all."}, "placeholder"),
        ({"title": "<title>", "body": "Dear all."}, "placeholder"),
        ({"title": "Spring", "body": ASKED}, "echo"),
        ({"title": "Spring", "body": "We meet and we meet and " * 30}, "repeats"),
        ({"title": "S", "body": "B", "points": ["Bring a chair along"] * 4}, "repeats"),
    ],
)
def test_hollow_output_is_known_by_its_reason(value: JsonValue, reason: str) -> None:
    found = hollow_output(value, SCHEMA, ASKED)
    assert found is not None
    assert found.reason == reason


@pytest.mark.parametrize(
    "value",
    [
        {"title": "Spring meeting", "body": "Dear all, please bring a chair."},
        {"title": "", "body": "", "amount": 3},
        {"title": "Spring", "body": "", "mood": "string"},
        {"title": "Spring", "body": "n/a", "points": []},
        {"title": "Spring", "body": "Yes", "points": ["a", "a", "a"]},
        {"title": "Spring", "body": f"Above\n{'=' * 2_000}\nBelow"},
        {"title": "", "mood": "calm"},
        3,
        [],
        {},
    ],
)
def test_output_that_says_something_is_left_alone(value: JsonValue) -> None:
    assert hollow_output(value, SCHEMA, ASKED) is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [("", "empty"), (" \n…", "empty"), (f"{ASKED}\n", "echo"), ("Dear all, we meet.", None)],
)
def test_words_are_judged_too(text: str, reason: str | None) -> None:
    assert hollow_text(text, ASKED) == reason


def test_a_demand_is_not_met_by_a_hollow_form_and_a_person_may_write_what_they_like() -> None:
    demand = OutputDemand.of(StructuredOutput.model_validate({"schema": SCHEMA}), ASKED)
    assert demand is not None
    hollow: JsonObject = {"structuredOutput": {"title": "string", "body": "Dear all."}}
    verdict = demand.check(hollow, "")
    assert isinstance(verdict, Unfit)
    assert [complaint.path for complaint in verdict.complaints] == ["/title"]
    assert isinstance(demand.check_form(hollow, ""), Fits)
