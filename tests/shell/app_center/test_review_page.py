"""The review on one screen (ours): what it can do, what it asks for, and Install in sight, however small the window."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QFrame, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from lime_desktop.resources import sample_apps_folder
from lime_desktop.shell.app_center.review_head import ReviewHead
from tests.host.app_center.packages import NOTES, WEATHER, make_package
from tests.shell.app_center.desk import Desk

SHELL = """
integrations:
- { key: greet, provider: Greeter, role: greeting, adapter: { kind: cli, command: "sh -c" } }
"""


@pytest.fixture
def desk(tmp_path: Path, qtbot: QtBot, loop: asyncio.AbstractEventLoop) -> Iterator[Desk]:
    made = Desk(tmp_path, qtbot, loop)
    yield made
    made.close()


def shown_in(window: QWidget, part: QWidget) -> bool:
    """Whether the whole of a part can be seen without scrolling."""
    corner = part.mapTo(window, QPoint(0, 0))
    seen = part.visibleRegion().boundingRect()
    inside = window.rect().contains(QRect(corner, part.size()))
    return part.isVisible() and inside and seen == part.rect()


def review(desk: Desk, package: Path) -> None:
    desk.flow.install(package)
    desk.wait_to_see("It asks for")
    QApplication.processEvents()


def labelled(desk: Desk, words: str) -> QLabel:
    found = desk.flow.findChildren(QLabel)
    return next(each for each in found if each.isVisible() and words in each.text())


@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_install_and_the_shell_it_runs_are_in_sight_in_a_small_window(
    desk: Desk, tmp_path: Path, scale: float
) -> None:
    desk.services.settings.change(text_scale=scale)
    desk.flow.setStyleSheet(
        desk.services.look.appearance.style.sheet(desk.services.look.appearance.theme)
    )
    desk.flow.resize(900 - 64, 600 - 48)
    review(desk, make_package(tmp_path / "from", permissions=NOTES + WEATHER, more=SHELL))
    for words in ("Install", "Don't install", "Continue even though"):
        assert shown_in(desk.flow, desk.button(words))
    assert shown_in(desk.flow, labelled(desk, "Runs “sh -c” with any command"))
    assert shown_in(desk.flow, labelled(desk, "High risk"))
    assert not desk.sees("declares no actions")


SECRETS = """
integrations:
- { key: prog, provider: CRM, role: crm, adapter: { kind: cli, command: "crm sync" } }
secrets:
- key: crm
  use:
  - { integration: prog, variable: CRM_TOKEN }
  - { domains: [api.crm.example], header: Authorization }
