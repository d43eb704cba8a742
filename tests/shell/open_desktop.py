"""A desktop from its start to its end with one app open in it: real view, real App Server. Shared by tests."""

import asyncio
import json
import os
import signal
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QFileDialog, QLineEdit
from pytestqt.qtbot import QtBot

from lime_desktop.host.app_server_client.connection import AppServerConnection
from lime_desktop.host.app_server_client.sidecar import Sidecar, app_server_command
from lime_desktop.host.app_server_client.supervisor import AppServerSupervisor, Running
from lime_desktop.host.approvals.question import Answer, Question
from lime_desktop.host.apps.registration import AppRegistration
from lime_desktop.host.proxy.access import ProxyAccess
from lime_desktop.host.user_profile.settings import HostSettings
from lime_desktop.protocol.capability_calls.call import Call
from lime_desktop.protocol.capability_calls.call import ParamsT as CallParamsT
from lime_desktop.protocol.capability_calls.call import ResultT as CallResultT
from lime_desktop.protocol.wire import Method, ParamsT, ResultT
from lime_desktop.shell.app_view.profile import AppProfiles
from lime_desktop.shell.startup.composition import Composition
from lime_desktop.shell.widgets.resource_folders import Folders
from lime_desktop.shell.window.app_tab.app_tab import AppTab
from tests.app_server.for_apps import ask

ROOT = Path(__file__).parents[2]
WAIT_MS = 60_000


@dataclass(frozen=True)
class Shown:
    """Which app is open, and what it may do."""

    package: Path
    entry_key: str
    grants: tuple[str, ...] = ()
    scripts: Path | None = None
    """What the App Server's engine plays instead of thinking."""
    is_developed: bool = False
    """Whether its folder was opened to work on it."""


HELLO = Shown(ROOT / "sample_apps/hello-lime", "greeting", ("keep-greeting",))


