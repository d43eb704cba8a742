"""Where apps come from: folders, lists, addresses (the standard: a registry that goes away breaks nothing)."""

import json
from pathlib import Path

import pytest

from lime_desktop.app_package.archive.opening import open_package
from lime_desktop.app_package.files.hashes import file_hash, tree_hash
from lime_desktop.host.app_center.packages.fetching import check_url
from lime_desktop.protocol.errors import (
    InvalidInput,
    SourceUnverified,
    UntrustedUrl,
    UpstreamFailed,
)
from tests.host.app_center.opened import center_of, consent_to, installed, play
from tests.host.app_center.packages import make_package, names_below, packed
from tests.host.app_center.web_server import serving


def listing(**row: str) -> bytes:
    app = {"appId": "notes", "version": "1.0.0", "packageUrl": "notes.lapp", **row}
    return json.dumps({"version": 1, "name": "Apps", "apps": [app]}).encode()


def test_a_folder_offers_its_packages_and_is_looked_at_anew(tmp_path: Path) -> None:
    make_package(tmp_path / "apps")

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            await center.catalog.add(str(tmp_path / "apps"))
            assert [each.app_id for each in center.catalog.offers] == ["notes"]
            make_package(tmp_path / "apps", name="mail")
            await center.catalog.refresh()
            assert [each.app_id for each in center.catalog.offers] == ["mail", "notes"]
        async with center_of(tmp_path) as center:
            assert [each.app_id for each in center.catalog.offers] == ["mail", "notes"]
            review = await center.review_offer(center.catalog.named("notes")[0])
            await center.install(review, consent_to(review))
            assert await center.catalog.remove(str(tmp_path / "apps"))
            assert center.catalog.offers == ()
            assert len(center.installed()) == 1

    play(scenario())


def test_a_list_beside_its_packages_serves_without_a_network(tmp_path: Path) -> None:
    package = make_package(tmp_path / "from")
    packed(package, tmp_path / "notes.lapp")
    (tmp_path / "catalog.json").write_bytes(
        listing(packageHash=tree_hash(open_package(package)), displayName="Notes")
    )

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            await center.catalog.add(str(tmp_path / "catalog.json"))
            review = await center.review_offer(center.catalog.named("notes")[0])
            assert review.can_install

    play(scenario())


def test_an_address_is_read_its_package_fetched_and_nothing_left_of_the_download(
    tmp_path: Path,
) -> None:
    archive = packed(make_package(tmp_path / "from"), tmp_path / "notes.lapp")
    files = {
        "/catalog.json": listing(archiveHash=file_hash(archive)),
        "/notes.lapp": archive.read_bytes(),
    }

    async def scenario(address: str) -> None:
        async with center_of(tmp_path) as center:
            await center.catalog.add(f"{address}/catalog.json")
            review = await center.review_offer(center.catalog.named("notes")[0])
            assert review.source == f"{address}/notes.lapp"
            app = await center.install(review, consent_to(review))
            assert app.source == f"{address}/notes.lapp"
            assert names_below(center.layout.staging) == set()

    with serving(files) as address:
        play(scenario(address))


def test_a_source_that_is_gone_keeps_what_it_said_last(tmp_path: Path) -> None:
    async def scenario() -> None:
        with serving({"/catalog.json": listing()}) as address:
            async with center_of(tmp_path) as center:
                await center.catalog.add(f"{address}/catalog.json")
        async with center_of(tmp_path) as center:
            failures = await center.catalog.refresh()
            assert isinstance(failures[f"{address}/catalog.json"], UpstreamFailed)
            assert [each.app_id for each in center.catalog.offers] == ["notes"]

    play(scenario())


@pytest.mark.parametrize("promise", ["packageHash", "archiveHash"])
def test_a_package_that_was_not_promised_is_refused(tmp_path: Path, promise: str) -> None:
    archive = packed(make_package(tmp_path / "from"), tmp_path / "notes.lapp")
    files = {
        "/catalog.json": listing(**{promise: f"sha256:{'0' * 64}"}),
        "/notes.lapp": archive.read_bytes(),
    }

    async def scenario(address: str) -> None:
        async with center_of(tmp_path) as center:
            await center.catalog.add(f"{address}/catalog.json")
            with pytest.raises(SourceUnverified):
                await center.review_offer(center.catalog.named("notes")[0])
            assert names_below(center.layout.staging) == set()

    with serving(files) as address:
        play(scenario(address))


def test_another_app_than_the_promised_one_is_refused(tmp_path: Path) -> None:
    packed(make_package(tmp_path / "from", name="mail"), tmp_path / "notes.lapp")
    (tmp_path / "catalog.json").write_bytes(listing())

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            await center.catalog.add(str(tmp_path / "catalog.json"))
            with pytest.raises(SourceUnverified):
                await center.review_offer(center.catalog.named("notes")[0])
            assert center.catalog.named("mail") == ()

    play(scenario())


