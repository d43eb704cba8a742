"""From a package to an installed app and out again, as a person sees it (the standard: read first, then decide)."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QPushButton, QRadioButton
from pytestqt.qtbot import QtBot

from lime_desktop.protocol.errors import AppError
from lime_desktop.shell.app_center.flow import CenterFlow
from lime_desktop.shell.app_center.in_place import PackagesInPlace
from lime_desktop.shell.app_center.manage_card import ManageLinks, manage_card
from lime_desktop.shell.widgets.work import Work
from tests.host.app_center.packages import NOTES, WEATHER, make_package, names_below
from tests.shell.app_center.desk import Desk
from tests.shell.app_center.person import ACCEPTANCE
from tests.shell.services import make_services


@pytest.fixture
def desk(tmp_path: Path, qtbot: QtBot, loop: asyncio.AbstractEventLoop) -> Iterator[Desk]:
    made = Desk(tmp_path, qtbot, loop)
    yield made
    made.close()


def install(desk: Desk, package: Path) -> None:
    before = len(desk.finished)
    desk.flow.install(package)
    desk.wait_to_see("It asks for")
    desk.accept_unsigned()
    desk.press("Update" if desk.sees("Update Notes") else "Install")
    desk.until(lambda: len(desk.finished) > before)


def test_a_package_is_read_before_it_is_installed_and_a_subset_can_be_granted(
    desk: Desk, tmp_path: Path
) -> None:
    desk.flow.install(make_package(tmp_path / "from", permissions=NOTES + WEATHER))
    desk.wait_to_see("It asks for")
    assert desk.sees("Unsigned")
    assert desk.sees("Exchange data with api.example.com")
    assert desk.sees("To ask for the weather.")
    assert not desk.button("Install").isEnabled()
    desk.find(QCheckBox, "grant-weather").setChecked(False)
    desk.accept_unsigned()
    desk.press("Install")
    desk.until(lambda: desk.finished == ["notes"])
    assert [grant.permission for grant in desk.center.permissions.grants("notes")] == ["keep"]


def test_what_an_app_is_for_and_is_not_for_is_read_before_it_is_installed(
    desk: Desk, tmp_path: Path
) -> None:
    """The standard: who installs reads acceptance, non-goals, risks and the first steps, and the author's own terms."""
    more = """license: MIT
quickstart: {setupSteps: [{bind_knowledge: brand_guidelines}]}
requirements:
  requirements:
    - {id: r1, text: Keep notes, acceptance: [A note survives a restart], risks: [Notes are not sealed]}
  nonGoals: [Sync with a phone]
  later: [Pictures in notes]"""
    desk.flow.install(make_package(tmp_path / "from", more=more))
    desk.wait_to_see("It asks for")
    desk.press("Details")
    for words in (
        "Keep notes",
        "You can tell by this: A note survives a restart",
        "Notes are not sealed",
        "Sync with a phone",
        "Pictures in notes",
        "bind knowledge: brand guidelines",
        "License: MIT",
    ):
        assert desk.sees(words), words


def test_what_was_installed_takes_the_place_of_what_was_opened_in_place(
    desk: Desk, tmp_path: Path
) -> None:
    """A bug: the folder stood before the app that was installed from it, for good, and asked to be reviewed again."""
    package = make_package(tmp_path / "from")
    desk.services.registry.add([package])
    desk.services.settings.change(package_paths=(str(package), "elsewhere"))
    install(desk, package)
    desk.until(lambda: (app := desk.services.registry.app("notes")) is not None and app.can_start)
    app = desk.services.registry.app("notes")
    assert app is not None
    assert app.installed is not None
    assert desk.services.settings.current.package_paths == ("elsewhere",)


def test_who_does_not_want_it_leaves_nothing(desk: Desk, tmp_path: Path) -> None:
    desk.flow.install(make_package(tmp_path / "from"))
    desk.wait_to_see("It asks for")
    desk.press("Don't install")
    desk.until(lambda: bool(desk.left))
    assert desk.center.installed() == ()
    assert names_below(desk.center.layout.staging) == set()


def test_a_package_that_cannot_be_installed_says_why(desk: Desk, tmp_path: Path) -> None:
    desk.flow.install(make_package(tmp_path / "from", more="bypassPermissions: true"))
    desk.wait_to_see("The package is not valid")
    desk.press("Back")
    desk.until(lambda: bool(desk.left))


def test_something_that_is_no_package_fails_with_a_reason(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "broken.lapp").write_bytes(b"no archive")
    desk.flow.install(tmp_path / "broken.lapp")
    desk.wait_to_see("The app was not installed")


def test_an_update_shows_the_difference_and_keeps_the_rest(desk: Desk, tmp_path: Path) -> None:
    install(desk, make_package(tmp_path / "1"))
    more = make_package(tmp_path / "2", version="2.0.0", permissions=NOTES + WEATHER)
    desk.flow.install(more)
    desk.wait_to_see("Changes from 1.0.0 to 2.0.0")
    assert desk.sees("Permission: Exchange data with api.example.com")
    assert not desk.find(QCheckBox, "grant-keep").isEnabled()
    desk.accept_unsigned()
    desk.press("Update")
    desk.until(lambda: desk.finished == ["notes", "notes"])
    assert desk.closed == ["notes", "notes"]
    [point] = desk.center.rollback_points("notes")
    desk.flow.roll_back("notes", point.point_id)
    desk.until(lambda: len(desk.finished) == 3)
    app = desk.center.installed_app("notes")
    assert app is not None
    assert app.version == "1.0.0"


