"""An app's tests from the first to the last: each on a page that was just loaded, with nothing kept."""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, cast

from PySide6.QtCore import QObject, SignalInstance

from lime_desktop.developer.events import CallEvent, Tell, refusal_code
from lime_desktop.developer.testing.outcomes import TestOutcome
from lime_desktop.developer.testing.plan import TestPlan
from lime_desktop.host.app_server_client.supervisor import AppServerSupervisor, Running
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.bridge.timeline import Record
from lime_desktop.protocol.errors import (
    AppError,
    ApprovalDeclined,
    ApprovalRequired,
    Cancelled,
    PermissionDenied,
    ReadinessBlocked,
)
from lime_desktop.shell.developer.services import DeveloperServices
from lime_desktop.shell.developer.testing.fixtures import AppFixtures
from lime_desktop.shell.developer.testing.outside import run_outside
from lime_desktop.shell.developer.testing.person import CommandFailed, Person, until
from lime_desktop.shell.developer.testing.test_port import TestPort
from lime_desktop.shell.window.app_tab.app_tab import AppTab
from lime_desktop.shell.window.main_window import MainWindow

_READY_S = 60.0
"""How long the app may take to open, or to say that it is ready."""
_BEGINNINGS = frozenset({"app:ready", "host:getSnapshot"})
"""What a page says first; before that it may still be the one that is left."""
_NOES = frozenset({PermissionDenied.code, ApprovalDeclined.code, ReadinessBlocked.code})
_ERROR_LEVEL = 2


class TestRunFailed(Exception):
    """The app is not in a state in which a test could run."""


class _Counting(Enum):
    """Whether what the page asks counts as the app's: not before everything is there that it needs, nor once it is left."""

    OFF = auto()
    FROM_READY = auto()
    """A page is on its way; what the one before it still asks does not count."""
    ON = auto()


@dataclass(frozen=True, slots=True)
class _Written:
    file: str
    index: int
    name: str


