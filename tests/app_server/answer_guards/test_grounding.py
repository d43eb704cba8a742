"""An answer that shares nothing with its sources is known for it; one that paraphrases them is not (ours)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lime_desktop.app_server.answer_guards.grounding import is_grounded, texts_in, tokens

FERRY = "Trip to the island\nThe ferry leaves at 08:15 from pier 4. Anna pays for the tickets."
QUESTION = "When does the ferry leave?"


@pytest.mark.parametrize(
    "answer",
    [
        "The ferry leaves at 08:15 [1].",
        "At 08:15, from pier 4.",
        "08:15",
        "It departs from pier four; Anna is paying the tickets.",
        "The passages do not say.",
        "I don't know.",
        "Yes.",
        "渡轮 08:15 从 4 号码头出发。",
        "笔记中没有提到。",
    ],
)
def test_answers_from_the_source_and_honest_refusals_are_shown(answer: str) -> None:
    assert is_grounded(answer, QUESTION, [FERRY])


@pytest.mark.parametrize(
    "answer",
    [
        "The ferry leaves at 9:30.",
        "The fire drill is a part of the fire.",
        "Elephants are large animals that live in herds across Africa and Asia.",
        "As a language model I like sunny mornings with friends.",
        "The ferry leaves when Captain Robert returns from Hamburg harbour.",
    ],
)
def test_answers_from_nowhere_are_not(answer: str) -> None:
    assert not is_grounded(answer, QUESTION, [FERRY])


def test_chinese_is_compared_by_its_signs() -> None:
    source = "渡轮早上八点十五分从四号码头出发，安娜付票钱。"
    assert is_grounded("渡轮八点十五分出发。", "渡轮几点出发？", [source])
    assert not is_grounded("大象是生活在非洲和亚洲的大型动物。", "渡轮几点出发？", [source])


@given(st.text(alphabet=st.characters(categories=["Lu", "Ll"]), min_size=4, max_size=9))
def test_a_sentence_of_the_source_is_always_grounded(word: str) -> None:
    source = f"The {word} is kept in the cellar behind the stairs."
    assert is_grounded(f"Behind the stairs in the cellar: {word}.", "Where is it?", [source])


@given(st.text(max_size=300), st.text(max_size=300), st.lists(st.text(max_size=200), max_size=3))
def test_anything_can_be_judged(answer: str, question: str, sources: list[str]) -> None:
    assert is_grounded(answer, question, sources) in {True, False}


def test_numbers_and_stems_are_what_is_compared() -> None:
    assert tokens("Leaving the tickets at 08:15, 1,200 of them") >= {
        "leav",
        "ticket",
        "08:15",
        "1,200",
    }


def test_every_text_of_a_value_counts() -> None:
    assert texts_in({"a": ["x", {"b": "y"}], "c": 3, "d": None}) == ["x", "y", "3"]
