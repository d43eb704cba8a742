"""What happens to apps without the person, as the window tells it: updated, asked, revoked, withdrawn; and how it is chosen (ours)."""

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox, QWidget
from pytestqt.qtbot import QtBot

from lime_desktop.shell.startup.app_updates import AppUpdates
from tests.host.app_center.opened import opened
from tests.host.app_center.packages import NOTES, WEATHER
from tests.shell.app_center.person import Person
from tests.shell.stage import Stage, set_stage
from tests.shipping.shops import Shop, buy, trust_publisher
from tests.shipping.vendors import serve


class Follower(Person):
    """Somebody whose window follows a signed catalog."""

    def __init__(
        self, folder: Path, url: str, qtbot: QtBot, loop: asyncio.AbstractEventLoop, look: str
    ) -> None:
        super().__init__(qtbot, loop)
        self._folder = folder
        self._stack = AsyncExitStack()
        trust_publisher(folder, 1)
        self.shop = Shop(folder, url)
        self.shop.publish("1.0.0", seed=1)
        self.stage: Stage = set_stage(folder / "window", look)
        self.wait(self._open())

    async def _open(self) -> None:
        services, window = self.stage.services, self.stage.window
        self.center, server = await self._stack.enter_async_context(opened(self._folder))
        services.brand.follow(self.center)
        await services.registry.follow(self.center)
        await buy(self.center, self.shop)
        self.updates = AppUpdates(services.look, services.registry, self.center, window, server)
        window.show_details("notes")

    def widget(self) -> QWidget:
        return self.stage.window

    @property
    def version(self) -> str:
        (app,) = self.center.installed()
        return app.version

    def look(self) -> None:
        """The catalogs are read, as they are every few hours."""
        self.wait(self.updates.run())

    def choose(self, words: str) -> None:
        box = self.find(QComboBox, "update-policy")
        index = next(n for n in range(box.count()) if words in box.itemText(n))
        box.setCurrentIndex(index)
        box.activated.emit(index)

    def close(self) -> None:
        self.stage.window.close()
        self.wait(self._close())
        self.stage.window.deleteLater()

    async def _close(self) -> None:
        await self.stage.services.registry.close()
        await self._stack.aclose()


@pytest.fixture(params=["light"])
def person(
    tmp_path: Path,
    qtbot: QtBot,
    loop: asyncio.AbstractEventLoop,
    request: pytest.FixtureRequest,
) -> Iterator[Follower]:
    (tmp_path / "web").mkdir()
    with serve(tmp_path / "web") as served:
        made = Follower(tmp_path, served.url, qtbot, loop, request.param)
        yield made
        made.close()


def test_what_installed_itself_is_told_and_undone_by_one_press(person: Follower) -> None:
    person.wait_to_see("Manage app")
    person.choose("Install updates by itself")
    person.until(lambda: person.center.update_policies.of("notes") == "always")
    person.shop.publish("1.1.0", seed=1, notes={"en": "Finds faster."})
    person.look()
    assert person.version == "1.1.0"
    person.wait_to_see("Notes was updated from 1.0.0 to 1.1.0 by itself.")
    assert person.sees("Finds faster.")
    person.press("Undo")
    person.wait_to_see("Notes is back at version 1.0.0.")
    assert person.version == "1.0.0"
    person.until(lambda: not person.sees("by itself. No changes"))
    person.look()
    assert person.version == "1.0.0"


def test_an_update_that_wants_more_leads_to_its_review(person: Follower) -> None:
    person.wait(person.center.update_policies.choose("notes", "always"))
    person.shop.publish("1.1.0", NOTES + WEATHER, seed=1, notes={"en": "Tells the weather."})
    person.look()
    assert person.version == "1.0.0"
    person.wait_to_see("You are asked because of: new or changed permissions, new sites.")
    person.press("Review update")
    person.wait_to_see("Changes from 1.0.0 to 1.1.0")
    assert person.sees("Tells the weather.")
    assert person.sees("In the publisher's words.")
    outcome = person.center.update_policies.outcome("notes")
    assert outcome is not None
    assert outcome.is_seen


def test_an_open_app_is_updated_once_it_is_closed(person: Follower) -> None:
    window = person.stage.window
    person.wait(person.center.update_policies.choose("notes", "always"))
    window.open_entry("notes", "main")
    person.until(lambda: bool(window.workspace.surfaces))
    person.shop.publish("1.1.0", seed=1)
    person.look()
    assert person.version == "1.0.0"
    window.close_app("notes")
    person.until(lambda: person.version == "1.1.0")


def test_a_revoked_app_is_shut_and_opens_no_more(person: Follower) -> None:
    window, registry = person.stage.window, person.stage.services.registry
    # An app whose setup is still being looked at does not open, and nobody would press again.
    person.until(lambda: (app := registry.app("notes")) is not None and app.can_open("main"))
    window.open_entry("notes", "main")
    person.until(lambda: bool(window.workspace.surfaces))
    person.shop.publish("1.1.0", seed=1)
    person.shop.revoke("1.0.0")
    person.look()
    person.until(lambda: not window.workspace.surfaces)
    person.wait_to_see("Notes was revoked and stopped.")
    assert person.sees("It sends notes to strangers.")
    window.open_entry("notes", "main")
    person.wait_to_see("This version was revoked and no longer runs. It sends notes to strangers.")
    assert not window.workspace.surfaces
    person.press("Update…")
    person.wait_to_see("Changes from 1.0.0 to 1.1.0")


@pytest.mark.parametrize("person", ["chinese"], indirect=True)
def test_a_withdrawn_version_is_marked_on_home_and_on_its_page(person: Follower) -> None:
    person.shop.withdraw("1.0.0")
    person.shop.publish("1.1.0", seed=1)
    person.look()
    person.wait_to_see("发布者已撤回此版本。它仍可继续使用。它会丢失笔记。")
    assert person.sees("更新到 1.1.0")
    person.stage.window.show_home()
    person.wait_to_see("已撤回")
    app = person.stage.services.registry.app("notes")
    assert app is not None
    assert app.can_open("main")


def test_an_app_that_is_never_to_be_updated_is_not_offered_on_home(person: Follower) -> None:
    person.shop.publish("1.1.0", seed=1)
    person.look()
    person.stage.window.show_home()
    person.wait_to_see("Update to 1.1.0")
    person.wait(person.center.update_policies.choose("notes", "never"))
    person.until(lambda: not person.sees("Update to 1.1.0"))
    # On its page it can still be had by hand.
    person.stage.window.show_details("notes")
    person.wait_to_see("Update to 1.1.0")
