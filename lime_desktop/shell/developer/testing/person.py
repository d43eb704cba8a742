"""The person before the screen, as a test plays them: answers questions, chooses files, changes the look."""

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from pydantic import JsonValue, ValidationError
from PySide6.QtWidgets import QFileDialog, QLineEdit

from lime_desktop.developer.simulation import REALITY
from lime_desktop.developer.testing.plan import TestPlan
from lime_desktop.file_names import shown_name
from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.approvals.approvals import Approvals
from lime_desktop.host.approvals.question import Answer
from lime_desktop.host.apps.registry import AppRegistry, RegisteredApp
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.wire import WireModel
from lime_desktop.shell.appearance.settings_store import SettingsStore
from lime_desktop.shell.developer.testing.run_commands import RunCommandFailed, RunCommands
from lime_desktop.shell.inspector.simulated_view import SimulatedView
from lime_desktop.shell.window.main_window import MainWindow

T = TypeVar("T")

_LOOK_S = 0.02
_PATIENCE_S = 15.0
_CHOICES = {"theme_mode", "locale"}


async def until(look: Callable[[], T], patience_s: float) -> T:
    """Look again and again until there is something, and give it; or what there is after so long."""
    deadline = time.monotonic() + patience_s
    while not (found := look()) and time.monotonic() < deadline:  # noqa: ASYNC110 - Qt says nothing of most of these
        await asyncio.sleep(_LOOK_S)
    return found


class CommandFailed(Exception):
    """What a test wanted of the person could not be done."""


class _Decided(WireModel):
    yes: bool
    message: str | None = None
    text: str | None = None
    values: JsonObject | None = None
    changed: JsonValue = None


class Person:
    """Carries out what tests want of the window."""

    def __init__(
        self,
        window: MainWindow,
        settings: SettingsStore,
        registry: AppRegistry,
        approvals: Approvals,
        server: CallServer,
        plan: TestPlan,
    ) -> None:
        self._window = window
        self._settings = settings
        self._registry = registry
        self._approvals = approvals
        self._plan = plan
        self._runs = RunCommands(server, self._app)
        self._usual: dict[str, object] = {}
        """What was chosen before a test chose something else."""
        self._taken: list[tuple[str, str]] = []
        """Permissions that a test took back."""
        self.simulated: SimulatedView | None = None
        """What is acted for the view that is tested, once there is one."""
        self.has_refused = False
        """Whether a test had the person say no to something, and its page is still open."""

    def forget(self) -> None:
        """Take back what a test chose."""
        if self.simulated is not None:
            self.simulated.act(REALITY)
        for app_id, permission in self._taken:
            self._registry.grant(app_id, permission)
        self._taken.clear()
        if self._usual:
            self._settings.change(**self._usual)
            self._usual.clear()

    async def do(self, command: str, given: Mapping[str, Any]) -> object:
        """Do one thing; says why where it cannot be done."""
        match command:
            case "answer":
                return await self._answer(given)
            case "chooseFile":
                return await self._choose_file(str(given.get("file", "")))
            case "look":
                self._choose({key: given[key] for key in _CHOICES & given.keys()})
            case "model":
                self._set_model(is_there=bool(given.get("isThere")))
            case "permit":
                self._permit(given)
            case "run":
                return await self._lead(str(given.get("do", "")), given)
            case "screenshot":
                return self.draw(str(given.get("name", "")))
            case _:
                raise CommandFailed(f"“{command}” is nothing that a person can do here.")
        return None

    def draw(self, name: str) -> str:
        """Draw the window as it is now into the folder of pictures."""
        path: Path = self._plan.pictures / shown_name(name, ".png", otherwise="window")
        path.parent.mkdir(parents=True, exist_ok=True)
        if not self._window.grab().save(str(path)):
            raise CommandFailed(f"{path} cannot be written.")
        return str(path)

    def _choose(self, choices: Mapping[str, object]) -> None:
        before = self._settings.current
        self._usual = {key: getattr(before, key) for key in choices} | self._usual
        self._settings.change(**choices)

    def _set_model(self, *, is_there: bool) -> None:
        if self.simulated is not None:
            self.simulated.act(replace(self.simulated.acted, has_no_model=not is_there))

    def _app(self) -> RegisteredApp:
        return next(each for each in self._registry.apps if each.path == self._plan.package)

    async def _lead(self, command: str, given: Mapping[str, Any]) -> object:
        asked = {key: given[key] for key in given if key not in {"do", "answer"}}
        try:
            if command != "answer":
                return await self._runs.do(command, asked)
            run_id = str(given.get("runId", ""))
            waited = await self._runs.waiting_steps(run_id)
            await self._answer(given.get("answer") or {})
            return await self._runs.moved(run_id, waited)
        except (RunCommandFailed, AppError) as error:
            raise CommandFailed(str(error)) from None

    def _permit(self, given: Mapping[str, Any]) -> None:
        app = self._app()
        permission = str(given.get("permission", ""))
        if permission not in {each.key for each in app.package.manifest.permissions}:
            raise CommandFailed(f"The app declares no permission {permission}.")
        if given.get("isGiven"):
            self._registry.grant(app.app_id, permission)
        else:
            self.has_refused = True
            self._taken.append((app.app_id, permission))
            self._registry.revoke(app.app_id, permission)

    async def _answer(self, given: Mapping[str, Any]) -> object:
        try:
            decided = _Decided.model_validate(given)
        except ValidationError as error:
            raise CommandFailed("An answer says yes: true or yes: false.") from error
        queue = self._approvals.queue
        if not await until(lambda: queue.open, _PATIENCE_S):
            raise CommandFailed(f"The host asked nothing in {_PATIENCE_S:.0f} seconds.")
        question = queue.open[0]
        self.has_refused |= not decided.yes
        answer = Answer(
            is_yes=decided.yes,
            message=decided.message,
            text=decided.text,
            values=decided.values,
            updated_arguments=decided.changed,
        )
        queue.answer([question.question_id], answer)
        return {
            "kind": question.kind,
            "action": question.action,
            "targets": question.targets,
            "prompt": question.review.subject if question.review else question.prompt,
        }

    async def _choose_file(self, name: str) -> None:
        path = self._plan.fixture(name)
        if path is None:
            raise CommandFailed(f"There is no file {name} in the package's tests.")
        dialog = await until(lambda: self._window.findChild(QFileDialog), _PATIENCE_S)
        if dialog is None:
            raise CommandFailed(f"No dialog for files opened in {_PATIENCE_S:.0f} seconds.")
        line = dialog.findChild(QLineEdit, "fileNameEdit")
        if line is not None:
            line.setText(str(path))
        dialog.done(QFileDialog.DialogCode.Accepted)
