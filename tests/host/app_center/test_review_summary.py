"""The first view of a review (ours): five lines, what could harm first, and no program left out."""

import asyncio
from pathlib import Path

import pytest

from lime_desktop.cli.main import main
from lime_desktop.host.app_center.review.install_review import InstallReview
from lime_desktop.host.app_center.review.summary import MOST_LINES, SummaryLine, summary
from lime_desktop.host.wording.texts import Texts, read_texts
from lime_desktop.resources import resources_folder, sample_apps_folder
from tests.host.app_center.opened import center_of
from tests.host.app_center.packages import NOTES, WEATHER, make_package

SHELL = (
    '- {{ key: run{0}, provider: Run, role: running, adapter: {{ kind: cli, command: "sh -c" }} }}'
)


def programs(count: int) -> str:
    return "integrations:\n" + "\n".join(SHELL.format(each) for each in range(count))


@pytest.fixture
def english() -> Texts:
    return read_texts(resources_folder() / "locales", ["en"])


def reviewed(tmp_path: Path, package: Path) -> InstallReview:
    async def scene() -> InstallReview:
        async with center_of(tmp_path / "data") as center:
            review = await center.review(package)
            await center.discard(review)
            return review

    return asyncio.run(scene())


def lines(tmp_path: Path, texts: Texts, package: Path) -> tuple[SummaryLine, ...]:
    return summary(reviewed(tmp_path, package), texts)


def test_a_shell_stands_first_however_the_app_describes_itself(
    tmp_path: Path, english: Texts
) -> None:
    """A bug: under ``sh -c`` the review said that nothing outside is changed."""
    package = make_package(tmp_path, permissions=NOTES + WEATHER, more=programs(1))
    shown = lines(tmp_path, english, package)
    assert shown[0].text.startswith("Runs “sh -c” with any command that the app gives it.")
    assert shown[0].is_risky
    assert "declares no" not in " ".join(each.text for each in shown)


@pytest.mark.parametrize("count", [1, 4, 5, 9])
def test_five_lines_are_enough_and_programs_are_counted(
    tmp_path: Path, english: Texts, count: int
) -> None:
    package = make_package(tmp_path, permissions=NOTES + WEATHER, more=programs(count))
    shown = lines(tmp_path, english, package)
    assert len(shown) <= MOST_LINES
    told = [each for each in shown if "sh -c" in each.text or "programs" in each.text]
    assert all(each.is_risky for each in told)
    assert len(told) == min(count, MOST_LINES)


def test_an_authors_reason_is_marked_and_one_that_reaches_far_is_not_believed(
    tmp_path: Path, english: Texts
) -> None:
    everywhere = "- { key: all, scope: network, access: write, reason: Perfectly safe. }\n"
    shown = lines(tmp_path, english, make_package(tmp_path, permissions=NOTES + everywhere))
    said = [each.text for each in shown]
    assert said[0] == "Send data to any website"
    assert "Perfectly safe" not in " ".join(said)
    assert not shown[0].is_authors
    assert any(each.is_authors for each in shown[1:])


def test_what_it_changes_elsewhere_is_named_in_words(tmp_path: Path, english: Texts) -> None:
    """A bug: the first view said `publish_draft`."""
    shown = lines(tmp_path, english, sample_apps_folder() / "draft-desk")
    assert shown[0].text == "Publish a draft: changes another system"


def test_the_signed_package_beside_the_folder_is_named(tmp_path: Path) -> None:
    """A bug: who packed, signed and then installed the folder was told that it is unsigned, and no more."""
    package = make_package(tmp_path)
    unsigned, signed = tmp_path / "notes-1.0.0.lapp", tmp_path / "notes-1.0.0.signed.lapp"
    key = tmp_path / "key.pem"
    for command in (
        ["pack", str(package), "--output", str(unsigned)],
        ["sign", "--new-key", str(key)],
        ["sign", str(unsigned), "--key", str(key), "--publisher", "me", "--output", str(signed)],
    ):
        main(command, standalone_mode=False)
    assert reviewed(tmp_path, package).signed_twin == signed
    assert reviewed(tmp_path, unsigned).signed_twin == signed
    assert reviewed(tmp_path, signed).signed_twin is None
    signed.unlink()
    assert reviewed(tmp_path, package).signed_twin is None
