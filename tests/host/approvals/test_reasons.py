"""A person reads the host's own words in their language; others' words stay as they were written (ours)."""

from pathlib import Path

import pytest

from lime_desktop.host.approvals.question import Reason
from lime_desktop.host.approvals.reasons import leaving_words, reason_words, suggestion_words
from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.host.runs.story_wording import failure_words
from lime_desktop.host.wording.texts import Texts, read_texts
from lime_desktop.policy.question import LEAVES_MACHINE, SUGGESTIONS
from lime_desktop.policy.steps.risk import HOST_RISK_RULES
from lime_desktop.protocol.errors import ALL_ERRORS
from tests.host.app_center.packages import make_package

LOCALES = Path(__file__).parents[3] / "resources/locales"
PERMISSIONS = """
- { key: keep, scope: storage, reason: To keep notes., reasonI18n: { zh-CN: 用于保存笔记。 } }
- { key: ask, scope: model }
"""


@pytest.fixture(scope="module")
def chinese() -> Texts:
    return read_texts(LOCALES, ["zh-CN"])


def is_chinese(words: str) -> bool:
    return any("\u4e00" <= letter <= "\u9fff" for letter in words)


@pytest.mark.parametrize(
    "rule_id",
    [
        *(rule.ref.id for rule in HOST_RISK_RULES),
        "host.always-a-person",
        "host.risk.unnamed-site",
        "operation.send.approval",
        "operation.send.no-auto-execute",
        "permission.web.unnamed",
        "organisation.default",
        "workspace.default",
        "overlay.budget.perTask",
        "boundary.block_external_network",
    ],
)
def test_a_rule_of_the_hosts_is_worded_by_its_name(chinese: Texts, rule_id: str) -> None:
    assert is_chinese(reason_words(Reason(rule_id, "In English."), None, chinese))


def test_words_of_others_stay_and_an_authors_translation_is_used(
    chinese: Texts, tmp_path: Path
) -> None:
    registry = AppRegistry("zh-CN")
    [app] = registry.add([make_package(tmp_path, permissions=PERMISSIONS)])
    said = {
        "organisation.paste": "Nothing goes to paste sites.",
        "permission.keep": "用于保存笔记。",
        "permission.ask": "应用需要此权限：模型。",
        "boundary.of-their-own": "Nothing goes to paste sites.",
    }
    for rule_id, words in said.items():
        reason = Reason(rule_id, "Nothing goes to paste sites.")
        assert reason_words(reason, app, chinese) == words


def test_what_leaves_and_what_else_could_be_done_is_translated(chinese: Texts) -> None:
    for shape in (each for kind, each in LEAVES_MACHINE.items() if kind != "system"):
        words = leaving_words(shape.format(name="cms.example"), chinese)
        assert is_chinese(words)
        assert ("cms.example" in words) == ("{name}" in shape)
    for shape in SUGGESTIONS.values():
        assert is_chinese(suggestion_words(shape.format(name="draft"), chinese))
    assert leaving_words("Somebody else's words", chinese) == "Somebody else's words"


def test_a_failure_is_told_by_its_kind_where_its_message_is_in_another_language(
    chinese: Texts,
) -> None:
    english = read_texts(LOCALES, ["en"])
    for category in {error.stable_code for error in ALL_ERRORS}:
        assert is_chinese(failure_words(category, "In English.", chinese))
        assert failure_words(category, "In English.", english) == "In English."
        assert failure_words(category, None, english)
    assert failure_words("of_their_own", "In English.", chinese) == "In English."
    assert failure_words(None, None, chinese) == ""
