"""Commands and background tasks: what is done, started by hand, with every earlier run and how it ended."""

from functools import partial

from PySide6.QtCore import QDateTime, Qt
from PySide6.QtWidgets import QLineEdit, QWidget

from lime_desktop.host.app_server_client.supervisor import AppServerSupervisor
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.runs.conversation import Conversations, speaker_of
from lime_desktop.host.runs.past_runs import PastRun, read_run
from lime_desktop.protocol.plain_text import plain_line
from lime_desktop.protocol.runtime.statuses import SessionStatus
from lime_desktop.runtime_views.story.words import cost_words, duration_words
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.surfaces.identity_bar import IdentityBar, put_under_bar
from lime_desktop.shell.surfaces.surface import Surface, sign_of
from lime_desktop.shell.widgets.amounts import ago_in_words
from lime_desktop.shell.widgets.page import Page
from lime_desktop.shell.widgets.parts import (
    Tone,
    button,
    card,
    column,
    empty_state,
    label,
    name_button,
    pill,
    row,
)
from lime_desktop.shell.widgets.work import Work

_SHOWN = 30

RUN_TONES: dict[SessionStatus, Tone] = {
    "idle": "plain",
    "running": "info",
    "waitingAction": "warning",
    "completed": "ok",
    "failed": "danger",
    "canceled": "plain",
}


class RunsSurface(Surface):
    """One entry that does a piece of work: a command takes words along, a background task does not."""

    def __init__(
        self, look: Look, server: AppServerSupervisor, app: RegisteredApp, entry_key: str
    ) -> None:
        super().__init__(app.app_id, entry_key)
        self._look = look
        locale = look.texts.locale
        self._call = server.call
        self._chats = Conversations(server.call, speaker_of(app, entry_key, locale))
        self._work = Work(self, self.problem.emit)
        entry = app.projection.entry(entry_key)
        self._kind = entry.declared.kind if entry else "command"
        self._title = app.entry_title(entry_key, locale)
        self._about = app.entry_about(entry_key, locale)
        self._command = (entry.declared.command if entry else None) or self._title
        self._field = QLineEdit()
        self._page = Page()
        put_under_bar(self, IdentityBar(look, app, entry_key), self._page)
        self._show_past(())
        self._work.start_when_running(server, self._read_past)

    def refresh(self) -> None:
        """Read the earlier runs again."""
        self._work.start(self._read_past())

    def start(self, words: str = "") -> None:
        """Begin a run on these words; it goes on when this page is closed."""
        self._work.start(self._start(words))

    def shut(self) -> None:
        """Leave; what runs goes on."""
        self._work.end()

    def _start_typed(self) -> None:
        words = self._field.text().strip()
        self._field.clear()
        self.start(words)

    async def _start(self, words: str) -> None:
        task = f"{self._command} {words}".strip()
        asked = f"{task}\n\n{self._about}".strip()
        session = await self._chats.begin(task)
        await self._chats.say(session.session_id, asked)
        self.run_wanted.emit(session.session_id)
        await self._read_past()

    async def _read_past(self) -> None:
        past = (await self._chats.past())[:_SHOWN]
        self._show_past(tuple(map(PastRun, past)))
        read = [await read_run(self._call, session) for session in past]
        self._show_past(tuple(read))

    def _show_past(self, past: tuple[PastRun, ...]) -> None:
        texts = self._look.texts
        parts: list[QWidget] = [label(self._title, "title")]
        if self._about:
            parts.append(label(self._about, "muted"))
        parts.append(self._starter())
        parts.append(row(label(texts("runs.past"), "heading"), self._refresher(), stretch_at=0))
        parts += [self._run(run) for run in past]
        if not past:
            sign = self._look.icons.picture(sign_of(self._kind), side=32)
            parts.append(empty_state(sign, texts("runs.none"), texts("runs.none.about")))
        self._page.refill(*parts)

    def _starter(self) -> QWidget:
        texts = self._look.texts
        starting = button(texts("runs.start"), self._start_typed, "primary")
        if self._kind != "command":
            return row(starting)
        typed, self._field = self._field.text(), QLineEdit()
        self._field.setText(typed)
        self._field.setPlaceholderText(texts("runs.words"))
        self._field.setAccessibleName(texts("runs.words"))
        self._field.returnPressed.connect(self._start_typed)
        self.setFocusProxy(self._field)
        return card(label(self._command, "mono"), row(self._field, starting, stretch_at=0))

    def _refresher(self) -> QWidget:
        return button(self._look.texts("runs.refresh"), self.refresh)

    def _run(self, run: PastRun) -> QWidget:
        texts, session = self._look.texts, run.session
        title = plain_line(session.title or texts("runs.untitled"))
        words = column(label(title), label(self._figures(run), "small"), spacing=0)
        state = pill(texts(f"run.{session.status}"), RUN_TONES[session.status])
        show = button(texts("runs.show"), partial(self.run_wanted.emit, session.session_id))
        name_button(show, texts, title)
        return card(row(words, state, show, stretch_at=0))

    def _figures(self, run: PastRun) -> str:
        """When it was, how long it took, what it cost."""
        texts = self._look.texts
        at = QDateTime.fromString(run.session.updated_at, Qt.DateFormat.ISODateWithMs)
        now_ms = QDateTime.currentMSecsSinceEpoch()
        found = [ago_in_words(at.toMSecsSinceEpoch(), now_ms, texts)]
        if run.seconds is not None:
            found.append(duration_words(run.seconds, texts))
        if run.cost is not None:
            found.append(cost_words(run.cost, texts))
        return " · ".join(found)
