"""Every problem with a package that a person can meet is said in their language (ours)."""

import json
import re
from pathlib import Path

import pytest

from lime_desktop.app_package.problem_kinds import ALL_KINDS
from lime_desktop.app_package.problems import Place, ProblemKind
from lime_desktop.host.app_center.review.deferred_text import DeferredText
from lime_desktop.host.wording.problems import tell_package_problem
from lime_desktop.host.wording.texts import read_texts

RESOURCES = Path(__file__).parents[3] / "resources"
ENGLISH, CHINESE = (read_texts(RESOURCES / "locales", [name]) for name in ("en", "zh-CN"))
_HAN = re.compile(r"[\u4e00-\u9fff]")
_COMMAND_OR_NAME = re.compile(r"`[^`]*`|[A-Za-z0-9_.~^/:{}()\[\]'<>=+-]+")


@pytest.mark.parametrize("kind", ALL_KINDS, ids=lambda kind: kind.code)
def test_a_problem_is_said_in_the_persons_language_with_its_place_and_its_remedy(
    kind: ProblemKind,
) -> None:
    problem = kind.found("entries[0] has no route", Place("APP.md", 7, "entries[0].route"))
    english = tell_package_problem(problem, ENGLISH)
    assert (english.what, english.fix, english.exactly) == (problem.message, problem.fix, "")
    chinese = tell_package_problem(problem, CHINESE)
    assert chinese.exactly == problem.message
    assert english.where == chinese.where == "APP.md:7  entries[0].route"
    for words in (chinese.what, chinese.fix):
        assert _HAN.search(words), words
        # What is left without commands and names is Chinese, in Chinese signs.
        rest = _COMMAND_OR_NAME.sub("", words)
        assert not re.search(r"[A-Za-z,;!?]", rest), words
    assert chinese.what.endswith("。")
    for words in (kind.meaning, kind.fix):
        assert words
        assert not _HAN.search(words)


def test_nothing_is_translated_that_is_no_problem() -> None:
    told = json.loads((RESOURCES / "package_problems/zh-CN.json").read_text("utf-8"))
    codes = {kind.code for kind in ALL_KINDS}
    assert {key.split(".")[1] for key in told} == codes
    assert len(told) == 2 * len(codes)


def test_a_remedy_names_the_same_commands_and_fields_in_both_languages() -> None:
    for kind in ALL_KINDS:
        fix = CHINESE.table[f"package-problem.{kind.code}.fix"]
        what = CHINESE.table[f"package-problem.{kind.code}"]
        for english, chinese in ((kind.fix, fix), (kind.meaning, what)):
            assert set(re.findall(r"`[^`]+`", english)) == set(re.findall(r"`[^`]+`", chinese)), (
                kind.code
            )


def test_why_a_signature_is_refused_is_said_in_the_persons_language() -> None:
    said = DeferredText(
        "review.refused.signature-failed",
        {"reason": "The signature does not belong to this."},
        problem="SIGNATURE_INVALID",
    )
    assert said.words(ENGLISH).endswith("The signature does not belong to this.")
    assert not re.search("[A-Za-z]", said.words(CHINESE))
