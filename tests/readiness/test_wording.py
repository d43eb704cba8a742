import string
from typing import get_args

import pytest

from lime_desktop.app_package.manifest import Manifest
from lime_desktop.app_package.manifest.permissions import PermissionScope
from lime_desktop.app_server.tools.commands.sandbox import ABSENCES
from lime_desktop.readiness.codes import REMEDIES, Code
from lime_desktop.readiness.explanation import explain_in
from lime_desktop.readiness.findings import Finding, Tier, failed
from lime_desktop.readiness.wording import Language
from lime_desktop.readiness.wording.chinese import CHINESE
from lime_desktop.readiness.wording.english import ENGLISH

IDENTITY = {
    "name": "notes",
    "description": "Takes notes.",
    "version": "1.0.0",
    "status": "ready",
    "appType": "agent-app",
}


@pytest.mark.parametrize("language", [ENGLISH, CHINESE])
def test_every_code_has_words_in_every_language(language: Language) -> None:
    assert set(language.findings) == set(Code)


def test_every_code_has_a_remedy() -> None:
    assert set(REMEDIES) == set(Code)


@pytest.mark.parametrize("code", Code)
def test_detail_that_a_finding_lacks_is_a_dash_and_never_an_error(code: Code) -> None:
    finding = Finding(kind="any", key="thing", tier=Tier.REQUIRED, verdict=failed(code))
    for locale in ("en", "zh-CN"):
        explanation = explain_in(locale, Manifest.model_validate(IDENTITY))
        shown = explanation.check(finding).message + explanation.setup_actions([finding])[0].title
        assert "{" not in shown


@pytest.mark.parametrize("code", Code)
def test_both_languages_name_the_same_details(code: Code) -> None:
    def named(text: str) -> set[str]:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name}

    for english, chinese in zip(ENGLISH.findings[code], CHINESE.findings[code], strict=True):
        assert named(english) == named(chinese)


@pytest.mark.parametrize("language", [ENGLISH, CHINESE])
def test_every_scope_has_words_in_every_language(language: Language) -> None:
    assert set(language.scopes) == set(get_args(PermissionScope))
    assert set(language.checks) == set(ENGLISH.checks)


@pytest.mark.parametrize("absence", ABSENCES.values())
def test_why_there_is_no_sandbox_is_told_in_the_persons_language(absence: str) -> None:
    """A bug: a window in Chinese gave the reason in English."""
    finding = Finding(
        kind="integration",
        key="greet",
        tier=Tier.REQUIRED,
        verdict=failed(Code.COMMAND_SANDBOX_REQUIRED, reason=f"{absence} sudo apt install it"),
    )
    chinese = explain_in("zh-CN", Manifest.model_validate(IDENTITY)).check(finding).message
    english = explain_in("en", Manifest.model_validate(IDENTITY)).check(finding).message
    assert absence in english
    assert absence not in chinese
    assert chinese.endswith("。 sudo apt install it")


MANIFEST = Manifest.model_validate(
    {
        **IDENTITY,
        "secrets": [
            {"key": "mail_password"},
            {"key": "crm", "title": "CRM token", "titleI18n": {"zh-CN": "客户系统令牌"}},
        ],
        "permissions": [
            {"key": "use-model", "scope": "model"},
            {"key": "keep-a", "scope": "storage"},
            {"key": "keep-b", "scope": "storage"},
        ],
    }
)


@pytest.mark.parametrize(
    ("kind", "key", "code", "english", "chinese"),
    [
        ("secret", "mail_password", Code.SECRET_REQUIRED, "“mail password”", "“mail password”"),
        ("secret", "crm", Code.SECRET_REQUIRED, "“CRM token”", "“客户系统令牌”"),
        (
            "permission",
            "use-model",
            Code.PERMISSION_REQUIRED,
            "“use a model”",
            "“使用模型”",
        ),
        (
            "permission",
            "keep-a",
            Code.PERMISSION_REQUIRED,
            "“keep data on this computer: keep a”",
            "keep a",
        ),
        ("storage", "storage_quota", Code.FACT_UNKNOWN, "the space for its data", "可用空间"),
    ],
)
def test_a_finding_names_what_it_is_about_in_plain_words(
    kind: str, key: str, code: Code, english: str, chinese: str
) -> None:
    """Ours: a key is for programs; the step still leads to it."""
    finding = Finding(kind=kind, key=key, tier=Tier.REQUIRED, verdict=failed(code))
    for locale, words in (("en", english), ("zh-CN", chinese)):
        explanation = explain_in(locale, MANIFEST)
        shown = explanation.check(finding)
        assert words in shown.message
        assert key not in shown.message.replace(words, "")
        if code is not Code.FACT_UNKNOWN:
            assert explanation.setup_actions([finding])[0].target == key
