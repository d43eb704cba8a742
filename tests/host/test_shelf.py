"""The apps at hand (the standard: readiness before anything runs)."""

import asyncio
from pathlib import Path

import pytest

from lime_desktop.host.setup_facts import SetupReading
from lime_desktop.host.shelf import Shelf, ShelfApp, find_packages
from tests.host.app_center.opened import center_of, installed
from tests.host.bridged import Bridged, served

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

    def look() -> None:
        hello = shelf.app("hello-lime")
        told.append(hello is not None and hello.can_start)

    shelf.watch(look)
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


def test_installed_apps_are_on_the_shelf_with_grants_that_last(tmp_path: Path) -> None:
    """Ours: what a person allowed is not asked again after a restart."""

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            shelf = Shelf("en")
            changes: asyncio.Queue[None] = asyncio.Queue()
            await shelf.follow(center)
            shelf.watch(lambda: changes.put_nowait(None))
            await installed(center, SAMPLES / "hello-lime")
            await changes.get()
            assert not taken(shelf).can_start
            shelf.grant("hello-lime", "keep-greeting")
            await changes.get()
            assert taken(shelf).can_start
            await shelf.close()
        async with center_of(tmp_path) as center:
            shelf = Shelf("en")
            await shelf.follow(center)
            assert taken(shelf).can_start
            assert taken(shelf).installed == center.installed_app("hello-lime")
            await center.disable("hello-lime")
            assert not taken(shelf).can_start
            await center.enable("hello-lime")
            assert taken(shelf).can_start

    asyncio.run(scenario())


def test_an_installed_package_that_was_changed_on_disk_is_shown_and_cannot_start(
    tmp_path: Path,
) -> None:
    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            await installed(center, SAMPLES / "hello-lime", "keep-greeting")
            (center.package_path("hello-lime") / "dist/ui/index.html").write_text("other")
            shelf = Shelf("en")
            await shelf.follow(center)
            assert not taken(shelf).can_start
            assert taken(shelf).trust == "mismatched"

    asyncio.run(scenario())


def test_a_package_opened_in_place_stands_before_the_installed_one(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            await installed(center, SAMPLES / "hello-lime", "keep-greeting")
            shelf = Shelf("en")
            await shelf.follow(center)
            shelf.add([SAMPLES / "hello-lime"])
            assert taken(shelf).path == SAMPLES / "hello-lime"
            assert taken(shelf).granted == frozenset()

    asyncio.run(scenario())


def taken(shelf: Shelf) -> ShelfApp:
    found = shelf.app("hello-lime")
    assert found is not None
    return found


def test_a_new_apps_data_are_begun_without_a_question_and_old_data_are_not_touched(
    tmp_path: Path,
) -> None:
    """Ours: where nothing is kept yet, nothing is behind; what is kept is brought up to date by a person."""

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            shelf = Shelf("en")
            await shelf.follow(center)
            await installed(center, SAMPLES / "notes", "keep-notes")
            await shelf.close()
            async with served(tmp_path / "fresh", shelf) as connection:
                await SetupReading(shelf).read(connection.call, "notes")
                assert "run-migration" not in steps(shelf)
            async with served(tmp_path / "kept", shelf) as connection:
                await Bridged(lambda: notes(shelf), connection).value(
                    "lime.storage.set", key="old", value=1
                )
                await SetupReading(shelf).read(connection.call, "notes")
                assert "run-migration" in steps(shelf)

    def notes(shelf: Shelf) -> ShelfApp:
        app = shelf.app("notes")
        assert app is not None
        return app

    def steps(shelf: Shelf) -> set[str]:
        return {each.kind for each in notes(shelf).readiness.setup_actions}

    asyncio.run(scenario())
