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
        "8:15",
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
        "8:15",
        "1,200",
    }


def test_every_text_of_a_value_counts() -> None:
    assert texts_in({"a": ["x", {"b": "y"}], "c": 3, "d": None}) == ["x", "y", "3"]


MINUTES = (
    "minutes-june.txt\nPresent: Maria Sol, Jens Okafor, Li Wei, Ruth Adler (chair) 1. The roof will be repaired in August. "
    "The offer of Dachwerk over 18,400 euros was accepted."
)
TRIP = (
    "island-trip.md\nThe ferry leaves at 08:15 from pier 4. Anna pays for the tickets and collects the money. "
    "Return is on Sunday with the boat at 17:40."
)
TABLE = "suppliers.csv\nsupplier\tdays\nNordholz\t12\nLumen AG\t7\nQuarry West\t21"
PUMP = (
    "heat-pump.pdf\nSound level 38 dB. The warranty is five years for all parts. Refrigerant: R290."
)
MUSEUM = "museum-visit.md\n学校参观城市博物馆。集合时间是上午九点，地点在南门。"


@pytest.mark.parametrize(
    ("question", "source", "answer"),
    [
        ("When does the ferry leave?", TRIP, "The ferry leaves at 8:15."),
        ("Who pays for the tickets of the island trip?", TRIP, "Anna."),
        ("How long does Quarry West need to deliver?", TABLE, "21 days."),
        (
            "Which company repairs the roof, and for how much?",
            MINUTES,
            "Dachwerk, for 18,400 euros.",
        ),
        (
            "What warranty does the heat pump have?",
            PUMP,
            "The heat pump has a warranty of 5 years.",
        ),
        ("参观博物馆几点集合？", MUSEUM, "上午9点。"),
        ("Is the ferry late?", TRIP, "The ferry is late."),
    ],
)
def test_small_models_are_believed_where_the_place_speaks_of_the_question(
    question: str, source: str, answer: str
) -> None:
    assert is_grounded(answer, question, [source], is_strict=True)


@pytest.mark.parametrize(
    ("question", "source", "answer"),
    [
        ("When does the ferry leave?", TRIP, "The ferry leaves at 17:40."),
        ("How long does Quarry West need to deliver?", TABLE, "12 days, or 7."),
        ("Which company repairs the roof?", MINUTES, "The company that repairs the roof."),
        ("What is the name of the chair's dog?", MINUTES, "The chair's dog is named Li Wei."),
        ("What warranty does the heat pump have?", PUMP, "A warranty of 12 years."),
        ("参观博物馆几点集合？", MUSEUM, "下午3点。"),
    ],
)
def test_right_words_from_the_wrong_place_are_not_believed_of_small_models(
    question: str, source: str, answer: str
) -> None:
    """A bug: a model of 1.5 billion weights named the dog after somebody who was only present."""
    assert not is_grounded(answer, question, [source], is_strict=True)


def test_a_number_that_happens_to_stand_in_a_source_does_not_carry_an_answer_about_something_else() -> (
    None
):
    """A canned answer about a ferry was shown for a question about letters, because both had a 4 (a bug)."""
    sources = [
        "letter 004.pdf\nLetter 4, page 9. The harbour master writes about berth 36 and the tides of the week."
    ]
    question = "What does the harbour master write about berth 36?"
    ferry = "The ferry leaves from pier 4, and Anna pays. Book on Monday, pack on Thursday, bring a rain coat."
    assert not is_grounded(ferry, question, sources)
    assert is_grounded("Letter 4 has the tides of the week.", question, sources)
