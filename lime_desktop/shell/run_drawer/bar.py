"""Above a run: how it stands, what it took, and what can be done with it."""

from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QVBoxLayout

from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.apps.registered_app import RegisteredApp
from lime_desktop.host.requests.task_retries import retry_task
from lime_desktop.host.runs.checkpoints import list_checkpoints
from lime_desktop.host.runs.conversation import ask_again, can_ask_again
from lime_desktop.host.runs.run_actions import stop_run
from lime_desktop.host.runs.run_exports import EXPORT_KINDS, ExportKind, export_run
from lime_desktop.host.runs.story_wording import advice_words, now_text
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.agent_tasks import TaskRecord
from lime_desktop.protocol.runtime.sessions import AgentSession
from lime_desktop.runtime_views.story.steps import Trouble
from lime_desktop.runtime_views.story.turns import TurnFacts
from lime_desktop.runtime_views.story.words import run_figures
from lime_desktop.runtime_views.views import RuntimeStatus, SessionViews
from lime_desktop.shell.dialogs.file_dialogs import choose_folder
from lime_desktop.shell.run_drawer.checkpoint_sheet import CheckpointSheet
from lime_desktop.shell.widgets.menus import open_below
from lime_desktop.shell.widgets.parts import Tone, button, label, pill
from lime_desktop.shell.widgets.resource_folders import Folders
from lime_desktop.shell.widgets.work import Work

_GOES_ON = {"running", "waiting", "blocked"}
_TONES: dict[RuntimeStatus, Tone] = {
    "idle": "plain",
    "running": "info",
    "waiting": "warning",
    "blocked": "warning",
    "completed": "ok",
    "canceled": "plain",
    "failed": "danger",
    "stale": "plain",
}
_TICK_MS = 1_000


