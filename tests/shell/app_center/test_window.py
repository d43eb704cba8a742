"""The app center inside the window (ours): from the catalog to an app that runs, and everything about it."""

import asyncio
import shutil
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QSize, Qt, QUrl
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from lime_desktop.host.app_center.records.removal import UninstallKind
from lime_desktop.shell.command_palette.dialog import CommandPalette
from lime_desktop.shell.pages.home.home import HomePage
from lime_desktop.shell.pages.overlay_form import OverlayForm
from lime_desktop.shell.widgets.on_screen import USUAL
from lime_desktop.shell.window.entries.workspace import Workspace
from lime_desktop.shell.window.shown_target import show_target
from tests.host.app_center.opened import installed, opened
from tests.host.app_center.packages import make_package
from tests.shell.app_center.person import Person
from tests.shell.center_screens import install
from tests.shell.dropping import entering, letting_go
from tests.shell.hands import press_window
from tests.shell.rail_hands import choose, open_menu
from tests.shell.stage import ROOT, Stage, set_stage

LOGO = (
    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'>"
    "<rect width='8' height='8' fill='red'/></svg>"
)
OFFICE = """
version: 1
name: Office Ltd
policy:
  rules:
    - { id: a, effect: deny, text: Nothing goes to paste sites., when: { domains: [pastebin.com] } }
branding: { productName: Office Desk, brandName: Office, accent: "#0b5cad", logo: logo.svg }
catalogs: [offered]
"""
RULES = """
version: 1
name: Project
rules:
  - { id: a, effect: deny, text: Nothing goes to paste sites., when: { domains: [pastebin.com] } }
"""


def icon_colour(window: QWidget) -> str:
    return window.windowIcon().pixmap(8, 8).toImage().pixelColor(4, 4).name()