"""


def test_the_details_say_where_each_secret_goes(desk: Desk, tmp_path: Path) -> None:
    """A hole: the review said that the app wants a secret, and not who gets it."""
    review(desk, make_package(tmp_path / "from", permissions=NOTES, more=SECRETS))
    opener = desk.button("Details")
    opener.setFocus()
    QTest.keyClick(opener, Qt.Key.Key_Space)
    QApplication.processEvents()
    assert labelled(desk, "Where your secrets go")
    assert labelled(desk, "crm: to the program “crm sync” on this computer")
    assert labelled(desk, "crm: to api.crm.example, with what its agents fetch there")


def test_what_comes_with_the_program_needs_no_tick(desk: Desk) -> None:
    review(desk, sample_apps_folder() / "hello-lime")
    assert desk.sees("by Lime Desktop")
    assert desk.sees("✓ Verified")
    assert desk.sees("Low risk")
    assert desk.button("Install").isEnabled()
    assert not desk.sees("Continue even though")
    desk.press("Install")
    desk.until(lambda: desk.finished == ["hello-lime"])


def test_everything_else_lies_under_details_by_mouse_or_key(desk: Desk, tmp_path: Path) -> None:
    review(desk, make_package(tmp_path / "from", permissions=NOTES + WEATHER))
    assert not desk.sees("Fingerprint")
    opener = desk.button("Details")
    QTest.keyClick(opener, Qt.Key.Key_Space)
    for words in ("Fingerprint", "Sites", "api.example.com", "Publisher", "Data"):
        desk.wait_to_see(words)
    QTest.mouseClick(opener, Qt.MouseButton.LeftButton)
    assert not desk.sees("Fingerprint")


def test_the_words_of_a_tick_press_it(desk: Desk, tmp_path: Path) -> None:
    review(desk, make_package(tmp_path / "from", permissions=NOTES + WEATHER))
    tick = desk.find(QCheckBox, "grant-weather")
    assert tick.isChecked()
    QTest.mouseClick(
        labelled(desk, "Exchange data with api.example.com"), Qt.MouseButton.LeftButton
    )
    assert not tick.isChecked()


def test_the_signed_package_beside_it_is_one_press_away(desk: Desk, tmp_path: Path) -> None:
    from lime_desktop.cli.main import main  # noqa: PLC0415 - the commands are only needed here

    package = make_package(tmp_path / "from")
    plain, key = package.parent / "notes-1.0.0.lapp", tmp_path / "key.pem"
    for command in (
        ["pack", str(package), "--output", str(plain)],
        ["sign", "--new-key", str(key)],
        ["sign", str(plain), "--key", str(key), "--publisher", "me"],
    ):
        main(command, standalone_mode=False)
    review(desk, package)
    assert desk.sees("“notes-1.0.0.signed.lapp” next to it is")
    desk.press("Review the signed package")
    desk.wait_to_see("Unknown publisher")


def test_a_file_that_is_no_package_is_called_that(desk: Desk, tmp_path: Path) -> None:
    """A bug: it was "no end record of a zip archive. Try again."."""
    picture = tmp_path / "holiday.jpg"
    picture.write_bytes(b"\xff\xd8\xff\xe0 not a package at all " * 9)
    desk.flow.install(picture)
    desk.wait_to_see("This file is not an app package (.lapp).")
    assert desk.sees("APP_E030")
    assert not desk.sees("Try again")
    QTest.mouseClick(desk.find(QPushButton), Qt.MouseButton.LeftButton)
    desk.until(lambda: bool(desk.left))


def test_what_is_wrong_with_a_package_is_said_in_chinese_to_who_reads_chinese(
    desk: Desk, tmp_path: Path
) -> None:
    desk.services.settings.change(locale="zh-CN")
    broken = (
        "operations: [{key: wipe, type: delete, sideEffect: external_delete, autoExecute: true}]\n"
    )
    desk.flow.install(make_package(tmp_path / "from", more=broken))
    desk.wait_to_see("应用不得未经询问就发布、删除")
    assert desk.sees("请设置 `autoExecute: false`")
    said = labelled(desk, "应用不得未经询问就发布、删除")
    parent = said.parentWidget()
    assert parent is not None
    # What exactly was found stays within reach.
    assert "must not run by itself" in parent.toolTip()
    assert desk.sees("operations[0]")


def test_an_authors_reason_stands_without_quotes_and_is_said_to_be_theirs(
    desk: Desk, tmp_path: Path
) -> None:
    review(desk, make_package(tmp_path / "from", permissions=NOTES))
    assert labelled(desk, "To keep your notes").text() == "· To keep your notes."
    assert desk.sees("The reasons are in the author's words.")


def test_clearing_is_offered_only_where_something_is_not_needed(desk: Desk, tmp_path: Path) -> None:
    """A bug: the only permission was a needed one, and the page said to clear what one does not want."""
    review(desk, make_package(tmp_path / "needed", permissions=NOTES))
    assert desk.sees("needed")
    assert not desk.sees("Clear what you don't want")


@pytest.mark.parametrize(("width", "height"), [(1376, 852), (1376, 260), (560, 700)])
def test_the_head_of_a_review_begins_and_ends_where_its_cards_do(
    desk: Desk, qtbot: QtBot, tmp_path: Path, width: int, height: int
) -> None:
    """A bug: in a wide window the head stood 32 pixels further out, on both sides."""
    desk.flow.resize(width, height)
    review(desk, make_package(tmp_path / "from", permissions=NOTES + WEATHER, more=SHELL))
    [head] = desk.flow.findChildren(ReviewHead)
    cards = [each for each in desk.flow.findChildren(QFrame) if each.property("role") == "card"]
    accepting = desk.button("Continue even though")
    assert head.isAncestorOf(accepting)

    def left(each: QWidget) -> int:
        return each.mapTo(desk.flow, QPoint()).x()

    def right(each: QWidget) -> int:
        return each.mapTo(desk.flow, each.rect().bottomRight()).x()

    def is_aligned() -> None:
        assert left(accepting) == min(left(each) for each in cards if each.isVisible())
        assert right(accepting) == max(map(right, cards))

    # The head follows once the page has found that it needs its scroll bar.
    qtbot.waitUntil(is_aligned)


@pytest.mark.requirement("APP-13")
def test_what_this_host_cannot_offer_is_named_before_anything_is_installed(
    desk: Desk, tmp_path: Path
) -> None:
    """The standard: capabilities are negotiated when an app is installed; a person learns of a gap before, not after."""
    more = "toolRefs: [{ key: moon_search, provider: moonshine, required: true }]"
    review(desk, make_package(tmp_path / "from", more=more))
    assert desk.sees("Not available on this computer")
    assert labelled(desk, "moon search")
    assert desk.sees("Can't start without it")

    desk.press("Don't install")
    review(desk, make_package(tmp_path / "plain", "plain"))
    assert not desk.sees("Not available on this computer")
