"""What a catalog says of versions that are out: withdrawn ones keep working, revoked ones stop, and only its own (ours)."""

import shutil
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from lime_desktop.app_package.trust.revocation import RememberedAnswer, RevocationChecks
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.protocol.errors import InstallRefused, SourceUnverified
from lime_desktop.readiness.flow_chart import Status
from lime_desktop.shipping.publishing.apps import (
    PublishedCatalog,
    publish_apps,
    revoke_app,
    withdraw_app,
)
from lime_desktop.shipping.refusals import UpdateRefused
from tests.host.app_center.opened import center_of, consent_to, installed, play
from tests.host.app_center.packages import make_package, packed
from tests.shipping.shops import Shop, buy, sign, trust_publisher
from tests.shipping.vendors import Served, serve


@pytest.fixture
def shop(tmp_path: Path, served: Served) -> Shop:
    made = Shop(tmp_path, served.url)
    made.publish("1.0.0")
    return made


@pytest.fixture
def rival(tmp_path: Path) -> Generator[Shop]:
    """Another catalog that lists the very same package, and names it its own."""
    (tmp_path / "rival").mkdir()
    with serve(tmp_path / "rival") as served:
        yield Shop(tmp_path, served.url, "rival")


def recall(center: AppCenter) -> tuple[str, str, str | None] | None:
    (app,) = center.installed()
    found = center.recalls.of(app)
    return None if found is None else (found.kind, found.reason_in("en"), found.update)


async def standing(center: AppCenter, locale: str = "en") -> tuple[Status, list[str], bool]:
    """How the app stands in the window: its state, what blocks it, and whether its entry opens."""
    registry = AppRegistry(locale)
    await registry.follow(center)
    app = registry.app("notes")
    assert app is not None
    found = app.readiness.status, list(app.readiness.blockers), app.can_open("main")
    await registry.close()
    return found


STOPPED = ("revoked", "It sends notes to strangers.", None)


def test_a_revoked_version_stops_and_says_why_in_the_persons_language(
    tmp_path: Path, shop: Shop
) -> None:
    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            await buy(center, shop)
            assert (await standing(center))[2]
            shop.publish("1.1.0")
            shop.revoke("1.0.0")
            assert await center.catalog.refresh() == {}
            assert recall(center) == ("revoked", "It sends notes to strangers.", "1.1.0")
            state, blockers, opens = await standing(center)
            assert (state, opens) == (Status.BLOCKED, False)
            assert any("It sends notes to strangers." in each for each in blockers)
            assert "它会把笔记发给陌生人。" in (await standing(center, "zh-CN"))[1][0]
            # Its data can still be taken along, and the update brings it back.
            assert await center.data_of("notes") is not None
            (offer,) = center.catalog.named("notes")
            review = await center.review_offer(offer)
            await center.install(review, consent_to(review))
            assert recall(center) is None
            assert (await standing(center))[2]
            assert center.rollback_points("notes") == ()
            with pytest.raises(InstallRefused):
                await center.roll_back("notes")

    play(scenario())


def test_another_catalog_cannot_stop_a_strangers_app(
    tmp_path: Path, shop: Shop, rival: Shop
) -> None:
    """Not even with the same bytes under the same name, and not for an app that came from no catalog."""
    (package,) = (tmp_path / "web/packages").iterdir()
    publish_apps([package], rival.repository, rival.keys)
    rival.revoke("1.0.0")

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            await buy(center, shop)
            await center.catalog.add(rival.url)
            await center.catalog.refresh()
            assert recall(center) is None
            assert (await standing(center))[2]
        async with center_of(tmp_path / "sideloaded") as center:
            await installed(center, package, "keep")
            await center.catalog.add(rival.url)
            await center.catalog.refresh()
            assert recall(center) is None
            assert (await standing(center))[2]

    play(scenario())


def test_nothing_that_is_read_later_brings_a_revoked_version_back(
    tmp_path: Path, shop: Shop
) -> None:
    """Older metadata, the lost memory of them, and a catalog that is followed no more."""
    shutil.copytree(tmp_path / "web", tmp_path / "before")

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            await buy(center, shop)
            shop.revoke("1.0.0")
            await center.catalog.refresh()
            shutil.copytree(tmp_path / "before", tmp_path / "web", dirs_exist_ok=True)
            (failure,) = (await center.catalog.refresh()).values()
            assert isinstance(failure, SourceUnverified)
            assert recall(center) == STOPPED
            shutil.rmtree(tmp_path / "data/host/catalogs", ignore_errors=True)
            await center.catalog.refresh()
            assert recall(center) == STOPPED
            await center.catalog.remove(shop.url)
            assert recall(center) == STOPPED
        async with center_of(tmp_path) as center:
            assert recall(center) == STOPPED
            assert not (await standing(center))[2]

    play(scenario())


