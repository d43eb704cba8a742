"""The samples are what others copy, so each has to be right in every part."""

from pathlib import Path

import pytest

from lime_desktop.app_package.archive.opening import open_package
from lime_desktop.app_package.package import load_package
from lime_desktop.app_package.problem_kinds.fields import FIELD_IGNORED
from lime_desktop.host.apps.registry import find_packages
from tests.sample_apps.pages import foreign_addresses, missing_texts, spaced_names, untranslated

SAMPLES = find_packages(Path(__file__).parents[2] / "sample_apps")

pytestmark = pytest.mark.parametrize("app", SAMPLES, ids=lambda app: app.name)


def test_it_is_valid_and_what_it_is_told_is_that_this_host_does_less_than_the_standard(
    app: Path,
) -> None:
    problems = load_package(open_package(app)).problems
    assert {each.code for each in problems} <= {FIELD_IGNORED.code}


def test_both_languages_say_the_same_things(app: Path) -> None:
    assert untranslated(app) == set()


def test_every_text_that_the_page_asks_for_exists(app: Path) -> None:
    assert missing_texts(app) == set()


def test_a_name_in_a_chinese_sentence_is_set_apart_from_it(app: Path) -> None:
    """A bug: a column named 金额 gave sentences such as ，按 金额 分组."""
    assert spaced_names(app) == []


def test_nothing_is_loaded_from_anywhere_else(app: Path) -> None:
    """Its content policy would stop it, and an example should not try."""
    assert foreign_addresses(app) == []
