"""Work that a widget waits for: owned by it, ended with it, and its failures told instead of lost."""

import logging
from collections.abc import Callable, Coroutine
from typing import Any

from PySide6.QtWidgets import QWidget

from lime_desktop.background.tasks import BackgroundTasks
from lime_desktop.host.app_server_client.supervisor import AppServerSupervisor, Running, ServerState
from lime_desktop.protocol.errors import AppError

_log = logging.getLogger(__name__)

Failed = Callable[[AppError], None]
Starting = Callable[[], Coroutine[Any, Any, None]]


class Work:
    """The tasks of one widget. When the widget goes, so do they."""

    def __init__(self, owner: QWidget, failed: Failed) -> None:
        self.failed = failed
        self._tasks = BackgroundTasks(_log, AppError)
        self._endings: list[Callable[[], None]] = []
        owner.destroyed.connect(self.end)

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Begin; an expected failure goes to whoever was named for it, any other to the log."""
        self._tasks.spawn(work, self._on_failure)

    def start_when_running(self, server: AppServerSupervisor, work: Starting) -> None:
        """Begin as soon as there is an App Server, and again whenever there is a new one."""

        def follow(state: ServerState) -> None:
            if isinstance(state, Running):
                self.start(work())

        self._endings.append(server.watch(follow))
        follow(server.state)

    def start_whenever(
        self, watch: Callable[[Callable[[], None]], Callable[[], None]], work: Starting
    ) -> None:
        """Begin whenever somebody tells of a change."""
        self._endings.append(watch(lambda: self.start(work())))

    def end(self) -> None:
        """Stop everything that still runs, and wait for nothing any more."""
        for ending in self._endings:
            ending()
        self._endings.clear()
        self._tasks.cancel_soon()

    def _on_failure(self, error: Exception) -> None:
        if isinstance(error, AppError):
            self.failed(error)


class Newest:
    """Tells answers to the last question from those that were overtaken: of two lists, the older may come later."""

    def __init__(self) -> None:
        self._asked = 0

    def ask(self) -> Callable[[], bool]:
        """Ask anew; what is given tells, once the answer is there, whether nobody has asked since."""
        self._asked += 1
        mine = self._asked
        return lambda: mine == self._asked
