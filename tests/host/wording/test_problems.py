"""A failure is told in plain words, and its report holds no secret (ours)."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lime_desktop.host.wording.problems import make_report, tell, without_secrets
from lime_desktop.host.wording.texts import read_texts
from lime_desktop.protocol.errors import (
    ALL_ERRORS,
    AppError,
    AppServerUnavailable,
    ArtifactNotFound,
    PackageInvalid,
    ProviderNotReady,
)

LOCALES = Path(__file__).parents[3] / "resources/locales"


@pytest.mark.parametrize("error", ALL_ERRORS, ids=lambda error: error.code)
@pytest.mark.parametrize("locale", ["en", "zh-CN"])
def test_every_failure_has_words_without_codes(error: type[AppError], locale: str) -> None:
    table = json.loads((LOCALES / f"{locale}.json").read_text("utf-8"))
    told = tell(error("inner words"), read_texts(LOCALES, [locale]))
    assert {told.title, told.advice} <= set(table.values())
    assert error.code in told.report
    assert "inner words" in told.report


@pytest.mark.parametrize(
    ("reason", "locale", "words", "section"),
    [
        ("key_missing", "en", "The provider has no API key. Set one up", "providers"),
        ("demo_model", "zh-CN", "目前只有演示模型", "models"),
        ("agent_unavailable", "en", "The agent can't start.", "agents"),
    ],
)
def test_what_keeps_every_model_from_answering_is_told_with_where_to_mend_it(
    reason: str, locale: str, words: str, section: str
) -> None:
    """A bug: without a model a chat said only that the task did not finish."""
    error = ProviderNotReady("inner words", details={"reasonCode": reason})
    told = tell(error, read_texts(LOCALES, [locale]))
    assert words in told.advice
    assert told.section == section


@pytest.mark.parametrize("reason", ["weights_missing", "engine_unavailable"])
@pytest.mark.parametrize(
    ("locale", "title", "advice"),
    [
        ("en", "No model is available", "Set one up in Settings."),
        ("zh-CN", "没有可用的模型", "请在“设置”中添加。"),
    ],
)
def test_that_there_is_no_model_is_said_once(
    reason: str, locale: str, title: str, advice: str
) -> None:
    """A bug: "No model is available. No model is set up yet. Set one up in Settings."."""
    error = ProviderNotReady("inner words", details={"reasonCode": reason})
    told = tell(error, read_texts(LOCALES, [locale]))
    assert (told.title, told.advice) == (title, advice)
    assert told.section == "models"


@pytest.mark.parametrize(
    ("problem", "locale", "title"),
    [
        ("ARCHIVE_NOT_ZIP", "en", "This file is not an app package (.lapp)"),
        ("ARCHIVE_NOT_ZIP", "zh-CN", "此文件不是应用包（.lapp）"),
        ("APP_MD_MISSING", "en", "This folder is not an app package"),
        ("ARCHIVE_TRUNCATED", "en", "This package file is damaged"),
        ("FIELD_MISSING", "en", "This package is not valid"),
    ],
)
def test_what_was_chosen_instead_of_a_package_is_named(
    problem: str, locale: str, title: str
) -> None:
    """A bug: a picture chosen for a package was "no end record of a zip archive. Try again."."""
    error = PackageInvalid("inner words", details={"problems": [{"code": problem}]})
    told = tell(error, read_texts(LOCALES, [locale]))
    assert told.title == title
    assert "inner words" in told.report
    assert "ry again" not in told.advice


def test_a_document_that_is_gone_is_no_unfinished_task() -> None:
    """A bug: what a run had made, and was deleted with its app, was "a task that didn't finish"."""
    told = tell(ArtifactNotFound("The app has no artifact of this id"), read_texts(LOCALES, ["en"]))
    assert told.title == "This is no longer here"


def test_a_missing_app_server_is_not_called_by_its_name() -> None:
    told = tell(AppServerUnavailable("gone", trace_id="t-1"), read_texts(LOCALES, ["en"]))
    assert told.title == "Agents and storage are not available right now"
    assert "trace: t-1" in told.report


@pytest.mark.parametrize(
    "secret",
    [
        "Authorization: Bearer abc.def.ghi",
        "api_key=hunter2hunter2",
        "OPENAI_API_KEY: sk-proj-abcdefghijklmnop",
        "https://ann:hunter2@example.org/x",
        "token eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl",
        "ghp_abcdefghijklmnopqrstuvwx",
    ],
)
def test_credentials_are_taken_out(secret: str) -> None:
    report = make_report(f"it failed with {secret}")
    assert "***" in report
    for word in ("hunter2", "abc.def", "sk-proj-abc", "c2lnbmF0dXJl", "ghp_abc"):
        assert word not in report


@given(st.from_regex(r"[a-z]{1,12}", fullmatch=True))
def test_nobody_is_named_by_their_folder(name: str) -> None:
    assert without_secrets(f"/home/{name}/x and /Users/{name}/y") == "~/x and ~/y"
