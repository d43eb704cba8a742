"""Hello Lime is an example that others copy, so it has to be right in every part."""

from pathlib import Path

from lime_desktop.app_package.opening import open_package
from lime_desktop.app_package.package import load_package
from tests.sample_apps.pages import foreign_addresses, missing_texts, untranslated

APP = Path(__file__).parents[2] / "sample_apps" / "hello-lime"


def test_it_is_valid_without_so_much_as_a_note() -> None:
    assert load_package(open_package(APP)).problems == ()


def test_both_languages_say_the_same_things() -> None:
    assert untranslated(APP) == set()


def test_every_text_that_the_page_asks_for_exists() -> None:
    assert missing_texts(APP) == set()


def test_nothing_is_loaded_from_anywhere_else() -> None:
    """Its content policy would stop it, and an example should not try."""
    assert foreign_addresses(APP) == []