class Visitor(Person):
    """Somebody in front of a window whose center is real."""

    def __init__(self, folder: Path, qtbot: QtBot, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(qtbot, loop)
        self._stack = AsyncExitStack()
        self.stage: Stage = set_stage(folder / "data", "light")
        self.wait(self._open(folder))

    def widget(self) -> QWidget:
        return self.stage.window

    def agree(self) -> None:
        self.wait_to_see("It asks for")
        self.accept_unsigned()
        self.press("Install")

    def close(self) -> None:
        self.stage.window.close()
        self.wait(self._close())
        self.stage.window.deleteLater()

    async def _open(self, folder: Path) -> None:
        services = self.stage.services
        center, self.server = await self._stack.enter_async_context(opened(folder))
        self.center = center
        services.brand.follow(center)
        await services.registry.follow(center)
        offered = folder / "catalog"
        shutil.copytree(ROOT / "sample_apps/hello-lime", offered / "hello-lime")
        await center.catalog.add(str(offered))
        self.stage.window.show_home()
        self.stage.window.refresh_catalog()

    async def _close(self) -> None:
        await self.stage.services.registry.close()
        await self._stack.aclose()


@pytest.fixture
def visitor(tmp_path: Path, qtbot: QtBot, loop: asyncio.AbstractEventLoop) -> Iterator[Visitor]:
    made = Visitor(tmp_path, qtbot, loop)
    yield made
    made.close()


def test_an_app_of_the_catalog_is_installed_switched_off_and_removed(visitor: Visitor) -> None:
    visitor.wait_to_see("Choose your first app")
    visitor.press_tile("Hello Lime")
    visitor.agree()
    visitor.wait_to_see("Manage app")
    app = visitor.stage.services.registry.app("hello-lime")
    assert app is not None
    assert app.can_start
    visitor.press("Disable")
    visitor.wait_to_see("Enable")
    visitor.press("Uninstall…")
    visitor.wait_to_see("Choose what to delete")
    visitor.find(QPushButton, "confirm").click()
    visitor.wait_to_see("Hello Lime is uninstalled")
    visitor.press("Done")
    visitor.wait_to_see("Choose your first app")


def test_data_that_stay_are_named_in_the_persons_language(visitor: Visitor) -> None:
    """A bug: the package that knew the Chinese title was gone, and Home said it in English."""
    visitor.wait(installed(visitor.center, ROOT / "sample_apps/hello-lime"))
    visitor.wait(visitor.server.keep("hello-lime", "greeting", "Hello"))
    visitor.wait(visitor.center.uninstall("hello-lime", UninstallKind.KEEP_DATA))
    visitor.wait_to_see("Data of uninstalled apps")
    visitor.stage.services.settings.change(locale="zh-CN")
    visitor.wait_to_see("你好，Lime")
    assert not visitor.sees("Hello Lime")


@pytest.mark.parametrize("size", [USUAL, QSize(900, 600)])
def test_what_decides_an_uninstall_is_in_sight_and_the_last_that_tab_reaches(
    visitor: Visitor, size: QSize
) -> None:
    """A bug: the buttons lay below the edge of the window."""
    visitor.stage.window.resize(size)
    visitor.stage.window.activateWindow()
    visitor.wait_to_see("Choose your first app")
    visitor.press_tile("Hello Lime")
    visitor.agree()
    visitor.wait_to_see("Manage app")
    visitor.press("Uninstall…")
    visitor.wait_to_see("Choose what to delete")
    for way in UninstallKind:
        choice = visitor.find(QRadioButton, f"way-{way}")
        choice.setFocus()
        QTest.keyClick(choice, Qt.Key.Key_Space)
        visitor.until(lambda way=way: visitor.find(QRadioButton, f"way-{way}").isChecked())
        visitor.until(lambda: all(map(_is_whole, _deciding(visitor))))
    confirm, cancel = _deciding(visitor)
    for _ in range(20):
        if confirm.hasFocus():
            break
        press_window(visitor.stage, Qt.Key.Key_Tab)
    assert confirm.hasFocus()
    press_window(visitor.stage, Qt.Key.Key_Tab)
    assert cancel.hasFocus()
    QTest.keyClick(cancel, Qt.Key.Key_Space)
    visitor.wait_to_see("Manage app")
    app = visitor.stage.services.registry.app("hello-lime")
    assert app is not None
    assert app.can_start


def _deciding(visitor: Visitor) -> tuple[QWidget, QWidget]:
    """What uninstalls, and what leaves the page."""
    return visitor.find(QPushButton, "confirm"), visitor.button("Cancel")


def _is_whole(widget: QWidget) -> bool:
    """Whether every corner of it is to be seen."""
    return widget.isVisible() and widget.visibleRegion().boundingRect() == widget.rect()


def test_data_without_an_app_are_deleted_and_not_uninstalled(visitor: Visitor) -> None:
    """A bug: the page for data that stayed offered to uninstall an app that was gone."""
    visitor.wait(installed(visitor.center, ROOT / "sample_apps/hello-lime"))
    visitor.wait(visitor.server.keep("hello-lime", "greeting", "Hello"))
    visitor.wait(visitor.center.uninstall("hello-lime", UninstallKind.KEEP_DATA))
    visitor.wait_to_see("Data of uninstalled apps")
    visitor.press("Delete…")
    visitor.wait_to_see("Delete Hello Lime data")
    shown = [each.text() for each in visitor.stage.window.findChildren(QAbstractButton)]
    assert [each for each in shown if "ninstall" in each] == []
    visitor.find(QPushButton, "confirm").click()
    visitor.wait_to_see("Hello Lime data is deleted")
    assert visitor.center.kept_data() == ()


def test_a_folder_that_was_opened_gives_the_installed_app_its_place_back(visitor: Visitor) -> None:
    """A bug: after `open FOLDER` the installed app of that name could not be opened, for good and without a word."""
    visitor.wait(visitor.stage.install(ROOT / "sample_apps/hello-lime", "keep-greeting"))
    registry, settings = visitor.stage.services.registry, visitor.stage.services.settings
    visitor.stage.window.add_package(ROOT / "sample_apps/hello-lime")
    visitor.wait_to_see("The installed app is not used meanwhile")
    visitor.press("Use installed app")
    visitor.wait_to_see("Manage app")
    # A bug: it was told to be in the list no more, beside its own page.
    visitor.wait_to_see("The installed Hello Lime is used again.")
    assert not visitor.sees("The installed app is not used meanwhile")
    app = registry.app("hello-lime")
    assert app is not None
    assert app.installed is not None
    assert app.can_start
    assert settings.current.package_paths == ()


def test_the_tab_of_an_app_that_a_folder_hides_says_so_and_gives_it_its_place_back(
    visitor: Visitor,
) -> None:
    """A bug: it said that the app can't work here, and sent the person to permissions that they had given long ago."""
    visitor.wait(visitor.stage.install(ROOT / "sample_apps/hello-lime", "keep-greeting"))
    registry, window = visitor.stage.services.registry, visitor.stage.window
    window.open_entry("hello-lime", "greeting")
    visitor.until(lambda: len(visitor.find(Workspace).surfaces) == 1)
    window.add_package(ROOT / "sample_apps/hello-lime")
    window.show_entries()
    visitor.wait_to_see("The installed app is not used meanwhile")
    assert not visitor.sees("can't work here")
    visitor.press("Use installed app")
    visitor.wait_to_see("The installed Hello Lime is used again.")
    visitor.until(lambda: len(visitor.find(Workspace).surfaces) == 1)
    assert not visitor.sees("The installed app is not used meanwhile")
    app = registry.app("hello-lime")
    assert app is not None
    assert app.installed is not None
    assert visitor.stage.services.settings.current.package_paths == ()
    assert visitor.find(Workspace).isVisible()


def test_the_end_of_an_uninstall_does_not_lead_into_another_apps_tab(visitor: Visitor) -> None:
    """A bug: *Done* landed in whichever tab had stood beside the one that went."""
    visitor.wait(visitor.stage.install(ROOT / "sample_apps/hello-lime", "keep-greeting"))
    visitor.wait(visitor.stage.install(ROOT / "tests/shell/packages/every-kind"))
    window = visitor.stage.window
    window.open_entry("every-kind", "strategist")
    window.open_entry("hello-lime", "greeting")
    visitor.until(lambda: len(visitor.find(Workspace).surfaces) == 2)
    choose(open_menu(visitor.stage, "hello-lime"), "Uninstall…")
    visitor.wait_to_see("Choose what to delete")
    visitor.find(QPushButton, "confirm").click()
    visitor.wait_to_see("Hello Lime is uninstalled")
    visitor.press("Done")
    visitor.until(visitor.find(HomePage).isVisible)


def test_a_link_or_the_palette_leads_to_the_review_of_an_app_on_offer(visitor: Visitor) -> None:
    window, services = visitor.stage.window, visitor.stage.services
    show_target(window, services.registry, "lime://install/hello-lime")
    visitor.wait_to_see("It asks for")
    show_target(window, services.registry, "lime://app/nobody")
    visitor.wait_to_see("is not installed")
    visitor.press("Back")
    window.show_palette()
    palette = visitor.find(CommandPalette)
    visitor.find(CommandPalette).findChildren(QLineEdit)[0].setText("Install Hello")
    QTest.keyClick(palette.findChildren(QLineEdit)[0], Qt.Key.Key_Return)
    visitor.wait_to_see("It asks for")


def test_typing_finds_apps_by_what_a_person_would_say(visitor: Visitor) -> None:
    visitor.wait_to_see("Choose your first app")
    field = visitor.find(HomePage).findChild(QLineEdit)
    assert isinstance(field, QLineEdit)
    field.setText("问候")
    visitor.wait_to_see("matches your words")
    field.setText("no such thing")
    visitor.wait_to_see("No app matches")


def test_an_organisation_dresses_the_window_and_offers_its_apps_until_it_is_left(
    visitor: Visitor, tmp_path: Path
) -> None:
    make_package(tmp_path / "office/offered", name="office")
    (tmp_path / "office/logo.svg").write_text(LOGO)
    document = tmp_path / "office/organisation.yaml"
    document.write_text(OFFICE)
    window, services = visitor.stage.window, visitor.stage.services
    own_accent = services.look.appearance.theme.tokens["--lime-accent"]
    window.show_settings("organisation")
    visitor.find(QLineEdit, "place").setText(str(document))
    visitor.press("View")
    visitor.answer("Join")
    visitor.wait_to_see("Nothing goes to paste sites.")
    assert (window.windowTitle(), services.brand.branding.brand_name) == ("Office Desk", "Office")
    assert services.look.appearance.theme.tokens["--lime-accent"] == "#0b5cad"
    # It is drawn in a process of its own.
    visitor.until(lambda: icon_colour(window) == "#ff0000")
    window.show_settings("about")
    visitor.wait_to_see("Office Desk")
    window.show_settings("sources")
    visitor.wait_to_see("From your organization")
    window.show_home()
    visitor.wait_to_see("Office")
    window.show_settings("organisation")
    visitor.press("Leave…")
    visitor.answer("Leave")
    visitor.wait_to_see("You are not in an organization")
    assert window.windowTitle() == "Lime Desktop"
    assert services.look.appearance.theme.tokens["--lime-accent"] == own_accent


def test_a_workspace_is_told_live_and_a_broken_one_says_so_over_every_page(
    visitor: Visitor, tmp_path: Path
) -> None:
    window, center = visitor.stage.window, visitor.stage.services.registry.center
    assert center is not None
    rules = tmp_path / "project/.lime/policy.yaml"
    rules.parent.mkdir(parents=True)
    rules.write_text(RULES)
    window.show_settings("workspace")
    visitor.wait_to_see("No workspace is open")
    visitor.wait(center.workspaces.open(tmp_path / "project"))
    visitor.wait_to_see("Nothing goes to paste sites.")
    rules.write_text(RULES + "rulez: []")
    visitor.wait(center.workspaces.reread())
    visitor.wait_to_see("can't read the rules of your workspace")
    visitor.wait_to_see("rulez: extra forbidden")
    window.show_home()
    visitor.press("View")
    visitor.press("Leave workspace")
    visitor.wait_to_see("No workspace is open")
    visitor.until(lambda: not visitor.sees("can't read the rules of your workspace"))


def test_what_is_granted_elsewhere_shows_in_the_open_settings(
    visitor: Visitor, tmp_path: Path
) -> None:
    window, center = visitor.stage.window, visitor.stage.services.registry.center
    assert center is not None
    visitor.wait(install(center, make_package(tmp_path / "1"), "keep"))
    window.show_settings("grants")
    visitor.wait_to_see("Revoke")
    visitor.wait(center.permissions.revoke("notes", "keep"))
    visitor.until(lambda: not visitor.sees("Revoke"))
    visitor.wait(center.permissions.grant("notes", "keep"))
    visitor.wait_to_see("Revoke")


def test_settings_of_an_app_are_set_reset_and_what_lost_its_place_is_deleted(
    visitor: Visitor, tmp_path: Path
) -> None:
    window, services = visitor.stage.window, visitor.stage.services
    center = services.registry.center
    assert center is not None
    visitor.wait(install(center, make_package(tmp_path / "1"), "keep"))
    manifest = visitor.wait(center.package("notes")).manifest
    visitor.wait(center.overlays.put(manifest, "user", {"entries.gone.disabled": True}))
    window.show_details("notes")
    visitor.press("Settings…")
    visitor.wait_to_see("Disable “gone”")
    form = visitor.find(OverlayForm)
    form.choose("content.brandTone")
    visitor.press("Save")
    visitor.wait_to_see("This value is not valid")
    form.findChildren(QLineEdit)[-1].setText("calm")
    visitor.press("Save")
    visitor.until(lambda: center.overlays.resolved(manifest).value("content.brandTone") == "calm")
    visitor.wait_to_see("calm")
    visitor.press("Reset")
    visitor.until(lambda: center.overlays.resolved(manifest).value("content.brandTone") is None)
    visitor.wait_to_see("Undo")
    visitor.press("Undo")
    visitor.until(lambda: center.overlays.resolved(manifest).value("content.brandTone") == "calm")
    visitor.wait_to_see("Reset")
    visitor.press("Reset")
    visitor.until(lambda: center.overlays.resolved(manifest).value("content.brandTone") is None)
    visitor.press("Delete")
    visitor.until(lambda: center.overlays.values("notes", "user") == {})
    visitor.until(lambda: not visitor.sees("No longer used"))


def test_a_package_dropped_on_the_page_is_reviewed(visitor: Visitor, tmp_path: Path) -> None:
    home = visitor.find(HomePage)
    dropped = QMimeData()
    dropped.setUrls([QUrl.fromLocalFile(str(ROOT / "sample_apps/hello-lime"))])
    place = QPoint(10, 10)
    QApplication.sendEvent(home.viewport(), entering(place, dropped))
    QApplication.sendEvent(home.viewport(), letting_go(place, dropped))
    visitor.wait_to_see("It asks for")
    other = QMimeData()
    other.setUrls([QUrl.fromLocalFile(str(tmp_path))])
    event = entering(place, other)
    event.ignore()
    QApplication.sendEvent(home.viewport(), event)
    assert not event.isAccepted()