class OpenDesktop:
    """One app in one view, and the server behind it."""

    def __init__(
        self,
        data: Path,
        qtbot: QtBot,
        loop: asyncio.AbstractEventLoop,
        shown: Shown = HELLO,
        join: Callable[[Composition, str], None] = lambda _services, _app_id: None,
    ) -> None:
        """Open the app; `join` is told of it before its view is made."""
        self._qtbot = qtbot
        self._loop = loop
        folders = Folders(ROOT / "resources", data, data / "settings.json")
        self._services = Composition(folders, HostSettings(locale="en", theme_mode="light"))
        [self._app] = self._services.registry.add([shown.package])
        for permission in shown.grants:
            self._services.registry.grant(self._app.app_id, permission)
        command = app_server_command(data / "app-server")
        if shown.scripts is not None:
            command = (*command, "--test-scripts", str(shown.scripts))
        self._registration = AppRegistration(
            self._services.registry,
            self._services.setup.was_registered,
            is_developed=lambda _: shown.is_developed,
        )
        self._sidecars: list[Sidecar] = []

        async def start() -> Sidecar:
            self._sidecars.append(await Sidecar.start(command))
            return self._sidecars[-1]

        self.server = AppServerSupervisor(start, prepare=self._prepare)
        join(self._services, self._app.app_id)
        self.tab = AppTab(
            self._services.for_tabs(),
            self._app,
            shown.entry_key,
            self.server.call,
            AppProfiles(folders.views, ProxyAccess()),
        )
        self.tab.resize(900, 640)
        self.tab.show()

    async def _prepare(self, connection: AppServerConnection) -> None:
        await self._registration.introduce(connection)
        self._services.approvals.agents.introduce(connection)

    def revoke(self, permission: str) -> None:
        """Take a permission of the app's back, as its page in the window does."""
        self._services.registry.revoke(self._app.app_id, permission)

    def grant(self, permission: str) -> None:
        """Give it again."""
        self._services.registry.grant(self._app.app_id, permission)

    def start_server(self) -> None:
        self.server.start()
        self._wait(lambda: isinstance(self.server.state, Running))

    def kill_server(self) -> None:
        """End the App Server as a crash does; the supervisor starts another."""
        os.kill(self._sidecars[-1].pid, signal.SIGKILL)

    def close(self) -> None:
        with self._qtbot.waitSignal(self.tab._view.page().destroyed, timeout=WAIT_MS):
            self.tab.shut()
        self.tab.close()
        self.tab.deleteLater()
        self._finish(self.server.stop())

    def run(self, expression: str) -> object:
        # What is asked of a page that is still loading is never answered.
        self._wait(lambda: self.tab.session.is_ready)
        answers: list[object] = []
        script = f"{{ const d = document.querySelector('iframe')?.contentDocument; {expression} }}"
        self.tab._view.page().runJavaScript(script, 0, answers.append)
        self._wait(lambda: bool(answers))
        return answers[0]

    def ask(self, method: Method[ParamsT, ResultT], params: ParamsT) -> ResultT:
        """Call the App Server as the shell does."""
        task = asyncio.ensure_future(self.server.call(method, params), loop=self._loop)
        self._wait(task.done)
        return task.result()

    def ask_for_app(self, call: Call[CallParamsT, CallResultT], **arguments: Any) -> CallResultT:
        """Make a call of the app's, past its page and its policy."""
        work = ask(self.server.call, self._app.app_id, call, **arguments)
        task = asyncio.ensure_future(work, loop=self._loop)
        self._wait(task.done)
        return task.result()

    def read_setup(self) -> None:
        """Look at the app's setup again, as the shell does after a fix."""
        self._finish(self._services.setup.read(self.server.call, self._app.app_id))

    @property
    def todo(self) -> set[str]:
        """The kinds of steps that are still to be done."""
        app = self._services.registry.app(self._app.app_id)
        assert app is not None
        return {each.kind for each in app.readiness.setup_actions}

    def sees(self, element: str, text: str) -> None:
        shown = f"d?.getElementById('{element}')?.textContent.includes({json.dumps(text)})"
        self._wait(lambda: self.run(shown) is True)

    def press(self, element: str) -> None:
        """Press a button of the page, once it can be pressed."""
        button = f"d?.getElementById({json.dumps(element)})"
        self._wait(lambda: self.run(f"{button}?.disabled === false") is True)
        self.run(f"{button}.click()")

    def fill(self, element: str, text: str) -> None:
        """Type into a field of the page, once it is there, and leave it."""
        field = f"d?.getElementById({json.dumps(element)})"
        self._wait(lambda: self.run(f"{field}?.disabled === false") is True)
        self.run(
            f"const field = {field}; field.value = {json.dumps(text)};"
            "for (const type of ['input', 'change']) field.dispatchEvent(new Event(type))"
        )

    def answer(
        self, answer: Answer, about: Callable[[Question], bool] = lambda _question: True
    ) -> Question:
        """Answer what the window asks, once it asks something; with `about`, something of this kind."""
        queue = self._services.approvals.queue
        self._wait(lambda: any(map(about, queue.open)))
        question = next(filter(about, queue.open))
        queue.answer([question.question_id], answer)
        return question

    def choose_file(self, path: Path) -> None:
        """Choose a file in the dialog that the window opens."""
        self._wait(lambda: self.tab.findChild(QFileDialog) is not None)
        dialog = self.tab.findChild(QFileDialog)
        assert dialog is not None
        name = dialog.findChild(QLineEdit, "fileNameEdit")
        assert name is not None
        name.setText(str(path))
        dialog.done(QFileDialog.DialogCode.Accepted)

    @property
    def unnamed(self) -> object:
        """The controls of the page that a screen reader could not name."""
        names = "[e.labels?.[0]?.textContent, e.textContent, e.ariaLabel, e.title]"
        return self.run(
            "[...d.querySelectorAll('input, select, textarea, button, a')]"
            f".filter((e) => !{names}.some((name) => name?.trim())).map((e) => e.outerHTML).join()"
        )

    def look(self, **choices: object) -> None:
        """Change the language or the theme, as the settings do."""
        self._services.settings.change(**choices)

    def save(self, greeting: str) -> None:
        self._wait(lambda: self.run("d?.getElementById('text')?.disabled === false") is True)
        typed = json.dumps(greeting)
        self.run(
            f"d.getElementById('text').value = {typed}; d.getElementById('form').requestSubmit()"
        )

    def _wait(self, condition: Callable[[], bool]) -> None:
        self._qtbot.waitUntil(condition, timeout=WAIT_MS)

    def _finish(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work, loop=self._loop)
        self._wait(task.done)
        task.result()
