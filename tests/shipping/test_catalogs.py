"""A catalog of apps that its vendor signs: believed only as long as its keys say so (ours)."""

import json
import shutil
from pathlib import Path

import pytest

from lime_desktop.app_package.files.hashes import file_hash
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.protocol.errors import SourceUnverified
from lime_desktop.shipping.publishing.apps import publish_apps, withdraw_app
from lime_desktop.shipping.refusals import UpdateRefused
from tests.host.app_center.opened import center_of, consent_to, play
from tests.host.app_center.packages import make_package
from tests.shipping.shops import Shop
from tests.shipping.vendors import Served, body


@pytest.fixture
def shop(tmp_path: Path, served: Served) -> Shop:
    made = Shop(tmp_path, served.url)
    made.publish("1.0.0")
    return made


def versions(center: AppCenter) -> list[str]:
    return sorted(each.version for each in center.catalog.offers)


def test_an_app_goes_from_the_vendor_to_the_person(tmp_path: Path, shop: Shop) -> None:
    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            await center.catalog.add(f"{shop.url}#root={shop.root}")
            (offer,) = center.catalog.named("notes")
            review = await center.review_offer(offer)
            await center.install(review, consent_to(review))
            shop.publish("1.1.0")
            assert await center.catalog.refresh() == {}
            (installed,) = center.installed()
            assert [each.version for each in center.updates.offers(installed)] == ["1.1.0"]

    play(scenario())


@pytest.mark.parametrize("kept", [True, False])
def test_what_others_put_there_is_not_believed(
    tmp_path: Path, shop: Shop, served: Served, *, kept: bool
) -> None:
    """A changed list, beside the signed one or in its place; what was offered before stays."""
    listed = json.loads((tmp_path / "web/catalog.json").read_bytes())
    listed["apps"][0]["version"] = "6.6.6"
    forged = json.dumps(listed).encode()

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            await center.catalog.add(shop.url)
            served.answers["catalog.json" if kept else "metadata/"] = body(forged)
            (tmp_path / "web/catalog.json").write_bytes(forged)
            failures = await center.catalog.refresh()
            # Without anything new to fetch, what was signed before holds.
            assert all(isinstance(each, SourceUnverified) for each in failures.values())
            assert versions(center) == ["1.0.0"]

    play(scenario())


def test_a_catalog_that_was_signed_is_never_read_unsigned(tmp_path: Path, shop: Shop) -> None:
    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            await center.catalog.add(shop.url)
        shutil.rmtree(tmp_path / "web/metadata")
        async with center_of(tmp_path) as center:
            failures = await center.catalog.refresh()
            assert list(failures) == [shop.url]
            assert versions(center) == ["1.0.0"]

    play(scenario())


def test_an_older_catalog_that_was_signed_once_is_refused(tmp_path: Path, shop: Shop) -> None:
    shutil.copytree(tmp_path / "web", tmp_path / "before")

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            shop.publish("1.1.0")
            await center.catalog.add(shop.url)
            shutil.copytree(tmp_path / "before", tmp_path / "web", dirs_exist_ok=True)
            (failure,) = (await center.catalog.refresh()).values()
            assert isinstance(failure, SourceUnverified)
            assert "UPDATE_REPLAYED" in str(failure)
            assert versions(center) == ["1.0.0", "1.1.0"]

    play(scenario())


def test_an_address_that_names_another_key_is_not_taken(tmp_path: Path, shop: Shop) -> None:
    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            with pytest.raises(SourceUnverified):
                await center.catalog.add(f"{shop.url}#root=sha256:{'0' * 64}")
            assert center.catalog.sources == ()

    play(scenario())


def test_a_package_that_was_changed_is_not_installed(tmp_path: Path, shop: Shop) -> None:
    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            await center.catalog.add(shop.url)
            (package,) = (tmp_path / "web/packages").iterdir()
            package.write_bytes(package.read_bytes() + b"more")
            with pytest.raises(SourceUnverified):
                await center.review_offer(center.catalog.named("notes")[0])

    play(scenario())


def test_a_version_that_was_withdrawn_is_offered_no_more(tmp_path: Path, shop: Shop) -> None:
    shop.publish("1.1.0")

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            await center.catalog.add(shop.url)
            assert versions(center) == ["1.0.0", "1.1.0"]
            withdraw_app(shop.repository, shop.keys, "notes", "1.1.0", {"en": "It loses notes."})
            await center.catalog.refresh()
            assert versions(center) == ["1.0.0"]

    play(scenario())


def test_a_version_never_changes(tmp_path: Path, shop: Shop) -> None:
    (package,) = (tmp_path / "web/packages").iterdir()
    before = file_hash(package)
    changed = make_package(tmp_path / "changed", files={"dist/ui/more.html": "more"})
    with pytest.raises(UpdateRefused, match="raise its version"):
        publish_apps([changed], shop.repository, shop.keys)
    assert file_hash(package) == before
