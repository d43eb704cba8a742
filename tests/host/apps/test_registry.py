"""The apps at hand (the standard: readiness before anything runs)."""

import asyncio
import threading
from pathlib import Path

import pytest

from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.records.records import InstalledApp
from lime_desktop.host.apps import installed_packages
from lime_desktop.host.apps.app_assessment import ReadPackage
from lime_desktop.host.apps.package_probe import comes_to_an_end
from lime_desktop.host.apps.reading_journal import ReadingJournal
from lime_desktop.host.apps.registry import AppRegistry, RegisteredApp, find_packages
from lime_desktop.host.apps.set_aside import Probe, SetAsideApps
from lime_desktop.host.apps.setup_facts import SetupReading
from lime_desktop.protocol.errors import DatabaseBusy
from tests.host.app_center.opened import center_of, installed
from tests.host.bridged import Bridged, served

SAMPLES = Path(__file__).parents[3] / "sample_apps"


@pytest.fixture
def registry() -> AppRegistry:
    made = AppRegistry("en")
    made.add(find_packages(SAMPLES))
    return made


def test_samples_are_found_and_read(registry: AppRegistry) -> None:
    hello = registry.app("hello-lime")
    assert hello is not None
    assert hello.title("en") == "Hello Lime"
    assert hello.title("zh-CN") != hello.title("en")
    assert hello.icon() is not None


def test_a_required_permission_keeps_an_app_from_starting_until_it_is_granted(
    registry: AppRegistry,
) -> None:
    told: list[bool] = []

    def look() -> None:
        hello = registry.app("hello-lime")
        told.append(hello is not None and hello.can_start)

    registry.watch(look)
    registry.grant("hello-lime", "keep-greeting")
    registry.revoke("hello-lime", "keep-greeting")
    assert told == [True, False]


def test_only_declared_permissions_can_be_granted(registry: AppRegistry) -> None:
    registry.grant("hello-lime", "read-everything")
    hello = registry.app("hello-lime")
    assert hello is not None
    assert hello.granted == frozenset()


def test_what_is_done_with_installed_apps_is_refused_until_they_are_open(
    registry: AppRegistry,
) -> None:
    """Ours: another process may hold them, and what is opened in place works all the same."""
    assert registry.center is None
    assert registry.approvals("hello-lime") == ()
    with pytest.raises(DatabaseBusy):
        registry.require_center()


def test_findings_follow_the_language(registry: AppRegistry) -> None:
    before = registry.apps[0].readiness.checks[0].message
    registry.retranslate("zh-CN")
    assert registry.apps[0].readiness.checks[0].message != before


def test_a_folder_without_packages_has_none(tmp_path: Path) -> None:
    assert find_packages(tmp_path) == ()
    assert find_packages(tmp_path / "nowhere") == ()


def test_installed_apps_are_on_the_shelf_with_grants_that_last(tmp_path: Path) -> None:
    """Ours: what a person allowed is not asked again after a restart."""

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            registry = AppRegistry("en")
            changes: asyncio.Queue[None] = asyncio.Queue()
            await registry.follow(center)
            registry.watch(lambda: changes.put_nowait(None))
            await installed(center, SAMPLES / "hello-lime")
            await changes.get()
            assert not taken(registry).can_start
            registry.grant("hello-lime", "keep-greeting")
            await changes.get()
            assert taken(registry).can_start
            await registry.close()
        async with center_of(tmp_path) as center:
            registry = AppRegistry("en")
            await registry.follow(center)
            assert taken(registry).can_start
            assert taken(registry).installed == center.installed_app("hello-lime")
            await center.disable("hello-lime")
            assert not taken(registry).can_start
            await center.enable("hello-lime")
            assert taken(registry).can_start

    asyncio.run(scenario())


