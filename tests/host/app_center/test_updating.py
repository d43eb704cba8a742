"""From version to version and back (the standard: diff, consent to what is new, data kept, a way back)."""

from pathlib import Path

import pytest

from lime_desktop.app_package.trust.verdict import Verdict
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.records.records import InstalledApp
from lime_desktop.host.app_center.records.rows import put_app
from lime_desktop.host.app_center.review.changes import Change
from lime_desktop.host.app_center.review.refusing import RefusalCode
from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.protocol.calls.app_data import RESTORE_APP_DATA
from lime_desktop.protocol.errors import (
    AppServerUnavailable,
    Conflict,
    InstallRefused,
    SourceUnverified,
)
from tests.host.app_center.opened import (
    center_of,
    center_without_server,
    consent_to,
    installed,
    opened,
    play,
)
from tests.host.app_center.packages import NOTES, WEATHER, make_package, names_below

WIDER = WEATHER.replace("api.example.com", "api.example.com, telemetry.example.com")


def granted(center: AppCenter) -> list[str]:
    return sorted(grant.permission for grant in center.permissions.grants("notes"))


def test_an_update_shows_what_changes_and_asks_only_about_that(tmp_path: Path) -> None:
    first = make_package(tmp_path / "1", permissions=NOTES + WEATHER)
    files = {"storage/migrations/002_tags.sql": "CREATE TABLE tags (id TEXT);"}
    more = "overlayTemplates: [{ key: tone, scope: workspace }]"
    second = make_package(
        tmp_path / "2", version="2.0.0", permissions=NOTES + WIDER, files=files, more=more
    )

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            await installed(center, first, "keep")
            review = await center.review(second)
            assert review.is_update
            assert review.can_install
            changes = review.changes
            assert changes is not None
            assert changes.changes == (
                Change("permission", "changed", "weather"),
                Change("domain", "added", "telemetry.example.com"),
            )
            assert [step.id for step in changes.migrations] == ["002_tags"]
            assert [(each.kind, each.key) for each in changes.overlays] == [("new", "tone")]
            assert [ask.key for ask in review.open_asks] == ["weather"]

    play(scenario())


@pytest.mark.requirement("APP-47")
def test_what_was_granted_stays_and_what_reaches_further_needs_a_new_yes(tmp_path: Path) -> None:
    first = make_package(tmp_path / "1", permissions=NOTES + WEATHER)
    second = make_package(tmp_path / "2", version="2.0.0", permissions=NOTES + WIDER)
    third = make_package(tmp_path / "3", version="3.0.0", permissions=WIDER)

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            await installed(center, first, "keep", "weather")
            await installed(center, second)
            assert granted(center) == ["keep"]
            await center.permissions.grant("notes", "weather")
            await installed(center, third)
            assert granted(center) == ["weather"]

    play(scenario())


@pytest.mark.requirement("APP-47")
def test_rolling_back_brings_code_data_and_grants_back_and_can_be_undone(tmp_path: Path) -> None:
    first = make_package(tmp_path / "1", permissions=NOTES + WEATHER)
    second = make_package(tmp_path / "2", version="2.0.0", permissions=NOTES + WEATHER)

    async def scenario() -> None:
        async with opened(tmp_path) as (center, server):
            await installed(center, first, "keep")
            await server.keep("notes", "text", "of the first")
            write(center.layout.view_of("notes") / "storage/db", "view of the first")
            await installed(center, second)
            await center.permissions.grant("notes", "weather")
            await server.keep("notes", "text", "of the second")
            write(center.layout.view_of("notes") / "storage/db", "view of the second")

            back = await center.roll_back("notes")
            assert back.version == "1.0.0"
            assert (await center.package("notes")).manifest.version == "1.0.0"
            assert await server.kept("notes", "text") == "of the first"
            assert read(center.layout.view_of("notes") / "storage/db") == "view of the first"
            assert granted(center) == ["keep"]

            with pytest.raises(InstallRefused):
                await center.roll_back("notes")
            [undone] = center.rollback_points("notes")
            forth = await center.roll_back("notes", undone.point_id)
            assert forth.version == "2.0.0"
            assert await server.kept("notes", "text") == "of the second"
            assert read(center.layout.view_of("notes") / "storage/db") == "view of the second"
            assert granted(center) == ["keep", "weather"]
            assert (await center.roll_back("notes")).version == "1.0.0"

    play(scenario())


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def read(path: Path) -> str:
    return path.read_text()


