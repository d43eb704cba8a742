"""Four ways to leave (the standard: a person can remove code and data, knows what goes, and has proof)."""

import zipfile
from pathlib import Path

import pytest

from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.packages.progress import InstallProgress, Progress, Step
from lime_desktop.host.app_center.records.records import GrantUse
from lime_desktop.host.app_center.records.removal import UninstallKind
from lime_desktop.protocol.errors import AppNotInstalled, Conflict, InvalidInput
from lime_desktop.protocol.ids import AppId
from tests.app_server.twin import ServerTwin
from tests.host.app_center.opened import center_of, installed, opened, play
from tests.host.app_center.packages import NOTES, make_package, names_below


async def two_apps_with_data(folder: Path, center: AppCenter, server: ServerTwin) -> None:
    for name in ("notes", "mail"):
        await installed(center, make_package(folder / "1", name=name), "keep")
        await installed(center, make_package(folder / "2", name=name, version="2.0.0"))
        await server.keep(name, "text", f"of {name}")
        view = center.layout.view_of(name)
        view.mkdir(parents=True)
        (view / "db").write_text(name)


def test_a_preview_names_what_goes_and_what_stays_and_changes_nothing(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as (center, server):
            await two_apps_with_data(tmp_path, center, server)
            keep = await center.preview_uninstall("notes", UninstallKind.KEEP_DATA)
            assert [each.kind for each in keep.goes] == ["code", "grants", "rollback-points"]
            assert [each.kind for each in keep.stays] == ["data", "view", "evidence"]
            delete = await center.preview_uninstall("notes", UninstallKind.DELETE_DATA)
            assert (*keep.goes, *keep.stays[:-1]) == delete.goes
            off = await center.preview_uninstall("notes", UninstallKind.DISABLE)
            assert off.goes == ()
            assert len(center.installed()) == 2

    play(scenario())


def test_disabling_keeps_everything(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as (center, server):
            await two_apps_with_data(tmp_path, center, server)
            receipt = await center.uninstall("notes", UninstallKind.DISABLE)
            assert receipt.removed == ()
            app = center.installed_app("notes")
            assert app is not None
            assert not app.is_enabled
            assert await server.kept("notes", "text") == "of notes"

    play(scenario())


def test_clearing_leaves_the_app_and_its_permissions_and_no_copy_of_its_data(
    tmp_path: Path,
) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as (center, server):
            await two_apps_with_data(tmp_path, center, server)
            await center.clear_data("notes")
            assert await center.data_of("notes") == ()
            assert [each.permission for each in center.permissions.grants("notes")] == ["keep"]
            assert {each.name for each in await center.data_of("mail")} >= {"mail"}
            assert center.rollback_points("notes") == ()

    play(scenario())


@pytest.mark.requirement("APP-51")
def test_keeping_data_lets_the_app_find_them_when_it_comes_back(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as (center, server):
            await two_apps_with_data(tmp_path, center, server)
            receipt = await center.uninstall("notes", UninstallKind.KEEP_DATA)
            assert receipt.residue == ()
            assert center.installed_app("notes") is None
            assert center.permissions.grants("notes") == ()
            assert [kept.app_id for kept in center.kept_data()] == ["notes"]
            review = await center.review(make_package(tmp_path / "3", version="3.0.0"))
            assert review.has_kept_data
            await center.discard(review)
            await installed(center, make_package(tmp_path / "4", version="3.0.0"))
            assert await server.kept("notes", "text") == "of notes"
            assert center.kept_data() == ()

    play(scenario())


@pytest.mark.requirement("APP-51")
def test_deleting_leaves_nothing_and_other_apps_never_notice(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as (center, server):
            await two_apps_with_data(tmp_path, center, server)
            receipt = await center.uninstall("notes", UninstallKind.DELETE_DATA)
            assert receipt.residue == ()
            assert {each.kind for each in receipt.removed} >= {"code", "data", "view"}
            assert await center.receipts() == (receipt,)
            assert (await center.package("mail")).is_valid
            assert await server.kept("mail", "text") == "of mail"
            assert len(center.rollback_points("mail")) == 1

    play(scenario())
    left = names_below(tmp_path / "data")
    assert not any("notes" in name for name in left)
    assert any("mail" in name for name in left)


def test_the_search_after_a_removal_finds_what_somebody_put_back(tmp_path: Path) -> None:
    """Ours: a proof that cannot fail proves nothing."""

    async def scenario() -> None:
        async with opened(tmp_path) as (center, server):
            await two_apps_with_data(tmp_path, center, server)
            forgotten = tmp_path / "data/somewhere/notes"
            forgotten.mkdir(parents=True)
            (forgotten / "left").write_text("something")
            receipt = await center.uninstall("notes", UninstallKind.DELETE_DATA)
            assert receipt.residue == (str(Path("somewhere/notes")),)

    play(scenario())


def test_an_export_comes_before_the_deletion_and_a_taken_place_stops_both(tmp_path: Path) -> None:
    target = tmp_path / "notes.zip"

    async def scenario() -> None:
        async with opened(tmp_path) as (center, server):
            await two_apps_with_data(tmp_path, center, server)
            kind = UninstallKind.EXPORT_THEN_DELETE
            with pytest.raises(InvalidInput):
                await center.uninstall("notes", kind)
            with pytest.raises(Conflict):
                await center.uninstall("notes", kind, export_to=tmp_path / "1/notes/APP.md")
            assert await server.kept("notes", "text") == "of notes"
            receipt = await center.uninstall("notes", kind, export_to=target)
            assert receipt.export is not None
            assert receipt.residue == ()

    play(scenario())
    with zipfile.ZipFile(target) as archive:
        assert "storage/storage.db" in archive.namelist()


def test_data_that_outlived_their_app_can_be_deleted_later(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as (center, server):
            await two_apps_with_data(tmp_path, center, server)
            await center.uninstall("notes", UninstallKind.KEEP_DATA)
            receipt = await center.uninstall("notes", UninstallKind.DELETE_DATA)
            assert receipt.version is None
            assert {each.kind for each in receipt.removed} == {"data", "view"}
            assert receipt.residue == ()
            with pytest.raises(AppNotInstalled):
                await center.uninstall("notes", UninstallKind.DELETE_DATA)

    play(scenario())


def test_an_app_that_is_not_installed_cannot_be_removed(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            for kind in (UninstallKind.DISABLE, UninstallKind.KEEP_DATA):
                with pytest.raises(AppNotInstalled):
                    await center.uninstall("nobody", kind)

    play(scenario())


def test_two_apps_of_the_same_bytes_but_other_names_do_not_share_code(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            await installed(center, make_package(tmp_path / "1", permissions=NOTES))
            await installed(center, make_package(tmp_path / "1", name="mail", permissions=NOTES))
            await center.uninstall("notes", UninstallKind.KEEP_DATA)
            assert (await center.package("mail")).is_valid

    play(scenario())


def test_what_is_counted_after_an_app_went_leaves_no_trace_of_it(tmp_path: Path) -> None:
    """A bug: uses are written down a moment later, and were found again after the app was gone."""

    async def scenario() -> None:
        async with opened(tmp_path) as (center, server):
            await two_apps_with_data(tmp_path, center, server)
            await center.uninstall("notes", UninstallKind.DELETE_DATA)
            late = [
                GrantUse(app_id=AppId(name), rule_id="r", action="a", count=1, last_at_ms=1)
                for name in ("notes", "mail")
            ]
            await center.permissions.count_uses(late)
            assert [use.app_id for use in await center.permissions.uses()] == ["mail"]

    play(scenario())


@pytest.mark.parametrize("has_file", [False, True])
def test_an_empty_folder_of_a_late_engine_goes_and_is_no_alarm(
    tmp_path: Path, *, has_file: bool
) -> None:
    """A fault: uninstalling left empty folders, for an engine that ends late makes its own once more."""

    async def scenario() -> None:
        async with opened(tmp_path) as (center, server):
            await two_apps_with_data(tmp_path, center, server)
            view = center.layout.view_of("notes")

            def come_back(progress: Progress) -> None:
                if progress.step is Step.SWEPT:
                    (view / "storage/Local Storage").mkdir(parents=True)
                    if has_file:
                        (view / "storage/kept").write_text("a page's")

            kind = UninstallKind.DELETE_DATA
            receipt = await center.uninstall("notes", kind, progress=InstallProgress(come_back))
            assert receipt.residue == ((f"views/{view.name}",) if has_file else ())
            assert view.exists() is has_file
            (view / "storage").mkdir(parents=True, exist_ok=True)
        async with center_of(tmp_path) as center:
            assert view.exists() is has_file
            assert (center.layout.view_of("mail") / "db").exists()

    play(scenario())
