"""Chinese and English text as words that can be found."""

import pytest

from lime_desktop.app_server.knowledge.tokens import found_at, terms_of, tokens_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The Quick-brown FOX", "the quick brown fox"),
        ("审批流程", "审批 批流 流程"),
        ("用API审批", "用 api 审批"),
        ("字", "字"),
        ("", ""),
        ("—！？", ""),
    ],
)
def test_text_becomes_words(text: str, words: str) -> None:
    assert tokens_of(text) == words


def test_a_question_becomes_any_of_its_words_and_nothing_of_it_is_syntax() -> None:
    assert terms_of('NEAR("审批" fox*) OR-ELSE') == ('"near"*', '"审批"', '"fox"', '"else"*')
    assert terms_of("字") == ('"字"*',)
    assert terms_of("—！") == ()


def test_words_that_stand_everywhere_are_looked_for_only_where_there_are_no_others() -> None:
    assert terms_of("Who has the lime, and what is it?") == ('"lime"*',)
    assert terms_of("怎么报销") == ('"么报"', '"报销"')
    assert terms_of("To be or not to be") == ('"to"', '"be"', '"or"', '"not"')


@pytest.mark.parametrize("asked", ["leave", "leaves", "Leaving"])
def test_a_word_is_looked_for_however_it_ends(asked: str) -> None:
    """Bug: the page that says when the ferry leaves was not found by who asked when it will leave."""
    assert terms_of(asked) == ('"leav"*',)
    assert terms_of("cat 4711 used") == ('"cat"', '"4711"', '"used"*')


def test_the_first_word_of_a_question_is_found_in_a_passage() -> None:
    assert found_at("All about the FOX", "fox") == 14
    assert found_at("nothing", "fox") == 0