class RunBar(QFrame):
    """State, time, tokens and cost; Stop while it goes on, Retry once it failed or was stopped."""

    begun = Signal(str)
    """A session in which a task was begun again."""

    def __init__(
        self,
        texts: Texts,
        folders: Folders,
        call: CallServer,
        work: Work,
        find_app: Callable[[str], RegisteredApp | None],
    ) -> None:
        super().__init__()
        self._find_app = find_app
        self._texts = texts
        self._folders = folders
        self._call = call
        self._work = work
        self._session_id: str | None = None
        self._session: AgentSession | None = None
        self._views: SessionViews | None = None
        self._state = pill("", "plain")
        self._figures = label("", "small")
        self._stop = button("", self._stop_run, "danger")
        self._retry = button("", self._ask_again)
        self._export = button("", self._choose_kind, "link")
        self.checkpoints = button("", self._list_checkpoints, "link")
        self._said = label("", "small")
        self._advice = label("", "small")
        self._clock = QTimer(self)
        self._clock.setInterval(_TICK_MS)
        self._clock.timeout.connect(self._count)
        self._build()
        self.show_run(None, None)

    def show_run(self, session_id: str | None, views: SessionViews | None) -> None:
        """Say how it stands, and offer what can be done now."""
        if session_id != self._session_id:
            self._said.clear()
        self._session_id, self._views = session_id, views
        goes_on = self._active_turn() is not None
        self._stop.setVisible(goes_on)
        self.checkpoints.setVisible(not goes_on and self._has_checkpoints())
        self._offer_retry()
        if goes_on and not self._clock.isActive():
            self._clock.start()
        elif not goes_on:
            self._clock.stop()
        status: RuntimeStatus = views.runtime.status if views else "idle"
        self._state.setText(self._texts(f"run.{status}"))
        self._state.setProperty("tone", _TONES[status])
        self._state.style().polish(self._state)
        self._count()
        self.setVisible(session_id is not None)

    def show_session(self, session: AgentSession | None) -> None:
        """Know whose run it is, which says whether it can be asked again from here."""
        self._session = session
        self._offer_retry()

    def retranslate(self) -> None:
        """Say everything in the language of now."""
        texts = self._texts
        self._stop.setText(texts("drawer.stop"))
        self._retry.setText(texts("chat.retry"))
        self._export.setText(texts("drawer.export"))
        self.checkpoints.setText(texts("drawer.checkpoints"))
        self.show_run(self._session_id, self._views)

    def _turns(self) -> list[TurnFacts]:
        return list(self._views.story.turns.values()) if self._views else []

    def _active_turn(self) -> str | None:
        if self._views is None or self._views.runtime.status not in _GOES_ON:
            return None
        return self._views.runtime.active_turn_id

    def _failed_turn(self) -> TurnFacts | None:
        turns = self._turns()
        last = turns[-1] if turns else None
        if last is None or last.is_shortened:
            return None
        return last if last.outcome in {"turn.failed", "turn.canceled"} else None

    def _offer_retry(self) -> None:
        turn = self._failed_turn()
        trouble = self._trouble(turn) if turn else Trouble()
        is_ours = self._session is not None and can_ask_again(self._session)
        self._retry.setVisible(turn is not None and (is_ours or bool(trouble.may_retry)))
        advice = advice_words(trouble, self._app(), self._texts.locale)
        self._advice.setText(advice)
        self._advice.setVisible(bool(advice))

    def _app(self) -> RegisteredApp | None:
        return self._find_app(self._session.app_id) if self._session else None

    def _trouble(self, turn: TurnFacts) -> Trouble:
        """Why a turn failed."""
        steps = self._views.story.steps if self._views else ()
        found = (each.trouble for each in steps if each.turn_id == turn.turn_id)
        return next((each for each in reversed([*found]) if each and each.declared_code), Trouble())

    def _count(self) -> None:
        found = run_figures(self._turns(), self._texts, now_text())
        self._figures.setText(" · ".join(found))

    def _stop_run(self) -> None:
        turn_id = self._active_turn()
        if self._session_id is not None and turn_id is not None:
            self._work.start(stop_run(self._call, self._session_id, turn_id))

    def _ask_again(self) -> None:
        turn, session, app = self._failed_turn(), self._session, self._app()
        if session is None or turn is None:
            return
        locale = self._texts.locale
        if can_ask_again(session):
            self._work.start(ask_again(self._call, session, turn.text, turn.turn_id, locale))
        elif app is not None and turn.task_id is not None:
            again = retry_task(self._call, app, turn.task_id, session.session_id, locale)
            self._work.start(self._follow(again))

    async def _follow(self, retrying: Awaitable[TaskRecord]) -> None:
        """Show the run that a retry began: it may be another session."""
        self.begun.emit((await retrying).session_id)

    def _has_checkpoints(self) -> bool:
        steps = self._views.story.steps if self._views else ()
        return any(step.key == "story.checkpoint.created" for step in steps)

    def _list_checkpoints(self) -> None:
        if self._session_id is not None:
            self._work.start(self._open_checkpoints(self._session_id))

    async def _open_checkpoints(self, session_id: str) -> None:
        points = await list_checkpoints(self._call, session_id)
        if not points:
            self._said.setText(self._texts("checkpoint.none"))
            return
        sheet = CheckpointSheet(
            self._texts, self._call, session_id, self.window(), self._work.failed
        )
        sheet.come_up(points)

    def _choose_kind(self) -> None:
        menu = QMenu(self)
        for kind in EXPORT_KINDS:
            menu.addAction(self._texts(f"drawer.export.{kind}"), partial(self._choose_folder, kind))
        open_below(menu, self._export)

    def _choose_folder(self, kind: ExportKind) -> None:
        choose_folder(self, self._texts("drawer.export.title"), partial(self.export, kind))

    def export(self, kind: ExportKind, folder: str) -> None:
        """Write the run below a folder."""
        if self._session_id is not None:
            self._work.start(self._write(self._session_id, kind, Path(folder)))

    async def _write(self, session_id: str, kind: ExportKind, folder: Path) -> None:
        data, texts = self._folders.data, self._texts
        written = await export_run(self._call, kind, session_id, data, folder, texts)
        self._said.setText(texts("drawer.exported", name=written.name))

    def _build(self) -> None:
        above = QHBoxLayout()
        above.setSpacing(8)
        above.addWidget(self._state)
        above.addWidget(self._figures, 1)
        below = QHBoxLayout()
        below.setSpacing(8)
        for part in (self._stop, self._retry, self.checkpoints, self._export):
            below.addWidget(part)
        below.addWidget(self._said, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 0, 16, 8)
        layout.setSpacing(6)
        layout.addLayout(above)
        layout.addWidget(self._advice)
        layout.addLayout(below)
