"""A stranger's list that claims the name of an app: a higher number must bring it nothing, before install or after."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from lime_desktop.cli.main import main
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.records.removal import UninstallKind
from lime_desktop.protocol.errors import ApprovalRequired, CapabilityNotAvailable
from tests.host.app_center.opened import center_of, consent_to, installed, play
from tests.host.app_center.packages import make_package

GOOD, SQUATTER = "good", "squatter"


def _sources(folder: Path) -> tuple[str, str]:
    """What the person chose first, and a stranger's place that offers the same name at a far higher version."""
    make_package(folder / GOOD, "diary")
    make_package(folder / SQUATTER, "diary", version="99.0.0")
    return str(folder / GOOD), str(folder / SQUATTER)


async def _from(center: AppCenter, source: str | None = None) -> None:
    review = await center.review_offer(center.catalog.named("diary", source)[0])
    await center.install(review, consent_to(review))


def test_the_first_source_is_taken_and_the_review_names_the_others(tmp_path: Path) -> None:
    good, squatter = _sources(tmp_path)

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            await center.catalog.add(good)
            await center.catalog.add(squatter)
            assert [each.source for each in center.catalog.named("diary")] == [good]
            assert [each.offer.source for each in center.catalog.search("diary")] == [good]
            review = await center.review_offer(center.catalog.named("diary")[0])
            assert review.choice.source == good
            assert review.choice.others == (squatter,)
            assert not review.choice.is_change
            app = await center.install(review, consent_to(review))
            assert app.offered_by == good

    play(scenario())


def test_updates_come_from_the_chosen_source_alone(tmp_path: Path) -> None:
    good, squatter = _sources(tmp_path)

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            await center.catalog.add(good)
            await _from(center)
            await center.catalog.add(squatter)
        async with center_of(tmp_path) as center:
            await center.catalog.refresh()
            app = center.installed()[0]
            assert center.catalog.new_offers == ()
            assert center.updates.offers(app) == ()
            with pytest.raises(CapabilityNotAvailable):
                await center.updates.fetch(app, "99.0.0")
            # Not even when the chosen one is gone: nobody inherits a name.
            await center.catalog.remove(good)
            assert center.catalog.new_offers == ()
            with pytest.raises(CapabilityNotAvailable):
                await center.updates.check(app)

    play(scenario())


def test_an_app_from_a_file_is_updated_by_no_stranger(tmp_path: Path) -> None:
    _, squatter = _sources(tmp_path)

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            await installed(center, tmp_path / GOOD / "diary")
            await center.catalog.add(squatter)
            assert center.catalog.new_offers == ()
            assert center.updates.offers(center.installed()[0]) == ()

    play(scenario())


def test_another_source_needs_a_word_of_its_own(tmp_path: Path) -> None:
    good, squatter = _sources(tmp_path)

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            await center.catalog.add(good)
            await center.catalog.add(squatter)
            await _from(center)
            with pytest.raises(ApprovalRequired):
                await _from(center, squatter)
            assert center.installed()[0].version == "1.0.0"
            await center.choose_source("diary", squatter)
            assert [each.version for each in center.catalog.new_offers] == ["99.0.0"]
            await _from(center)
            assert center.installed()[0].offered_by == squatter
            # Going back brings the code back; the choice is the person's, and stays.
            await center.roll_back("diary")
            assert center.installed()[0].version == "1.0.0"
            assert center.installed()[0].offered_by == squatter

    play(scenario())


def test_data_that_outlived_an_app_keep_its_source(tmp_path: Path) -> None:
    good, squatter = _sources(tmp_path)

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            await center.catalog.add(squatter)
            await center.catalog.add(good)
            review = await center.review_offer(center.catalog.named("diary", good)[0])
            await center.install(review, consent_to(review))
            view = center.layout.view_of("diary")
            view.mkdir(parents=True)
            (view / "kept").write_text("a diary")
            await center.uninstall("diary", UninstallKind.KEEP_DATA)
            assert [each.source for each in center.catalog.named("diary")] == [good]
            with pytest.raises(ApprovalRequired):
                await _from(center, squatter)

    play(scenario())


class Terminal:
    """Runs commands on one data folder; nobody sits at it."""

    def __init__(self, folder: Path) -> None:
        self._data = ("--data-dir", str(folder / "data"))

    def run(self, *words: str, expected: int = 0) -> str:
        done = CliRunner().invoke(main, [*words, *self._data])
        assert done.exit_code == expected, done.output
        return done.output

    def json(self, *words: str, expected: int = 0) -> dict[str, Any]:
        done = CliRunner().invoke(main, [*words, *self._data, "--json"])
        assert done.exit_code == expected, done.output
        return json.loads(done.stdout)


def test_a_terminal_says_which_source_is_meant_and_changes_it_by_name_only(tmp_path: Path) -> None:
    good, squatter = _sources(tmp_path)
    terminal = Terminal(tmp_path)
    agreed = ("--yes", "--accept-unsigned")
    terminal.run("apps", "sources", "--add", good)
    terminal.run("apps", "sources", "--add", squatter)
    found = terminal.json("apps", "search", "diary")["offers"]
    assert [(each["source"], each["otherSources"]) for each in found] == [(good, [squatter])]
    printed = terminal.run("apps", "search", "diary")
    assert good in printed
    assert squatter in printed
    review = terminal.run("install", "diary", "--review")
    assert f"Also offered by {squatter}" in review
    terminal.run("install", "diary", *agreed)
    shown = terminal.json("apps", "source", "diary")
    assert (shown["source"], shown["otherSources"]) == (good, [squatter])
    refused = terminal.json("apps", "source", "diary", "--choose", squatter, expected=3)
    assert refused["code"] == "APP_E010"
    terminal.json("apps", "source", "diary", "--choose", str(tmp_path), "--yes", expected=1)
    said = terminal.run("apps", "source", "diary", "--choose", squatter, "--yes")
    assert squatter in said
    assert terminal.json("apps", "source", "diary")["source"] == squatter


def test_an_update_from_elsewhere_is_named_and_said(tmp_path: Path) -> None:
    good, squatter = _sources(tmp_path)
    terminal = Terminal(tmp_path)
    agreed = ("--yes", "--accept-unsigned")
    terminal.run("apps", "sources", "--add", good)
    terminal.run("install", "diary", *agreed)
    terminal.run("apps", "sources", "--add", squatter)
    assert terminal.json("update", "diary", *agreed, expected=1)["code"] == "APP_E033"
    terminal.run("apps", "sources", "--remove", good)
    # Its own source is gone: nobody inherits the name, and the words say who offers it.
    refused = terminal.json("update", "diary", *agreed, expected=3)
    assert squatter in str(refused["message"])
    said = terminal.run("update", "diary", "--source", squatter, "--review")
    assert f"updates came from {good}" in said
    updated = terminal.json("update", "diary", "--source", squatter, *agreed)
    assert updated["app"]["offeredBy"] == squatter
