"""The apps at hand (the standard: readiness before anything runs)."""

from pathlib import Path

import pytest

from lime_desktop.host.shelf import Shelf, find_packages

SAMPLES = Path(__file__).parents[2] / "sample_apps"


@pytest.fixture
def shelf() -> Shelf:
    made = Shelf("en")
    made.add(find_packages(SAMPLES))
    return made


def test_samples_are_found_and_read(shelf: Shelf) -> None:
    hello = shelf.app("hello-lime")
    assert hello is not None
    assert hello.title("en") == "Hello Lime"
    assert hello.title("zh-CN") != hello.title("en")
    assert hello.icon() is not None


def test_a_required_permission_keeps_an_app_from_starting_until_it_is_granted(shelf: Shelf) -> None:
    told: list[bool] = []
    shelf.watch(lambda: told.append(shelf.apps[0].can_start))
    shelf.grant("hello-lime", "keep-greeting")
    shelf.revoke("hello-lime", "keep-greeting")
    assert told == [True, False]


def test_only_declared_permissions_can_be_granted(shelf: Shelf) -> None:
    shelf.grant("hello-lime", "read-everything")
    hello = shelf.app("hello-lime")
    assert hello is not None
    assert hello.granted == frozenset()


def test_findings_follow_the_language(shelf: Shelf) -> None:
    before = shelf.apps[0].readiness.checks[0].message
    shelf.speak("zh-CN")
    assert shelf.apps[0].readiness.checks[0].message != before


def test_a_folder_without_packages_has_none(tmp_path: Path) -> None:
    assert find_packages(tmp_path) == ()
    assert find_packages(tmp_path / "nowhere") == ()
