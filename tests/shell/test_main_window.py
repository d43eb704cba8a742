"""The window, driven as a person would (ours)."""

import asyncio
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from lime_desktop.host.app_server_client.sidecar import Sidecar
from lime_desktop.host.app_server_client.supervisor import AppServerSupervisor, Down, Stopped
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.proxy.access import ProxyAccess
from lime_desktop.host.user_profile.settings import HostSettings, read_settings
from lime_desktop.host.view.shell_port import AppRoute
from lime_desktop.host.view.shown_artifact import ShownArtifact
from lime_desktop.protocol.errors import ProviderNotReady
from lime_desktop.shell.app_view.profile import AppProfiles
from lime_desktop.shell.command_palette.dialog import CommandPalette
from lime_desktop.shell.settings.section import EngineFacts
from lime_desktop.shell.startup.composition import Composition
from lime_desktop.shell.surfaces.artifact_viewer import ArtifactViewer
from lime_desktop.shell.surfaces.chat.surface import ChatSurface
from lime_desktop.shell.widgets.resource_folders import Folders
from lime_desktop.shell.widgets.tiles import Tile
from lime_desktop.shell.window.app_tab.app_tab import AppTab
from lime_desktop.shell.window.main_window import MainWindow

ROOT = Path(__file__).parents[2]


class Person:
    """Finds things by the words on them, and presses them."""

    def __init__(self, services: Composition, window: MainWindow, qtbot: QtBot) -> None:
        self.services = services
        self.window = window
        self.tabs: list[AppTab] = []
        self._qtbot = qtbot

    def sees(self, words: str) -> bool:
        labels = self.window.findChildren(QLabel)
        return any(words in each.text() for each in labels if each.isVisible())

    def button(self, words: str) -> QPushButton:
        buttons = self.window.findChildren(QPushButton)
        return next(each for each in buttons if each.isVisible() and words in each.text())

    def press(self, words: str) -> None:
        QTest.mouseClick(self.button(words), Qt.MouseButton.LeftButton)

    def press_tile(self, title: str) -> None:
        tiles = self.window.findChildren(Tile)
        found = next(each for each in tiles if each.isVisible() and each.accessibleName() == title)
        QTest.mouseClick(found, Qt.MouseButton.LeftButton)

    def wait_until(self, condition: Callable[[], bool]) -> None:
        self._qtbot.waitUntil(condition, timeout=60_000)

    def wait_to_see(self, words: str) -> None:
        self.wait_until(lambda: self.sees(words))

    def wait_gone(self, words: str) -> None:
        self.wait_until(lambda: not self.sees(words))

    def wait_until_refused(self, tab: AppTab, times: int) -> None:
        def refusals() -> int:
            return sum(each.type == "host:error" for each in tab.session.timeline)

        self.wait_until(lambda: refusals() >= times)

    def wait_until_ready(self) -> AppTab:
        self.wait_until(lambda: bool(self.tabs) and self.tabs[-1].session.is_ready)
        return self.tabs[-1]


@pytest.fixture
def person(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Person]:
    del loop  # only has to be there: pages ask the App Server
    folders = Folders(ROOT / "resources", tmp_path, tmp_path / "settings.json")
    services = Composition(folders, HostSettings(locale="en", theme_mode="light", is_welcomed=True))
    profiles = AppProfiles(folders.views, ProxyAccess())
    stopped = AppServerSupervisor(lambda: Sidecar.start(()))
    seen: list[Person] = []

    def make_tab(app: RegisteredApp, entry_key: str) -> AppTab:
        tab = AppTab(services.for_tabs(), app, entry_key, stopped.call, profiles)
        seen[0].tabs.append(tab)
        return tab

    window = MainWindow(
        services.for_window(), stopped, make_tab, EngineFacts(lambda: ("140", "155"))
    )
    seen.append(Person(services, window, qtbot))
    window.show()
    yield seen[0]
    window.close()
    window.deleteLater()


@pytest.fixture
def with_samples(person: Person) -> Person:
    person.services.registry.add(
        [ROOT / "sample_apps" / name for name in ("hello-lime", "setup-tour")]
    )
    return person


