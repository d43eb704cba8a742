"""Has a page look anew once a run of a workflow has come to rest: it ended, or waits for somebody. Knows no run."""

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from lime_desktop.host.app_server_client.supervisor import (
    AppServerSupervisor,
    Running,
    ServerState,
)
from lime_desktop.protocol.calls.workflow_runs import (
    WORKFLOW_RUN_CHANGED,
    WorkflowRunChangedNotification,
)

_SOON_MS = 200
"""Many runs may come to rest at once: the page looks once for all of them."""


class RunNews:
    """Lives as long as its page. A page that nobody sees looks when it is shown again, by itself."""

    def __init__(
        self, page: QWidget, server: AppServerSupervisor, look: Callable[[], None]
    ) -> None:
        self._page = page
        self._look = look
        self._timer = QTimer(page, singleShot=True, interval=_SOON_MS)
        self._timer.timeout.connect(self._look_if_seen)
        self._leave: Callable[[], None] = _nothing
        leave_states = server.watch(self._follow)
        page.destroyed.connect(lambda: (leave_states(), self._leave()))
        self._follow(server.state)

    def _follow(self, state: ServerState) -> None:
        self._leave()
        self._leave = _nothing
        if isinstance(state, Running):
            self._leave = state.connection.listen(WORKFLOW_RUN_CHANGED, self._on_change)

    def _on_change(self, told: WorkflowRunChangedNotification) -> None:
        if told.status != "running" and self._page.isVisible():
            self._timer.start()

    def _look_if_seen(self) -> None:
        if self._page.isVisible():
            self._look()


def _nothing() -> None:
    """There is nobody to leave."""
