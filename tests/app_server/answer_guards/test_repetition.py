"""A model that goes round in circles is noticed while it speaks; one that speaks is not taken for it (ours)."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lime_desktop.app_server.answer_guards.repetition import (
    WINDOW,
    RepetitionWatch,
    find_loop,
    without_loop,
)

ROOT = Path(__file__).parents[3]
TABLES = ROOT / "packaging/docs/conformance.md"
DRILL = "The fire drill is a part of the fire. "
UNITS = st.text(alphabet="abcdefgh ,.火警演习", min_size=8, max_size=300).filter(
    lambda unit: any(map(str.isalpha, unit))
)


def heard_until_noticed(text: str, piece: int = 5) -> int | None:
    watch = RepetitionWatch()
    for start in range(0, len(text), piece):
        if watch.feed(text[start : start + piece]):
            return start + piece
    return None


@given(UNITS, st.text(max_size=200))
def test_a_unit_said_again_and_again_is_noticed(unit: str, before: str) -> None:
    text = before + unit * (1 + 1_400 // len(unit))
    loop = find_loop(text)
    assert loop is not None
    assert loop.start <= len(before) + len(unit)


def test_a_looping_model_is_noticed_after_a_few_sentences() -> None:
    noticed = heard_until_noticed(DRILL * 400)
    assert noticed is not None
    assert noticed <= 8 * len(DRILL)


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(f"{number}. The committee will review the plan." for number in range(1, 30)),
        "演习是火警的一部分。" * 60,
        "It is " + "very, " * 80,
        " ".join(
            f"the plan of the team {n % 3} is the plan of the team {n % 2}" for n in range(40)
        ),
    ],
    ids=["numbered lines", "chinese", "a word", "few phrases"],
)
def test_circles_of_many_kinds_are_noticed(text: str) -> None:
    assert find_loop(text) is not None


@pytest.mark.parametrize(
    "path",
    # But one: a table that gives the same reason row by row is a circle, and no answer of a model.
    [*sorted({*ROOT.glob("packaging/docs/*.md")} - {TABLES}), ROOT / "README.md"],
    ids=lambda path: path.name,
)
def test_what_people_write_is_no_circle(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for paragraph in text.split("\n\n"):
        assert find_loop(paragraph) is None, paragraph[:200]


@pytest.mark.parametrize(
    "text",
    [
        "| Name | Amount |\n|------|--------|\n"
        + "".join(f"| Item {n} | {n} |\n" for n in range(9)),
        "-" * 80,
        "[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]",
        "Yes. Yes, it does. Yes.",
        "x = 1\n" * 12,
        "\n".join(f"def step_{n}():\n    return {n}\n" for n in range(6)),
    ],
    ids=["table", "rule", "noughts", "short", "lines", "code"],
)
def test_what_repeats_by_right_is_no_circle(text: str) -> None:
    assert find_loop(text) is None


def test_what_was_said_before_the_circles_is_kept() -> None:
    good = "The ferry leaves at 08:15 from pier 4, and Anna pays for the tickets. "
    assert without_loop(good + DRILL * 30) in {good.rstrip(), good + DRILL.rstrip()}
    assert without_loop(good) == good


@given(st.text(max_size=2_000))
def test_any_text_is_judged_and_a_cut_is_a_beginning_of_it(text: str) -> None:
    assert text.startswith(without_loop(text))


def test_looks_grow_in_proportion_to_what_was_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Judged by counting: an answer ten times as long is not looked at a hundred times as often."""

    def looks(length: int) -> int:
        count = 0
        watch = RepetitionWatch()

        def counted() -> None:
            nonlocal count
            count += 1
            watch._unseen = 0

        monkeypatch.setattr(watch, "look", counted)
        for _ in range(length // 4):
            watch.feed("word")
        return count

    short, long = looks(20_000), looks(200_000)
    assert long < short * 3
    assert long * WINDOW < 200_000 * 20
