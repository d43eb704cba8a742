"""The organisation's word and the layers of settings (the standard: workspace, user, tenant, app; locks hold)."""

from pathlib import Path

import pytest

from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.governance.organisation import parse_organisation
from lime_desktop.host.app_center.records.removal import UninstallKind
from lime_desktop.host.app_center.review.refusing import RefusalCode
from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.protocol.errors import InvalidInput, PolicyDenied
from tests.host.app_center.opened import center_of, consent_to, installed, play
from tests.host.app_center.packages import make_package
from tests.host.app_center.web_server import serving

DOCUMENT = """
version: 1
name: Example Ltd
policy:
  default: ask
  rules:
    - { id: no-paste, effect: deny, text: Nothing goes to paste sites., when: { domains: [pastebin.com] } }
apps: { blocked: [games] }
overlays:
  "*": { values: { budget.monthly: 50 }, locks: [budget] }
  notes: { values: { content.brandTone: formal } }
branding: { productName: Example Desk, accent: "#0a5bd3" }
catalogs: [https://apps.example.com/catalog.json]
"""


def test_a_document_says_what_is_in_force() -> None:
    found = parse_organisation(DOCUMENT, "file")
    assert [rule.ref.id for rule in found.policy.rules] == ["organisation.no-paste"]
    assert found.branding.product_name == "Example Desk"
    assert found.allows("notes")
    assert not found.allows("games")
    assert dict(found.layer_for("notes").values) == {
        "budget.monthly": 50,
        "content.brandTone": "formal",
    }
    assert found.catalogs == ("https://apps.example.com/catalog.json",)


@pytest.mark.parametrize(
    "wrong",
    [
        "version: 2",
        "blocekd: [games]",
        "policy: { rules: [{ id: x }] }",
        "branding: { accent: red }",
        "apps: [notes]",
        "name: ''",
    ],
)
def test_a_document_with_one_fault_is_refused_whole(wrong: str) -> None:
    text = f"version: 1\nname: A\n{wrong}\n" if "version" not in wrong else f"name: A\n{wrong}"
    with pytest.raises(InvalidInput):
        parse_organisation(text, "file")


def test_a_bad_or_missing_document_leaves_the_last_good_one_in_force(tmp_path: Path) -> None:
    file = tmp_path / "organisation.yaml"
    file.write_text(DOCUMENT)

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            await center.membership.join(str(file))
            replace(file, "version: 1\nnmae: typo")
            with pytest.raises(InvalidInput):
                await center.membership.refresh()
        async with center_of(tmp_path) as center:
            organisation = center.membership.organisation
            assert organisation is not None
            assert organisation.name == "Example Ltd"
            replace(file, None)
            with pytest.raises(InvalidInput):
                await center.membership.refresh()
            await center.membership.leave()
            assert center.membership.organisation is None
            assert await center.membership.refresh() is None

    play(scenario())


def replace(file: Path, text: str | None) -> None:
    file.unlink(missing_ok=True)
    if text is not None:
        file.write_text(text)


def test_an_address_serves_as_well_as_a_file(tmp_path: Path) -> None:
    async def scenario() -> None:
        with serving({"/organisation.yaml": DOCUMENT.encode()}) as address:
            async with center_of(tmp_path) as center:
                organisation = await center.membership.join(f"{address}/organisation.yaml")
                assert organisation.source == f"{address}/organisation.yaml"

    play(scenario())


def test_its_catalogs_are_sources_until_it_is_left_and_nobody_can_remove_them(
    tmp_path: Path,
) -> None:
    offered = tmp_path / "office/offered"
    make_package(offered, name="office")
    own = tmp_path / "own"
    make_package(own, name="mine")
    file = tmp_path / "office/organisation.yaml"
    file.write_text("version: 1\nname: Office\ncatalogs: [offered]\n")

    def seen(center: AppCenter) -> list[tuple[str, bool]]:
        return [(Path(each.location).name, each.is_given) for each in center.catalog.sources]

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            await center.catalog.add(str(own))
            await center.membership.join(str(file))
            assert await center.catalog.refresh() == {}
            assert seen(center) == [("offered", True), ("own", False)]
            assert {each.app_id for each in center.catalog.offers} == {"office", "mine"}
            with pytest.raises(PolicyDenied):
                await center.catalog.remove(str(offered))
        async with center_of(tmp_path) as center:
            assert [each.app_id for each in center.catalog.offers] == ["office", "mine"]
            await center.membership.leave()
            assert seen(center) == [("own", False)]
            await center.catalog.add(str(offered))
            await center.membership.join(str(file))
            await center.catalog.refresh()
            await center.membership.leave()
            await center.catalog.refresh()
            assert seen(center) == [("own", False), ("offered", False)]

    play(scenario())