def test_only_the_last_few_versions_are_kept(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as (center, _):
            for number in range(1, 7):
                package = make_package(tmp_path / str(number), version=f"{number}.0.0")
                await installed(center, package)
            versions = [point.app.version for point in center.rollback_points("notes")]
            assert versions == ["3.0.0", "4.0.0", "5.0.0"]
            assert len(names_below(center.layout.packages)) == 4 * 2

    play(scenario())
    snapshots = tmp_path / "data/app-server/app-snapshots"
    assert len(list(snapshots.iterdir())) == 3


def test_without_an_earlier_version_there_is_nothing_to_go_back_to(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            await installed(center, make_package(tmp_path / "1"))
            with pytest.raises(InstallRefused):
                await center.roll_back("notes")

    play(scenario())


def test_without_an_app_server_nothing_is_updated(tmp_path: Path) -> None:
    """Ours: no copy of the data, no update."""

    async def scenario() -> None:
        async with center_without_server(tmp_path) as center:
            app = await installed(center, make_package(tmp_path / "1"))
            review = await center.review(make_package(tmp_path / "2", version="2.0.0"))
            with pytest.raises(AppServerUnavailable):
                await center.install(review, consent_to(review))
            assert center.installed() == (app,)
            assert names_below(center.layout.staging) == set()
            assert names_below(center.layout.view_copies) == set()

    play(scenario())


def test_a_review_is_about_what_was_installed_when_it_was_made(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            early = await center.review(make_package(tmp_path / "1"))
            await installed(center, make_package(tmp_path / "2", version="2.0.0"))
            with pytest.raises(Conflict):
                await center.install(early, consent_to(early))

    play(scenario())


def test_a_signed_app_is_not_replaced_by_one_that_its_publisher_did_not_sign(
    tmp_path: Path,
) -> None:
    """The standard: who publishes an app cannot be taken over by a file."""

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            signed = await installed(center, make_package(tmp_path / "1"))
            await pretend_signed(center, signed)
            review = await center.review(make_package(tmp_path / "2", version="2.0.0"))
            assert [each.code for each in review.refusals] == [RefusalCode.PUBLISHER_CHANGED]
            with pytest.raises(SourceUnverified):
                await center.install(review, consent_to(review))

    play(scenario())


async def pretend_signed(center: AppCenter, app: InstalledApp) -> None:
    changed = app.model_copy(update={"verdict": Verdict.VERIFIED, "publisher_id": "lime"})
    await center._ledger.change(lambda connection: put_app(connection, changed))


def test_an_app_whose_data_are_half_way_back_cannot_start_until_they_are(tmp_path: Path) -> None:
    first, second = (make_package(tmp_path / v, version=f"{v}.0.0") for v in ("1", "2"))

    async def scenario() -> None:
        async with opened(tmp_path) as (center, server):
            await installed(center, first, "keep")
            await installed(center, second)
            server.refuses = {RESTORE_APP_DATA.name}
            with pytest.raises(AppServerUnavailable):
                await center.roll_back("notes")
            assert not center.is_settled("notes")
            registry = AppRegistry("en")
            await registry.follow(center)
            assert [app.can_start for app in registry.apps] == [False]
            assert center.rollback_points("notes")[-1].app.version == "2.0.0"
            server.refuses = set()
            await center.settle()
            assert center.is_settled("notes")
            assert [app.can_start for app in registry.apps] == [True]

    play(scenario())