def test_an_app_is_there_the_moment_it_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bug: until a thread had read it, whoever asked for it was told that there is no such app."""
    read, may_end = installed_packages.read_installed, threading.Event()

    def slow_in_threads(center: AppCenter, app: InstalledApp) -> ReadPackage:
        if threading.current_thread() is not threading.main_thread():
            assert may_end.wait(20)
        return read(center, app)

    monkeypatch.setattr(installed_packages, "read_installed", slow_in_threads)

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            registry = AppRegistry("en")
            await registry.follow(center)
            await installed(center, SAMPLES / "hello-lime")
            try:
                assert taken(registry).installed == center.installed_app("hello-lime")
            finally:
                may_end.set()
            await registry.close()

    asyncio.run(scenario())


def test_an_installed_package_that_was_changed_on_disk_is_shown_and_cannot_start(
    tmp_path: Path,
) -> None:
    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            await installed(center, SAMPLES / "hello-lime", "keep-greeting")
            (center.package_path("hello-lime") / "dist/ui/index.html").write_text("other")
            registry = AppRegistry("en")
            await registry.follow(center)
            assert not taken(registry).can_start
            assert taken(registry).trust == "mismatched"

    asyncio.run(scenario())


def test_a_package_opened_in_place_stands_before_the_installed_one(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            await installed(center, SAMPLES / "hello-lime", "keep-greeting")
            registry = AppRegistry("en")
            await registry.follow(center)
            registry.add([SAMPLES / "hello-lime"])
            assert taken(registry).path == SAMPLES / "hello-lime"
            assert taken(registry).granted == frozenset()

    asyncio.run(scenario())


def taken(registry: AppRegistry) -> RegisteredApp:
    found = registry.app("hello-lime")
    assert found is not None
    return found


def test_a_new_apps_data_are_begun_without_a_question_and_old_data_are_not_touched(
    tmp_path: Path,
) -> None:
    """Ours: where nothing is kept yet, nothing is behind; what is kept is brought up to date by a person."""

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            registry = AppRegistry("en")
            await registry.follow(center)
            await installed(center, SAMPLES / "notes", "keep-notes")
            await registry.close()
            async with served(tmp_path / "fresh", registry) as connection:
                await SetupReading(registry).read(connection.call, "notes")
                assert "run-migration" not in steps(registry)
            async with served(tmp_path / "kept", registry) as connection:
                await Bridged(lambda: notes(registry), connection).value(
                    "lime.storage.set", key="old", value=1
                )
                await SetupReading(registry).read(connection.call, "notes")
                assert "run-migration" in steps(registry)

    def notes(registry: AppRegistry) -> RegisteredApp:
        app = registry.app("notes")
        assert app is not None
        return app

    def steps(registry: AppRegistry) -> set[str]:
        return {each.kind for each in notes(registry).readiness.setup_actions}

    asyncio.run(scenario())


async def never_ends(_: Path) -> bool:
    return False


def left_in_the_middle(file: Path, app: InstalledApp) -> None:
    """The journal as it stands when the program was ended while it read an app."""
    file.write_text(f"reading {app.package_hash}\n", encoding="ascii")


def later_start(file: Path, probe: Probe = comes_to_an_end) -> AppRegistry:
    return AppRegistry("en", aside=SetAsideApps(ReadingJournal(file), probe))


def names(registry: AppRegistry) -> dict[str, list[str]]:
    aside = [(each.app.app_id, each.is_being_tried) for each in registry.set_aside]
    return {
        "read": sorted(app.app_id for app in registry.apps),
        "aside": [app_id for app_id, is_tried in aside if not is_tried],
        "tried": [app_id for app_id, is_tried in aside if is_tried],
    }


def test_a_package_that_hung_its_reader_is_set_aside_and_the_others_are_read(
    tmp_path: Path,
) -> None:
    """A bug demands it: one package held the window at every start."""

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            await installed(center, SAMPLES / "hello-lime")
            await installed(center, SAMPLES / "notes")
            hung = next(app for app in center.installed() if app.app_id == "hello-lime")
            left_in_the_middle(tmp_path / "reading", hung)
            may_end = asyncio.Event()

            async def probe(_: Path) -> bool:
                await may_end.wait()
                return False

            registry = later_start(tmp_path / "reading", probe)
            await registry.follow(center)
            # The others do not wait for the answer.
            assert names(registry) == {"read": ["notes"], "aside": [], "tried": ["hello-lime"]}
            assert registry.app("hello-lime") is None
            told = asyncio.Event()
            registry.watch(told.set)
            may_end.set()
            await asyncio.wait_for(told.wait(), 30)
            assert names(registry) == {"read": ["notes"], "aside": ["hello-lime"], "tried": []}
            await registry.close()

            # Known from now on: nothing is tried again unless somebody asks for it.
            again = later_start(tmp_path / "reading", probe)
            await again.follow(center)
            assert names(again) == {"read": ["notes"], "aside": ["hello-lime"], "tried": []}
            await again.close()

    asyncio.run(scenario())


def test_a_package_that_was_being_read_when_the_plug_was_pulled_is_found_innocent(
    tmp_path: Path,
) -> None:
    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            await installed(center, SAMPLES / "hello-lime")
            left_in_the_middle(tmp_path / "reading", center.installed()[0])
            registry = later_start(tmp_path / "reading")
            read = asyncio.Event()
            registry.watch(lambda: read.set() if registry.apps else None)
            await registry.follow(center)
            # Really tried, in a process of its own.
            await asyncio.wait_for(read.wait(), 60)
            assert names(registry) == {"read": ["hello-lime"], "aside": [], "tried": []}
            assert not (tmp_path / "reading").exists()
            await registry.close()

    asyncio.run(scenario())


def test_an_app_that_was_set_aside_can_be_tried_again(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            await installed(center, SAMPLES / "hello-lime")
            ReadingJournal(tmp_path / "reading").convict(center.installed()[0].package_hash)
            registry = later_start(tmp_path / "reading")
            await registry.follow(center)
            assert names(registry) == {"read": [], "aside": ["hello-lime"], "tried": []}
            read = asyncio.Event()
            registry.watch(lambda: read.set() if registry.apps else None)
            registry.try_again("hello-lime")
            assert names(registry)["tried"] == ["hello-lime"]
            await asyncio.wait_for(read.wait(), 60)
            assert names(registry) == {"read": ["hello-lime"], "aside": [], "tried": []}
            await registry.close()

    asyncio.run(scenario())


def test_a_process_that_reads_a_package_is_ended_when_its_time_is_up() -> None:
    assert not asyncio.run(comes_to_an_end(SAMPLES / "hello-lime", deadline_s=0))
    assert asyncio.run(comes_to_an_end(SAMPLES / "no-package-at-all"))


def test_a_journal_that_cannot_be_written_keeps_nothing_from_being_read(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            await installed(center, SAMPLES / "hello-lime")
            registry = later_start(tmp_path / "nowhere" / "reading", never_ends)
            await registry.follow(center)
            assert [app.app_id for app in registry.apps] == ["hello-lime"]

    asyncio.run(scenario())


def test_an_app_that_is_uninstalled_or_updated_is_no_longer_set_aside(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            await installed(center, SAMPLES / "hello-lime")
            app = center.installed()[0]
            journal = ReadingJournal(tmp_path / "reading")
            journal.convict(app.package_hash)
            aside = SetAsideApps(journal, never_ends)
            assert aside.take([app]) == ()
            newer = app.model_copy(update={"package_hash": "sha256:" + "0" * 64})
            assert not aside.holds(newer)
            aside.keep_only([newer])
            assert aside.apps == ()
            assert not (tmp_path / "reading").exists()

    asyncio.run(scenario())


def test_the_runs_of_a_workflow_are_shown_by_its_own_page_before_an_entry_that_only_starts_it() -> (
    None
):
    """A bug: Home led to an empty drawer where the entry of a workflow is a background task."""
    sample = Path(__file__).parents[3] / "sample_apps/invoice-desk"
    [app] = AppRegistry("en").add([sample])
    assert [app.workflow_entry(key) for key in ("book", "weekly", "unknown")] == [
        "book",
        "weekly",
        None,
    ]
