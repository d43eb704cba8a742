import string

import pytest

from lime_desktop.readiness.codes import REMEDIES, Code
from lime_desktop.readiness.wording import Language
from lime_desktop.readiness.wording.chinese import CHINESE
from lime_desktop.readiness.wording.english import ENGLISH


@pytest.mark.parametrize("language", [ENGLISH, CHINESE])
def test_every_code_has_words_in_every_language(language: Language) -> None:
    assert set(language.findings) == set(Code)


def test_every_code_has_a_remedy() -> None:
    assert set(REMEDIES) == set(Code)


@pytest.mark.parametrize("code", Code)
def test_both_languages_name_the_same_details(code: Code) -> None:
    def named(text: str) -> set[str]:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name}

    for english, chinese in zip(ENGLISH.findings[code], CHINESE.findings[code], strict=True):
        assert named(english) == named(chinese)