def test_its_logo_comes_with_the_document_and_must_be_a_picture(tmp_path: Path) -> None:
    file, logo = tmp_path / "organisation.yaml", tmp_path / "logo.svg"
    file.write_text("version: 1\nname: A\nbranding: { logo: logo.svg }\n")

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            for wrong in (None, "MZ is no picture"):
                replace(logo, wrong)
                with pytest.raises(InvalidInput):
                    await center.membership.join(str(file))
                assert center.membership.organisation is None
            replace(logo, "<svg xmlns='http://www.w3.org/2000/svg'/>")
            looked = await center.membership.look(str(file))
            assert (looked.name, center.membership.organisation) == ("A", None)
            await center.membership.join(str(file))
            assert (center.membership.logo or b"").startswith(b"<svg")
            await center.membership.leave()
            assert center.membership.logo is None

    play(scenario())


def test_a_blocked_app_is_neither_installed_nor_started(tmp_path: Path) -> None:
    games = make_package(tmp_path / "1", name="games")
    file = tmp_path / "organisation.yaml"
    file.write_text(DOCUMENT)

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            await installed(center, games, "keep")
            registry = AppRegistry("en")
            await registry.follow(center)
            assert [app.can_start for app in registry.apps] == [True]
            await center.membership.join(str(file))
            assert [app.can_start for app in registry.apps] == [False]
            await center.uninstall("games", UninstallKind.KEEP_DATA)
            review = await center.review(games)
            assert [each.code for each in review.refusals] == [RefusalCode.BLOCKED_BY_ORGANISATION]
            with pytest.raises(PolicyDenied):
                await center.install(review, consent_to(review))

    play(scenario())


def test_each_value_has_its_source_and_a_lock_holds(tmp_path: Path) -> None:
    file = tmp_path / "organisation.yaml"
    file.write_text(DOCUMENT)

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            await installed(center, make_package(tmp_path / "1"))
            manifest = (await center.package("notes")).manifest
            await center.membership.join(str(file))
            values = {"budget.monthly": 500, "content.brandTone": "friendly"}
            await center.overlays.put(manifest, "user", values)
            await center.overlays.put(manifest, "workspace", {"ui.order": ["main"]})
            found = center.overlays.resolved(manifest).values
            assert (found["budget.monthly"].value, found["budget.monthly"].source) == (50, "tenant")
            assert found["budget.monthly"].locked_by == "tenant"
            assert found["content.brandTone"].source == "user"
            assert found["ui.order"].source == "workspace"
            with pytest.raises(InvalidInput):
                await center.overlays.put(manifest, "user", {"permissions.all": True})
            await center.overlays.put(manifest, "workspace", {})
            assert center.overlays.values("notes", "workspace") == {}

    play(scenario())


@pytest.mark.requirement("APP-47")
def test_settings_outlive_an_update_and_what_lost_its_place_is_kept_for_review(
    tmp_path: Path,
) -> None:
    more = "overlayTemplates: [{ key: tone, scope: workspace }]"

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            await installed(center, make_package(tmp_path / "1", more=more))
            manifest = (await center.package("notes")).manifest
            await center.overlays.put(manifest, "workspace", {"templates.tone.mood": "calm"})
            review = await center.review(make_package(tmp_path / "2", version="2.0.0"))
            assert review.changes is not None
            assert {(each.kind, each.key) for each in review.changes.overlays} == {
                ("removed", "tone"),
                ("orphaned", "templates.tone.mood"),
            }
            await center.install(review, consent_to(review))
            after = (await center.package("notes")).manifest
            [orphan] = center.overlays.resolved(after).orphans
            assert (orphan.key, orphan.value) == ("templates.tone.mood", "calm")
            receipt = await center.uninstall("notes", UninstallKind.DELETE_DATA)
            assert receipt.residue == ()
            assert "overlays" in {each.kind for each in receipt.removed}

    play(scenario())