def test_an_empty_shelf_says_what_to_do(person: Person) -> None:
    assert person.sees("No apps yet")


@pytest.mark.requirement("APP-12", "APP-17")
def test_an_app_that_needs_setup_cannot_be_opened_from_its_card(with_samples: Person) -> None:
    assert with_samples.sees("Needs setup")
    with pytest.raises(StopIteration):
        with_samples.button("Open Greeting")


@pytest.mark.requirement("APP-14")
def test_granting_what_is_asked_makes_the_way_in_open(with_samples: Person) -> None:
    with_samples.press_tile("Hello Lime")
    assert not with_samples.button("Open Greeting").isEnabled()
    with_samples.press("Allow until Lime closes")
    assert with_samples.button("Open Greeting").isEnabled()
    with_samples.press("Revoke")
    assert not with_samples.button("Open Greeting").isEnabled()


def test_an_open_page_says_which_permission_was_revoked_and_leads_to_it(
    with_samples: Person,
) -> None:
    """A bug: the page said that the app was not set up, and nobody said why or where."""
    with_samples.press_tile("Hello Lime")
    with_samples.press("Allow until Lime closes")
    with_samples.press("Open Greeting")
    with_samples.wait_until_ready()
    with_samples.services.registry.revoke("hello-lime", "keep-greeting")
    with_samples.wait_to_see("Hello Lime can't work here. A permission is off: ")
    with_samples.press("Show permissions")
    with_samples.press("Allow until Lime closes")
    with_samples.press("Open Greeting")
    with_samples.wait_gone("A permission is off")


@pytest.mark.requirement("APP-23", "APP-26")
def test_an_opened_app_gets_its_snapshot_and_hears_of_theme_and_language(
    with_samples: Person,
) -> None:
    with_samples.press_tile("Hello Lime")
    with_samples.press("Allow until Lime closes")
    with_samples.press("Open Greeting")
    tab = with_samples.wait_until_ready()
    with_samples.services.settings.change(theme_mode="dark")
    with_samples.services.settings.change(locale="zh-CN")
    sent = [record.type for record in tab.session.timeline if record.direction == "to-app"]
    assert sent.index("host:snapshot") < sent.index("theme:update") < len(sent) - 1
    assert sent.count("host:snapshot") >= 2


def test_a_page_has_the_windows_ground_until_it_draws_itself(with_samples: Person) -> None:
    """Ours: white before the app has its theme would dazzle; white after it is what plain pages are written for."""
    with_samples.services.settings.change(theme_mode="dark")
    with_samples.services.registry.grant("hello-lime", "keep-greeting")
    with_samples.window.open_app("hello-lime")
    page = with_samples.tabs[-1].view.page()
    assert page.backgroundColor() == QColor(
        with_samples.services.look.appearance.theme.tokens["--lime-bg"]
    )
    with_samples.wait_until_ready()
    with_samples.wait_until(lambda: page.backgroundColor() == QColor("white"))


def test_opening_an_entry_twice_turns_to_its_tab(with_samples: Person) -> None:
    with_samples.services.registry.grant("hello-lime", "keep-greeting")
    with_samples.window.open_app("hello-lime")
    with_samples.window.show_home()
    with_samples.window.open_app("hello-lime")
    assert len(with_samples.tabs) == 1


def test_language_and_choices_are_in_force_at_once_and_kept(with_samples: Person) -> None:
    with_samples.window.show_settings()
    with_samples.services.settings.change(locale="zh-CN", is_high_contrast=True)
    assert with_samples.sees("设置")
    kept = read_settings(with_samples.services.folders.settings_file)
    assert (kept.locale, kept.is_high_contrast) == ("zh-CN", True)


def test_a_missing_app_server_is_told_and_its_return_too(person: Person) -> None:
    person.window.show_server(Down("it ended with code 1", 2.0, attempts=2))
    person.wait_to_see("Agents and storage are not available")
    person.window.show_server(Stopped())
    person.wait_gone("Agents and storage are not available")