def test_an_app_goes_with_a_preview_and_a_receipt(desk: Desk, tmp_path: Path) -> None:
    install(desk, make_package(tmp_path / "1"))
    desk.flow.uninstall("notes")
    desk.wait_to_see("Uninstall Notes")
    desk.find(QRadioButton, "way-delete-data").click()
    desk.until(lambda: isinstance(desk.button("Uninstall and delete data"), QPushButton))
    desk.press("Uninstall and delete data")
    desk.wait_to_see("Notes is uninstalled")
    assert desk.sees("nothing is left")
    desk.press("Done")
    assert desk.left == [True]


@pytest.mark.parametrize(
    ("policy", "words", "way", "doing"),
    [
        ("retain", "the author suggests keeping the data", "keep-data", "Uninstall"),
        (
            "delete",
            "the author suggests deleting the data",
            "delete-data",
            "Uninstall and delete data",
        ),
        (
            "export-then-delete",
            "suggests exporting the data, then deleting it",
            "export-then-delete",
            "Export and uninstall…",
        ),
        ("ask", "Lime asks you what to do with the data", "keep-data", "Uninstall"),
    ],
)
def test_what_becomes_of_the_data_begins_with_what_the_author_suggests(
    desk: Desk, tmp_path: Path, policy: str, words: str, way: str, doing: str
) -> None:
    """The standard: `uninstallPolicy`. Ours: it is said before installing, chosen beforehand, and never done by itself."""
    package = make_package(tmp_path / "1")
    app_md = package / "APP.md"
    told = f"storage: {{ namespace: notes, uninstallPolicy: {policy} }}"
    written = app_md.read_text(encoding="utf-8")
    app_md.write_text(written.replace("storage: { namespace: notes }", told), encoding="utf-8")
    desk.flow.install(package)
    desk.wait_to_see("It asks for")
    desk.press("Details")
    assert desk.sees(words)
    desk.accept_unsigned()
    desk.press("Install")
    desk.until(lambda: desk.finished == ["notes"])
    desk.flow.uninstall("notes")
    desk.wait_to_see("Uninstall Notes")
    chosen = [each for each in desk.flow.findChildren(QRadioButton) if each.isChecked()]
    assert [each.objectName() for each in chosen] == [f"way-{way}"]
    assert isinstance(desk.button(doing), QPushButton)


def test_without_a_center_nothing_begins_and_the_reason_is_told(desk: Desk, tmp_path: Path) -> None:
    held = make_services(tmp_path / "held")
    in_place = PackagesInPlace(held.registry, held.settings)
    desk.flow.deleteLater()
    desk.flow = CenterFlow(held.look, held.registry, in_place, desk.closed.append)
    desk.flow.show()
    desk.flow.install(make_package(tmp_path / "from"))
    desk.wait_to_see("Another program is using the data folder")


def test_the_keyboard_alone_is_enough(desk: Desk, tmp_path: Path) -> None:
    desk.flow.install(make_package(tmp_path / "from"))
    desk.wait_to_see("It asks for")
    acceptance = desk.button(ACCEPTANCE)
    acceptance.setFocus()
    QTest.keyClick(acceptance, Qt.Key.Key_Space)
    install_button = desk.button("Install")
    install_button.setFocus()
    QTest.keyClick(install_button, Qt.Key.Key_Space)
    desk.until(lambda: desk.finished == ["notes"])


def test_where_two_sources_offer_a_name_the_first_is_shown_and_the_other_can_be_taken(
    desk: Desk, tmp_path: Path
) -> None:
    """A fault: the highest version of any source won, without a word."""
    make_package(tmp_path / "first")
    make_package(tmp_path / "second", version="99.0.0")
    for place in ("first", "second"):
        desk.wait(desk.center.catalog.add(str(tmp_path / place)))
    desk.flow.install_named("notes")
    desk.wait_to_see("Several catalogs offer an app with this name")
    assert desk.sees("It asks for")
    assert desk.sees("Version 1.0.0")
    desk.press("Use this catalog")
    desk.wait_to_see("Version 99.0.0")
    desk.accept_unsigned()
    desk.press("Install")
    desk.until(lambda: desk.finished == ["notes"])
    assert desk.center.installed()[0].offered_by == str(tmp_path / "second")


def test_the_card_of_an_app_says_where_updates_come_from_and_lets_a_person_change_it(
    desk: Desk, tmp_path: Path
) -> None:
    make_package(tmp_path / "first")
    make_package(tmp_path / "second", version="99.0.0")
    first, second = str(tmp_path / "first"), str(tmp_path / "second")
    for place in (first, second):
        desk.wait(desk.center.catalog.add(place))
    install(desk, tmp_path / "first/notes")
    desk.until(lambda: desk.services.registry.app("notes") is not None)
    app = desk.services.registry.app("notes")
    assert app is not None
    links = ManageLinks(
        lambda _: None,
        lambda _: None,
        lambda _app, _point: None,
        lambda _: None,
        lambda _: None,
        lambda _: None,
    )
    failures: list[AppError] = []
    shown = manage_card(
        desk.services.look.texts,
        desk.services.brand,
        desk.services.registry,
        links,
        Work(desk.flow, failures.append),
        app,
    )
    desk.flow.show_page(shown)
    desk.wait_to_see(f"Updates come only from {first}.")
    assert desk.sees(f"From now on, only {second} offers updates.")
    desk.press("Get updates from this catalog")
    desk.until(lambda: desk.center.installed()[0].offered_by == second)
    assert failures == []