def test_a_list_that_nobody_signed_cannot_stop_anything(tmp_path: Path, shop: Shop) -> None:
    shop.revoke("1.0.0")
    shutil.rmtree(tmp_path / "web/metadata")

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            await center.catalog.add(shop.url)
            assert center.catalog.offers == ()
            (package,) = (tmp_path / "web/packages").iterdir()
            app = await installed(center, package, "keep")
            assert app.offered_by is None
            assert recall(center) is None
        async with center_of(tmp_path / "other") as center:
            (tmp_path / "web/catalog.json").write_text(_without_mark(tmp_path / "web"))
            await buy(center, shop)
            (tmp_path / "web/catalog.json").write_text(_with_mark(tmp_path / "web"))
            await center.catalog.refresh()
            assert recall(center) == ("withdrawn", "Stop.", None)
            assert (await standing(center))[2]

    play(scenario())


def _without_mark(web: Path) -> str:
    lines = (web / "catalog.json").read_text().splitlines()
    at = next(n for n, line in enumerate(lines) if '"revoked"' in line)
    end = next(n for n in range(at, len(lines)) if "}" in lines[n])
    # The mark is the row's last key: the one before it must end the row.
    kept = [*lines[:at], *lines[end + 1 :]]
    kept[at - 1] = kept[at - 1].rstrip(",")
    return "\n".join(kept)


def _with_mark(web: Path) -> str:
    text = (web / "catalog.json").read_text()
    return text.replace('"appId": "notes"', '"revoked": "Stop.", "appId": "notes"')


def test_a_revoked_package_is_not_installed_from_a_file_either(tmp_path: Path, shop: Shop) -> None:
    (package,) = (tmp_path / "web/packages").iterdir()
    shop.revoke("1.0.0")

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            await center.catalog.add(shop.url)
            review = await center.review(package)
            assert [each.code.value for each in review.refusals] == ["package-revoked"]
            with pytest.raises(SourceUnverified):
                await center.install(review, consent_to(review, "keep"))
            assert center.installed() == ()

    play(scenario())


def test_a_withdrawn_version_keeps_working_and_is_marked(tmp_path: Path, shop: Shop) -> None:
    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            await buy(center, shop)
            shop.withdraw("1.0.0")
            await center.catalog.refresh()
            assert recall(center) == ("withdrawn", "It loses notes.", None)
            assert (await standing(center))[2]
            shop.publish("1.1.0")
            await center.catalog.refresh()
            assert recall(center) == ("withdrawn", "It loses notes.", "1.1.0")

    play(scenario())


def test_the_publishers_own_revocation_stops_an_installed_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = make_package(tmp_path / "signed")
    sign(package, revocation_url="https://paper-lane.example/revoked")
    trust_publisher(tmp_path, 1)
    answers = {"status": "good"}

    def remembered(*_: object) -> RememberedAnswer:
        return RememberedAnswer.model_validate(
            {
                "packageHash": "sha256:" + "0" * 64,
                "status": answers["status"],
                "reason": "The key was stolen.",
                "askedAtMs": RevocationChecks().now_ms(),
            }
        )

    def holds(*_: object) -> bool:
        return True

    monkeypatch.setattr(RevocationChecks, "_remembered", remembered)
    monkeypatch.setattr(RevocationChecks, "_still_holds", holds)

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            await installed(center, packed(package, tmp_path / "notes.lapp"), "keep")
            await center.ask_publishers()
            assert recall(center) is None
            answers["status"] = "revoked"
            await center.ask_publishers()
            assert recall(center) == ("revoked", "The key was stolen.", None)
            assert (await standing(center))[0] is Status.BLOCKED
            answers["status"] = "good"
            await center.ask_publishers()
            assert recall(center) == ("revoked", "The key was stolen.", None)

    play(scenario())


@pytest.mark.parametrize("mark", [revoke_app, withdraw_app])
def test_a_mark_that_desktops_could_not_read_is_not_published(
    shop: Shop, mark: Callable[..., PublishedCatalog]
) -> None:
    """One row that cannot be read would refuse the whole list."""
    before = shop.repository.read_target("catalog.json")
    for reasons in ({"en": ""}, {"en": "x" * 2_000}, {"not a language": "x"}):
        with pytest.raises(UpdateRefused):
            mark(shop.repository, shop.keys, "notes", "1.0.0", reasons)
    with pytest.raises(UpdateRefused, match="not in this catalog"):
        mark(shop.repository, shop.keys, "notes", "9.0.0", {"en": "Why."})
    assert shop.repository.read_target("catalog.json") == before
