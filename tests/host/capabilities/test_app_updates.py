"""lime.appUpdates: releases come from sources that the person chose, and nobody else installs them (ours)."""

from pathlib import Path

import pytest

from tests.conformance.packages import app_md, write_package
from tests.host.bridged import Bridged, install, play
from tests.host.contracts.settings_and_updates import fetched, offered

CALLS = "lime.appUpdates"
DECLARED = "requires: {capabilities: {lime.appUpdates: '>=0.3.0'}}\n"


@pytest.mark.requirement("APP-06")
def test_a_fetched_release_is_put_to_the_person_and_installed_by_nobody_else(
    tmp_path: Path,
) -> None:
    async def scene(page: Bridged) -> None:
        assert page.center is not None
        await offered(page)
        await page(f"{CALLS}.download")
        asked = await page.value(f"{CALLS}.apply", version="9.0.0")
        assert asked == {"version": "9.0.0", "status": "pending"}
        assert page.window.asked == [("review", "9.0.0")]
        [app] = page.center.installed()
        assert app.version == "1.0.0"
        snapshot = await page.value(f"{CALLS}.getSnapshot")
        assert snapshot["downloadedUpdates"] == []
        # Where a package lies on this machine is nobody's business.
        assert str(tmp_path) not in str(snapshot)
        await install(page.center, page.folder / "source/notes")
        done = await page.value(f"{CALLS}.apply", version="9.0.0")
        assert done == {"version": "9.0.0", "status": "applied"}
        assert (await page.value(f"{CALLS}.getSnapshot"))["availableUpdates"] == []

    package = write_package(tmp_path, {"APP.md": app_md(DECLARED)})
    play(tmp_path / "data", package, scene, is_installed=True)


def test_without_a_source_or_an_earlier_release_the_refusal_says_so(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        refused = await page(f"{CALLS}.check")
        assert refused["stableCode"] == "capability_unavailable"
        assert "No catalog" in str(refused["message"])
        assert await page.code(f"{CALLS}.apply", version="9.0.0") == "APP_E001"
        assert await page.code(f"{CALLS}.rollback") == "APP_E033"

    package = write_package(tmp_path, {"APP.md": app_md(DECLARED)})
    play(tmp_path / "data", package, scene, is_installed=True)


def test_one_release_at_a_time_lies_ready(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        assert page.center is not None
        await fetched(page)
        [app] = page.center.installed()
        before = page.center.updates.fetched("notes")
        assert await page.center.updates.fetch(app, "9.0.0") is before
        staged = list((page.center.layout.staging).iterdir())
        assert len(staged) == 1
        await page.center.updates.let_go("notes")
        assert not list(page.center.layout.staging.iterdir())

    package = write_package(tmp_path, {"APP.md": app_md(DECLARED)})
    play(tmp_path / "data", package, scene, is_installed=True)


def test_a_package_opened_where_it_lies_has_no_releases(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        assert (await page.value(f"{CALLS}.getSnapshot"))["availableUpdates"] == []
        assert (await page(f"{CALLS}.check"))["stableCode"] == "capability_unavailable"

    play(tmp_path / "data", write_package(tmp_path, {"APP.md": app_md(DECLARED)}), scene)