def test_a_package_from_disk_is_shown_in_full(person: Person) -> None:
    person.window.add_package(ROOT / "sample_apps/hello-lime")
    assert person.sees("Permissions")


def test_without_chromiums_sandbox_an_app_opens_only_after_a_yes(with_samples: Person) -> None:
    with_samples.services.sandbox.gap = "root"
    with_samples.services.registry.grant("hello-lime", "keep-greeting")
    with_samples.window.open_app("hello-lime")
    assert with_samples.sees("without the sandbox?")
    agree = with_samples.button("Open without sandbox")
    assert not agree.isEnabled()
    with_samples.wait_until(agree.isEnabled)
    with_samples.press("Open without sandbox")
    with_samples.wait_until_ready()
    assert read_settings(with_samples.services.folders.settings_file).opens_without_sandbox


def test_the_window_shows_what_an_app_asks_it_to_show(with_samples: Person) -> None:
    """The standard: routes, artifacts and runs are shown by the host, in windows of its own."""
    person, window = with_samples, with_samples.window
    person.services.registry.grant("hello-lime", "keep-greeting")
    window.open_app("hello-lime")
    tab = person.wait_until_ready()
    wanted = {"path": "/about", "title": "About limes"}
    invoked = {"capability": "lime.ui", "method": "registerRoute", "input": wanted}
    envelope = {"protocol": "lime.agentApp.bridge", "version": 1, "type": "capability:invoke"}
    tab.session.receive(
        json.dumps({**envelope, "appId": "hello-lime", "requestId": "1", "payload": invoked})
    )
    assert tab.routes == (AppRoute("/about", "About limes", "greeting"),)
    window.show_home()
    window.show_palette()
    palette = window.findChild(CommandPalette)
    assert palette is not None
    palette.findChildren(QLineEdit)[0].setText("About limes")
    QTest.keyClick(palette.findChildren(QLineEdit)[0], Qt.Key.Key_Return)
    assert window.workspace.current is tab
    assert tab._view._port.route == "/about"
    # Loaded anew at its route, the app greets again and asks for its greeting, which nobody keeps here.
    person.wait_until_refused(tab, times=2)

    made = ShownArtifact("Limes", "report", 2, "# Green", False, "text/markdown", 7)  # noqa: FBT003 - plain
    tab.port.show_artifact(made)
    viewer = tab.findChild(ArtifactViewer)
    assert viewer is not None
    words = [each.text() for each in viewer.findChildren(QLabel)]
    assert "Created by Hello Lime · report · version 2" in words
    viewer.close()

    tab.port.show_run("session_1")
    assert window.drawer.isVisible()
    window.drawer.open_run("session_2")
    tab.port.close_run()
    # The person looks at another run meanwhile: an app does not take that away.
    assert window.drawer.isVisible()
    tab.port.show_run("session_1")
    tab.port.close_run()
    assert not window.drawer.isVisible()
    tab.port.show_run("session_1")
    window.toggle_drawer()
    assert tab.shown_run is None


def test_words_that_reach_nobody_stay_with_the_person(person: Person, qtbot: QtBot) -> None:
    """A bug: the field was emptied before anybody had taken the words."""
    person.services.registry.add([ROOT / "tests/shell/packages/every-kind"])
    person.window.open_entry("every-kind", "strategist")
    chat = person.window.workspace.current
    assert isinstance(chat, ChatSurface)
    [field] = chat.findChildren(QPlainTextEdit)
    field.setPlainText("Plan three posts.")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert field.toPlainText() == ""
    qtbot.waitUntil(lambda: field.toPlainText() == "Plan three posts.", timeout=60_000)


def test_where_no_model_can_answer_the_way_to_the_settings_is_one_click(person: Person) -> None:
    """A bug: the notice named neither the reason nor a way out."""
    details = {"reasonCode": "key_missing"}
    person.window.notices.problem(ProviderNotReady("No key.", details=details))
    assert person.sees("No model is available. The provider has no API key.")
    person.press("Open Settings")
    assert person.sees("Add a provider")
    assert not person.sees("No model is available"), "who went there has read it"
