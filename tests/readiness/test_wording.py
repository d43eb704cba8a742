import string

import pytest

from lime_desktop.readiness.codes import REMEDIES, Code
from lime_desktop.readiness.explanation import Explanation
from lime_desktop.readiness.findings import Finding, Tier, failed
from lime_desktop.readiness.wording import Language
from lime_desktop.readiness.wording.chinese import CHINESE
from lime_desktop.readiness.wording.english import ENGLISH


@pytest.mark.parametrize("language", [ENGLISH, CHINESE])
def test_every_code_has_words_in_every_language(language: Language) -> None:
    assert set(language.findings) == set(Code)


def test_every_code_has_a_remedy() -> None:
    assert set(REMEDIES) == set(Code)


@pytest.mark.parametrize("code", Code)
def test_detail_that_a_finding_lacks_is_a_dash_and_never_an_error(code: Code) -> None:
    finding = Finding(kind="any", key="thing", tier=Tier.REQUIRED, verdict=failed(code))
    for language in (ENGLISH, CHINESE):
        explanation = Explanation(language, contact="publisher", successor=None)
        shown = explanation.check(finding).message + explanation.setup_actions([finding])[0].title
        assert "{" not in shown


@pytest.mark.parametrize("code", Code)
def test_both_languages_name_the_same_details(code: Code) -> None:
    def named(text: str) -> set[str]:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name}

    for english, chinese in zip(ENGLISH.findings[code], CHINESE.findings[code], strict=True):
        assert named(english) == named(chinese)
