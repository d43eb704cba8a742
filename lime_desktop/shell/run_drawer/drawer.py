"""The drawer at the right: a choice of recent runs, and the chapters of the one that is shown."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QTabWidget, QVBoxLayout, QWidget

from lime_desktop.host.app_server_client.supervisor import AppServerSupervisor
from lime_desktop.host.run_actions import read_result
from lime_desktop.host.session_feed import SessionFeed
from lime_desktop.protocol.calls.sessions import LIST_SESSIONS, ListSessionsParams
from lime_desktop.protocol.plain_text import plain_name
from lime_desktop.protocol.runtime.sessions import AgentSession
from lime_desktop.runtime_views.views import SessionViews, ViewStatus
from lime_desktop.shell.artifact_viewer import ArtifactViewer
from lime_desktop.shell.pages.page import Page
from lime_desktop.shell.parts import (
    Tone,
    button,
    column,
    empty_state,
    icon_button,
    label,
    pill,
    row,
)
from lime_desktop.shell.run_drawer.bar import RunBar
from lime_desktop.shell.run_drawer.rows import CHAPTERS, Line
from lime_desktop.shell.side_width import widen_with_text
from lime_desktop.shell.surroundings import Surroundings
from lime_desktop.shell.work import Failed, Work

_WIDTH = 424
_RECENT = 30

_TONES: dict[ViewStatus, Tone] = {
    "pending": "plain",
    "running": "info",
    "waiting": "warning",
    "completed": "ok",
    "failed": "danger",
    "cancelled": "plain",
    "unknown": "plain",
}


class RunDrawer(QFrame):
    """Shows one session, live."""

    closed = Signal()

    def __init__(self, around: Surroundings, server: AppServerSupervisor, failed: Failed) -> None:
        super().__init__()
        self.setObjectName("drawer")
        self._around = around
        self._server = server
        self._work = Work(self, failed)
        self._feed: SessionFeed | None = None
        self._sessions: tuple[AgentSession, ...] = ()
        self._choice = QComboBox()
        self._choice.activated.connect(self._choose)
        self._chapters = QTabWidget(documentMode=True)
        self._chapters.setUsesScrollButtons(False)
        self._chapters.setElideMode(Qt.TextElideMode.ElideRight)
        self._chapters.tabBar().setDrawBase(False)
        self._chapters.currentChanged.connect(self._fill)
        self._pages = [Page(margin=16) for _ in CHAPTERS]
        self._views: SessionViews | None = None
        self._bar = RunBar(around, server.call, self._work)
        self._build()
        self.speak()
        # The chapters' names stand side by side: larger text needs a wider drawer.
        widen_with_text(self, around, _WIDTH)
        around.language_changed.connect(self.speak)

    @property
    def session_id(self) -> str | None:
        """The session that is shown."""
        return self._feed.session_id if self._feed else None

    def open_recent(self) -> None:
        """Show the newest run, if there is any."""
        self._work.start(self._list_recent(None))

    def open_run(self, session_id: str) -> None:
        """Show one session."""
        self._follow(session_id)
        self._work.start(self._list_recent(session_id))

    def show_views(self, views: SessionViews) -> None:
        """Bring the chapter in front to what is known now; the others follow when they are turned to."""
        self._views = views
        self._bar.show_run(self.session_id, views)
        self._fill()

    def shut(self) -> None:
        """Stop following."""
        self._work.end()
        if self._feed is not None:
            self._feed.close()
            self._feed = None

    def speak(self) -> None:
        """Say everything in the language of now."""
        texts = self._around.texts
        self.setAccessibleName(texts("drawer.title"))
        self._title.setText(texts("drawer.title"))
        self._choice.setAccessibleName(texts("drawer.choose"))
        self._choice.setPlaceholderText(texts("drawer.none"))
        self._bar.speak()
        for at, chapter in enumerate(CHAPTERS):
            self._chapters.setTabText(at, texts(f"drawer.{chapter.key}"))
            self._chapters.setTabToolTip(at, texts(f"drawer.{chapter.key}"))
        self._fill()

    async def _list_recent(self, session_id: str | None) -> None:
        found = await self._server.call(LIST_SESSIONS, ListSessionsParams(limit=_RECENT))
        self._sessions = found.sessions
        self._choice.clear()
        for session in self._sessions:
            title = plain_name(session.title or session.session_id)
            self._choice.addItem(title, session.session_id)
        ids: list[str] = [session.session_id for session in self._sessions]
        if session_id is None and ids:
            session_id = ids[0]
            self._follow(session_id)
        if session_id is not None and session_id in ids:
            self._choice.setCurrentIndex(ids.index(session_id))

    def _choose(self, index: int) -> None:
        self._follow(self._sessions[index].session_id)

    def _follow(self, session_id: str) -> None:
        if self._feed is not None:
            if self._feed.session_id == session_id:
                return
            self._feed.close()
        self._views = None
        self._bar.show_run(session_id, None)
        self._feed = SessionFeed(self._server, session_id, self.show_views)

    def _fill(self) -> None:
        at = self._chapters.currentIndex()
        if not 0 <= at < len(CHAPTERS):
            return
        chapter, texts = CHAPTERS[at], self._around.texts
        lines = chapter.lines(self._views, texts) if self._views else ()
        self._pages[at].refill(*(self._lines(lines) or [self._nothing(chapter.key)]))

    def _lines(self, lines: Sequence[Line]) -> list[QWidget]:
        return [self._line(each) for each in lines]

    def _line(self, each: Line) -> QWidget:
        texts = self._around.texts
        parts: list[QWidget] = [label(each.title)]
        if each.detail:
            parts.append(label(each.detail, "small"))
        words = column(*parts, spacing=0)
        sign = self._around.signs.picture(each.sign, side=18)
        beside: list[QWidget] = []
        if each.status is not None:
            beside.append(pill(texts(f"state.{each.status}"), _TONES[each.status]))
        if each.artifact_id is not None:
            opening = button(texts("drawer.open"), partial(self._open_result, each.artifact_id))
            opening.setAccessibleName(f"{opening.text()}: {each.title}")
            beside.append(opening)
        return row(sign, words, *beside, stretch_at=1)

    def _open_result(self, artifact_id: str) -> None:
        self._work.start(self._show_result(artifact_id))

    async def _show_result(self, artifact_id: str) -> None:
        session = next((e for e in self._sessions if e.session_id == self.session_id), None)
        if session is None:
            return
        found = await read_result(self._server.call, session.app_id, artifact_id)
        app = self._around.shelf.app(session.app_id)
        title = session.app_id if app is None else app.title(self._around.texts.locale)
        ArtifactViewer(self._around, title, found, self).open()

    def _nothing(self, key: str) -> QWidget:
        texts = self._around.texts
        sign = self._around.signs.picture("activity", side=28)
        if self._feed is None and self._views is None:
            return empty_state(sign, texts("drawer.none"), texts("drawer.none.about"))
        return empty_state(sign, texts("drawer.empty"), texts(f"drawer.{key}.none"))

    def _build(self) -> None:
        self._title = label("", "heading")
        self._title.setWordWrap(False)
        closing = icon_button(self._around.texts("drawer.close"), self.closed.emit)
        self._around.signs.put_on(closing, "close")
        head = QWidget()
        across = QHBoxLayout(head)
        across.setContentsMargins(16, 12, 12, 8)
        across.addWidget(self._title, 1)
        across.addWidget(closing)
        choosing = QWidget()
        padded = QHBoxLayout(choosing)
        padded.setContentsMargins(16, 0, 16, 8)
        padded.addWidget(self._choice)
        for chapter, page in zip(CHAPTERS, self._pages, strict=True):
            self._chapters.addTab(page, chapter.key)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for part in (head, choosing, self._bar):
            layout.addWidget(part)
        layout.addWidget(self._chapters, 1)
