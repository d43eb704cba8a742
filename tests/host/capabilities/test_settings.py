"""lime.settings: layer over layer, and who locked what (the standard: workspace > user > tenant > app > host)."""

from pathlib import Path

import pytest

from tests.conformance.packages import app_md, write_package
from tests.host.bridged import Bridged, play
from tests.host.contracts.settings_and_updates import BRAND, TEMPLATES, TONE

GET, SET, LIST = "lime.settings.get", "lime.settings.set", "lime.settings.list"
ORGANISATION = """
version: 1
name: Example Ltd
overlays:
  "*": { values: { templates.house.name: Example, budget.monthly: 50 }, locks: [budget, templates.brand] }
"""


def package(folder: Path) -> Path:
    wanted = "requires: {capabilities: {lime.settings: '>=0.3.0'}}\n"
    return write_package(folder, {"APP.md": app_md(wanted + TEMPLATES), **BRAND})


@pytest.mark.requirement("APP-66")
def test_an_app_changes_its_own_fields_and_reads_the_rest(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        assert (await page.value(GET, key=TONE))["source"] == "app"
        changed = (await page.allowed(SET, key=TONE, value="cool"))["value"]
        assert changed == await page.value(GET, key=TONE)
        assert (changed["value"], changed["source"], changed["locked"]) == ("cool", "user", False)
        assert (await page.value(GET, key="model.default"))["value"] == "small"
        # Not its own: the model is the person's, the house's name the organisation's.
        assert await page.code_after_yes(SET, key="model.default", value="large") == "APP_E009"
        assert (
            await page.code_after_yes(SET, key="templates.house.name", value="Mine") == "APP_E009"
        )
        # Not as its own schema declares.
        assert await page.code_after_yes(SET, key=TONE, value=5) == "APP_E014"
        assert await page.code_after_yes(SET, key="templates.brand.other", value=5) == "APP_E009"
        assert await page.code(GET, key="templates.brand.other") == "APP_E204"
        # No credential is kept in a setting.
        token = "Bearer " + "aB3" * 12
        assert await page.code_after_yes(SET, key=TONE, value=token) == "APP_E014"
        taken_back = (await page.allowed(SET, key=TONE, value=None))["value"]
        assert (taken_back["value"], taken_back["source"]) == ("warm", "app")

    play(tmp_path / "data", package(tmp_path), scene, is_installed=True)


def test_what_somebody_locked_stays_and_the_app_is_told_who(tmp_path: Path) -> None:
    document = tmp_path / "organisation.yaml"
    document.write_text(ORGANISATION)

    async def scene(page: Bridged) -> None:
        assert page.center is not None
        await page.allowed(SET, key=TONE, value="cool")
        await page.center.membership.join(str(document))
        refused = await page.allowed(SET, key=TONE, value="loud")
        assert refused["details"]["appErrorCode"] == "APP_E026"
        assert refused["details"]["lockedBy"] == "tenant"
        # The lock holds back what was said before it, too.
        now = await page.value(GET, key=TONE)
        assert (now["value"], now["source"], now["lockedBy"]) == ("warm", "app", "tenant")
        [budget] = await page.value(LIST, namespace="budget")
        assert (budget["value"], budget["source"], budget["locked"]) == (50, "tenant", True)
        house = await page.value(GET, key="templates.house.name")
        assert (house["value"], house["source"], house["locked"]) == ("Example", "tenant", False)

    play(tmp_path / "data", package(tmp_path), scene, is_installed=True)


def test_an_app_hears_of_every_change_whoever_made_it(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        wish = {"capability": "lime.settings", "topic": "changes"}
        assert (await page.send("capability:subscribe", wish))["ok"] is True
        await page.allowed(SET, key=TONE, value="cool")
        told = (await page.pushed.get())["payload"]
        assert told["payload"]["changes"][0].items() >= {"key": TONE, "value": "cool"}.items()
        # The person, on the app's own page.
        assert page.center is not None
        manifest = (await page.center.package("notes")).manifest
        await page.center.overlays.put(manifest, "user", {"budget.monthly": 5})
        told = (await page.pushed.get())["payload"]["payload"]
        assert [each["key"] for each in told["changes"]] == ["budget.monthly", TONE]
        assert told["changes"][1]["value"] == "warm"
        refused = await page.send("capability:subscribe", {**wish, "topic": "weather"})
        assert refused["details"]["appErrorCode"] == "APP_E024"

    play(tmp_path / "data", package(tmp_path), scene, is_installed=True)


def test_without_the_app_center_nothing_is_kept_and_the_app_is_told(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        assert (await page.value(GET, key=TONE))["value"] == "warm"
        refused = await page.allowed(SET, key=TONE, value="cool")
        assert refused["details"]["appErrorCode"] == "APP_E001"

    play(tmp_path / "data", package(tmp_path), scene)
