"""Lifecycle hooks in the window, with the real App Server and real programs (ours: a person is asked, told why, and led on)."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from lime_desktop.host.app_center.opening import open_center
from lime_desktop.host.app_server_client.connection import AppServerConnection
from lime_desktop.host.app_server_client.sidecar import Sidecar, app_server_command
from lime_desktop.host.app_server_client.supervisor import AppServerSupervisor, Running
from lime_desktop.host.apps.hook_runner import HookRunner
from lime_desktop.host.apps.registration import AppRegistration
from tests.host.app_center.packages import make_package
from tests.sandboxed import NEEDS_SANDBOX
from tests.shell.app_center.person import Person
from tests.shell.conftest import WAIT_MS
from tests.shell.stage import Stage, set_stage

pytestmark = NEEDS_SANDBOX

HOOKED = """\
capabilities: [lime.terminal]
integrations:
- { key: script, provider: Script, role: script, adapter: { kind: cli, command: "sh -c" } }
lifecycle:
  install: { tool: script, input: { arguments: ["touch install"] } }
  uninstall: { tool: script, input: { arguments: ["echo no room left >&2; exit 4"] } }
"""


class Owner(Person):
    """Somebody in front of a window with a server of its own."""

    def __init__(self, stage: Stage, qtbot: QtBot, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(qtbot, loop)
        self.stage = stage

    def widget(self) -> QWidget:
        return self.stage.window

    def install(self, package: Path) -> None:
        self.stage.window.install_package(package)
        self.wait_to_see("When it is installed, it runs “sh -c 'touch install'”.")
        self.accept_unsigned()
        self.press("Install")

    def answer_hook(self, words: str) -> None:
        """Wait for the question of a hook, and press one of its buttons as soon as it can be pressed."""
        queue = self.stage.services.approvals.queue
        self.until(lambda: len(queue.open) == 1)
        self.wait_to_see("touch install")
        self.until(lambda: self.sees(words) and self.button(words).isEnabled())
        self.press(words)
        self.until(lambda: queue.open == ())

    @property
    def is_on(self) -> bool:
        app = self.stage.services.registry.require_center().installed_app("notes")
        assert app is not None
        return app.is_enabled

    @property
    def marks(self) -> list[str]:
        return [path.name for path in (self.stage.folder / "app-server/work").rglob("install")]


@pytest.fixture
def owner(tmp_path: Path, qtbot: QtBot, loop: asyncio.AbstractEventLoop) -> Iterator[Owner]:
    command = app_server_command(tmp_path / "app-server")

    async def prepare(connection: AppServerConnection) -> None:
        await registration.introduce(connection)
        stage.services.approvals.agents.introduce(connection)

    server = AppServerSupervisor(lambda: Sidecar.start(command), prepare=prepare)
    stage = set_stage(tmp_path, "light", server)
    registration = AppRegistration(stage.services.registry)
    server.start()
    qtbot.waitUntil(lambda: isinstance(server.state, Running), timeout=WAIT_MS)
    made = Owner(stage, qtbot, loop)
    center = made.wait(open_center(tmp_path, server.call))
    center.hooks.runner = HookRunner(center, server.call)
    stage.services.brand.follow(center)
    made.wait(stage.services.registry.follow(center))
    yield made
    stage.window.shut()
    made.wait(server.stop())
    made.wait(stage.services.registry.close())
    made.wait(center.close())
    stage.window.deleteLater()


def test_a_person_is_asked_about_an_install_hook_and_a_yes_switches_the_app_on(
    owner: Owner, tmp_path: Path
) -> None:
    owner.install(make_package(tmp_path / "from", permissions="", more=HOOKED))
    owner.answer_hook("Run")
    owner.wait_to_see("Manage app")
    assert (owner.is_on, owner.marks) == (True, ["install"])


def test_a_no_leaves_the_app_off_with_the_reason_and_enabling_asks_again(
    owner: Owner, tmp_path: Path
) -> None:
    owner.install(make_package(tmp_path / "from", permissions="", more=HOOKED))
    owner.answer_hook("Don't allow")
    owner.wait_to_see("Notes is installed but disabled")
    assert owner.sees("It was not allowed.")
    assert (owner.is_on, owner.marks) == (False, [])
    owner.press("Show run")
    owner.wait_to_see("The app's own step failed")
    owner.press("Enable")
    owner.answer_hook("Run")
    owner.until(lambda: owner.is_on)
    assert owner.marks == ["install"]


def test_an_update_whose_hook_is_refused_is_taken_back_and_says_why(
    owner: Owner, tmp_path: Path
) -> None:
    owner.install(make_package(tmp_path / "from", permissions="", more=HOOKED))
    owner.answer_hook("Run")
    owner.wait_to_see("Manage app")
    more = HOOKED.replace("  uninstall:", "  upgrade:")
    newer = make_package(tmp_path / "newer", version="1.1.0", permissions="", more=more)
    owner.stage.window.install_package(newer)
    owner.wait_to_see("When it is updated, it runs")
    owner.accept_unsigned()
    owner.press("Update")
    queue = owner.stage.services.approvals.queue
    owner.until(lambda: len(queue.open) == 1)
    owner.until(lambda: owner.sees("Run") and owner.button("Run").isEnabled())
    owner.press("Run")
    owner.wait_to_see("The previous version is back.")
    assert owner.sees("no room left")
    app = owner.stage.services.registry.require_center().installed_app("notes")
    assert app is not None
    assert (app.version, app.is_enabled) == ("1.0.0", True)


def test_a_removal_hook_that_fails_is_told_on_the_receipt(owner: Owner, tmp_path: Path) -> None:
    owner.install(make_package(tmp_path / "from", permissions="", more=HOOKED))
    owner.answer_hook("Run")
    owner.wait_to_see("Manage app")
    owner.press("Uninstall…")
    owner.wait_to_see("Choose what to delete")
    owner.press("Uninstall")
    queue = owner.stage.services.approvals.queue
    owner.until(lambda: len(queue.open) == 1)
    owner.until(lambda: owner.sees("Run") and owner.button("Run").isEnabled())
    owner.press("Run")
    owner.wait_to_see("Notes is uninstalled. The step that it runs before that failed.")
    assert owner.sees("no room left")
    assert owner.stage.services.registry.require_center().installed() == ()