class TestRun(QObject):
    """Runs every test of a plan in the first view of the app."""

    __test__ = False

    def __init__(
        self,
        window: MainWindow,
        services: DeveloperServices,
        server: AppServerSupervisor,
        person: Person,
        plan: TestPlan,
        tell: Tell,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._services = services
        self._server = server
        self._plan = plan
        self._tell = tell
        self._person = person
        self._fixtures = AppFixtures(server.call, services.registry, services.setup, plan)
        self._tab: AppTab | None = None
        self._port: TestPort | None = None
        self._console: list[str] = []
        self._commands: set[asyncio.Task[None]] = set()
        self._is_here = False
        self._counting = _Counting.OFF
        self._counted: set[str] = set()
        """The calls that count and have no answer yet, by trace: a page that is left may still hear answers."""

    def await_view(self) -> None:
        """Join the next view that is opened."""
        self._services.opened_tabs.opened.connect(self._join)

    async def run(self) -> None:
        """Run them all and tell how each ended; whatever went wrong, nothing of the app is left."""
        try:
            port = await self._opened()
            if self._plan.command:
                self._tell(await run_outside(self._plan.command))
            tests = await self._list(port) if not self._plan.command else []
            for test in tests:
                self._tell(await self._carry_out(port, test))
            if not tests and not self._plan.command:
                await self._begin_anew(port)
            if self._plan.behind is not None:
                async for outcome in self._plan.behind(self._server.call, self._app().app_id):
                    self._tell(outcome)
            self._stop_counting()
            await self._fixtures.empty(self._app().app_id)
        except (TestRunFailed, AppError) as error:
            self._tell(TestOutcome(file="", name="the app opens", problem=str(error)))
        finally:
            self._person.forget()
            self._services.opened_tabs.opened.disconnect(self._join)

    def _join(self, tab: AppTab) -> None:
        if self._tab is not None:
            return
        resources = self._services.resources
        self._port = TestPort(tab.view, resources)
        self._port.command.connect(self._obey)
        self._port.is_here.connect(self._note_here)
        tab.view.console.connect(self._keep_line)
        tab.session.timeline.listen(self._on_message)
        self._tab = tab
        self._person.simulated = tab.simulated

    async def _opened(self) -> TestPort:
        if not await until(lambda: isinstance(self._server.state, Running), _READY_S):
            raise TestRunFailed("The App Server did not start.")
        await self._fixtures.set_up(self._app().app_id)
        await until(lambda: self._port is not None, _READY_S)
        if self._port is None:
            raise TestRunFailed(f"The app did not open.\n{self._reasons()}".rstrip())
        if not await until(lambda: self._is_here, _READY_S):
            raise TestRunFailed("What runs the tests could not be loaded into the page.")
        return self._port

    def _app(self) -> RegisteredApp:
        for app in self._services.registry.apps:
            if app.path == self._plan.package:
                return app
        raise TestRunFailed("The package could not be read.")

    def _reasons(self) -> str:
        """What keeps the app from opening, as readiness has it."""
        checks = {
            check.message
            for entry in self._app().readiness.entries
            for check in entry.checks
            if check.blocking
        }
        return "\n".join(sorted(checks))

    async def _list(self, port: TestPort) -> list[_Written]:
        port.list_tests(self._plan.files)
        listed = cast("list[Mapping[str, Any]]", await _first(port.listed, self._plan.patience_s))
        for each in listed:
            if problem := each.get("problem"):
                outcome = TestOutcome(file=each["file"], name="the file loads", problem=problem)
                self._tell(outcome)
        written = [
            _Written(each["file"], index, name)
            for each in listed
            for index, name in enumerate(each["names"])
        ]
        return [each for each in written if self._plan.only in f"{each.file} {each.name}"]

    async def _carry_out(self, port: TestPort, test: _Written) -> TestOutcome:
        begun = time.monotonic()
        problem, picture = "", None
        try:
            await self._begin_anew(port)
            self._console.clear()
            port.run_test(test.file, test.index)
            problem = str(await _first(port.ended, self._plan.patience_s))
        except (TestRunFailed, AppError) as error:
            problem = str(error)
        if problem:
            picture = self._person.draw(f"{test.file} {test.name}")
        return TestOutcome(
            file=test.file,
            name=test.name,
            problem=problem,
            took_ms=round((time.monotonic() - begun) * 1_000),
            console=tuple(self._console),
            picture=picture,
        )

    async def _begin_anew(self, port: TestPort) -> None:
        tab = self._tab
        if tab is None:
            return
        # The page of the test before may go on for a moment, without its data and without what the test played for it.
        self._stop_counting()
        self._person.forget()
        port.forget()
        await _first(port.forgotten, _READY_S)
        await self._fixtures.empty(tab.app_id)
        await self._fixtures.set_up(tab.app_id)
        self._counting = _Counting.FROM_READY
        tab.reload()
        # Not before: what the old page was refused may still have been on its way.
        self._person.has_refused = False
        await _first(port.is_here, _READY_S)
        if not await until(lambda: tab.session.is_ready, _READY_S):
            raise TestRunFailed(f"The app did not say `app:ready` in {_READY_S:.0f} seconds.")

    def _note_here(self) -> None:
        self._is_here = True

    def _obey(self, number: int, command: str, given: dict[str, Any]) -> None:
        task = asyncio.get_running_loop().create_task(self._do(number, command, given))
        self._commands.add(task)
        task.add_done_callback(self._commands.discard)

    async def _do(self, number: int, command: str, given: dict[str, Any]) -> None:
        if self._port is None:
            return
        try:
            self._port.answer(number, await self._person.do(command, given))
        except CommandFailed as error:
            self._port.answer(number, problem=str(error))

    def _on_message(self, record: Record, text: str) -> None:
        if record.direction == "from-app":
            self._on_request(record)
        elif record.trace_id in self._counted:
            self._counted.discard(record.trace_id)
            # A page that is gone is answered by nobody, and what it waited for was refused to nobody.
            is_refused = bool(text) and record.outcome != "ok"
            if is_refused and not self._is_persons_doing(refusal_code(text)):
                self._tell(CallEvent(name=record.call or record.type, refusal=refusal_code(text)))

    def _on_request(self, record: Record) -> None:
        if self._counting is _Counting.FROM_READY and record.type in _BEGINNINGS:
            self._counting = _Counting.ON
        if self._counting is _Counting.ON:
            self._tell(CallEvent(name=record.call or record.type))
            if record.trace_id is not None:
                self._counted.add(record.trace_id)

    def _stop_counting(self) -> None:
        self._counting = _Counting.OFF
        self._counted.clear()

    def _is_persons_doing(self, code: str) -> bool:
        """Whether a call was not refused by the host: a person is being asked, or a test had them say no."""
        is_no = code in _NOES and self._person.has_refused
        # A page that is left or stops what it began ends its own calls.
        return code in {ApprovalRequired.code, Cancelled.code} or is_no

    def _keep_line(self, level: int, message: str, line: int, source: str) -> None:
        if level == _ERROR_LEVEL:
            self._console.append(f"{source}:{line}: {message}")


async def _first(signal: SignalInstance, patience_s: float) -> object:
    """What a signal says next."""
    heard: asyncio.Future[object] = asyncio.get_running_loop().create_future()

    def hear(*said: object) -> None:
        if not heard.done():
            heard.set_result(said[0] if said else None)

    signal.connect(hear)
    try:
        async with asyncio.timeout(patience_s):
            return await heard
    except TimeoutError:
        raise TestRunFailed(f"Nothing more happened for {patience_s:.0f} seconds.") from None
    finally:
        signal.disconnect(hear)