@pytest.mark.parametrize(
    "url",
    [
        "http://apps.example.com/catalog.json",
        "http://127.0.0.1.example.com/",
        "https://name:word@apps.example.com/",
        "ftp://apps.example.com/",
        "https://",
        "http://[::1",
    ],
)
def test_only_safe_addresses_are_fetched_from(url: str) -> None:
    with pytest.raises(UntrustedUrl):
        check_url(url)


def test_a_redirect_to_an_unsafe_address_is_not_followed(tmp_path: Path) -> None:
    async def scenario(address: str) -> None:
        async with center_of(tmp_path) as center:
            with pytest.raises(UntrustedUrl):
                await center.catalog.add(f"{address}/catalog.json")
            with pytest.raises(UpstreamFailed):
                await center.catalog.add(f"{address}/round")
            with pytest.raises(UpstreamFailed):
                await center.catalog.add(f"{address}/missing.json")
            assert center.catalog.sources == ()

    redirects = {"/catalog.json": "http://apps.example.com/catalog.json", "/round": "/round"}
    with serving({}, redirects) as address:
        play(scenario(address))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{version: 2, name: A, apps: []}",
        "{version: 1, name: A, apps: [{appId: X}]}",
        "][",
    ],
)
def test_half_a_list_is_no_list(tmp_path: Path, text: str) -> None:
    (tmp_path / "catalog.yaml").write_text(text)

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            for place in ("catalog.yaml", "nowhere.yaml"):
                with pytest.raises(InvalidInput):
                    await center.catalog.add(str(tmp_path / place))

    play(scenario())


def test_a_name_is_one_sources_and_no_higher_version_of_another_takes_it(tmp_path: Path) -> None:
    """A bug: whoever offered the highest version of any source was installed under a trusted name."""
    make_package(tmp_path / "first", version="1.0.0")
    make_package(tmp_path / "squatter", version="99.0.0")

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            for folder in ("first", "squatter"):
                await center.catalog.add(str(tmp_path / folder))
            assert [each.version for each in center.catalog.offers] == ["1.0.0"]
            [offer] = center.catalog.named("notes")
            review = await center.review_offer(offer)
            app = await center.install(review, consent_to(review))
            assert app.offered_by == str(tmp_path / "first")
            assert center.updates.offers(app) == ()
            # Who no longer wants that source has not chosen another one by it.
            await center.catalog.remove(str(tmp_path / "first"))
            assert center.updates.offers(app) == ()

    play(scenario())


def test_an_installed_app_stays_with_the_source_it_came_from(tmp_path: Path) -> None:
    """An older source that begins to offer the name later gets nothing by being older."""
    make_package(tmp_path / "older", name="mail")
    make_package(tmp_path / "newer", version="1.0.0")

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            for folder in ("older", "newer"):
                await center.catalog.add(str(tmp_path / folder))
            review = await center.review_offer(center.catalog.named("notes")[0])
            app = await center.install(review, consent_to(review))
            make_package(tmp_path / "older", version="99.0.0")
            await center.catalog.refresh()
            assert center.updates.offers(app) == ()
            assert [each.version for each in center.catalog.named("notes")] == ["1.0.0"]

    play(scenario())


def test_a_name_means_the_newest_of_one_app_or_every_app_it_may_mean(tmp_path: Path) -> None:
    rows: list[dict[str, str]] = []
    for version in ("1.0.0", "1.10.0", "1.9.0"):
        make_package(tmp_path / version, version=version)
        rows.append({"appId": "notes", "version": version, "packageUrl": f"{version}/notes"})
    document = {"version": 1, "name": "Apps", "apps": rows}
    (tmp_path / "list.json").write_text(json.dumps(document), encoding="utf-8")
    make_package(tmp_path / "other", name="notes-plus")

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            for source in ("list.json", "other"):
                await center.catalog.add(str(tmp_path / source))

            def meant(name: str) -> list[tuple[str, str]]:
                return [(each.app_id, each.version) for each in center.catalog.named(name)]

            assert meant("notes") == [("notes", "1.10.0")]
            assert meant("NOTES-PLUS") == [("notes-plus", "1.0.0")]
            assert meant("note") == [("notes", "1.10.0"), ("notes-plus", "1.0.0")]
            assert meant("mail") == []
            await installed(center, tmp_path / "1.10.0/notes")
            assert [each.app_id for each in center.catalog.new_offers] == ["notes-plus"]

    play(scenario())
