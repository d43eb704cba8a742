"""The drawer at the right: a choice of recent runs, and the one that is shown, as a story and as a graph."""

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QStackedWidget,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from lime_desktop.host.app_server_client.supervisor import AppServerSupervisor
from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.host.runs.run_actions import read_result
from lime_desktop.host.runs.session_feed import SessionFeed
from lime_desktop.protocol.calls.sessions import LIST_SESSIONS, ListSessionsParams
from lime_desktop.protocol.plain_text import plain_name
from lime_desktop.protocol.runtime.sessions import AgentSession
from lime_desktop.runtime_views.views import SessionViews
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.layouts.edges import edge_to_edge
from lime_desktop.shell.run_drawer.bar import RunBar
from lime_desktop.shell.run_drawer.graph_page import GraphPage
from lime_desktop.shell.run_drawer.steps_page import StepsPage
from lime_desktop.shell.run_drawer.team_page import TeamPage
from lime_desktop.shell.widgets.focus import begin_here
from lime_desktop.shell.widgets.page import Page, widen_with_text
from lime_desktop.shell.widgets.parts import (
    combo_box,
    empty_state,
    icon_button,
    label,
    name_control,
)
from lime_desktop.shell.widgets.resource_folders import Folders
from lime_desktop.shell.widgets.work import Failed, Work

_WIDTH = 424
_RECENT = 30
_TABS = ("steps", "graph", "team")


class RunDrawer(QFrame):
    """Shows one session, live."""

    closed = Signal()
    settings_wanted = Signal(str)
    """A part of the settings where a problem can be mended."""
    questions_wanted = Signal(str)
    """What the agent asks, by its session, to be decided on."""
    artifact_wanted = Signal(str, object)
    """A deliverable of an app (`ShownArtifact`) that the person is to see, by the app's id."""

    def __init__(
        self,
        look: Look,
        folders: Folders,
        registry: AppRegistry,
        server: AppServerSupervisor,
        failed: Failed,
        follow: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Show runs; `follow` hears of a session that was begun from here, so that what is asked there reaches the person."""
        super().__init__()
        self._follow_questions = follow
        self.setObjectName("drawer")
        self._look = look
        self._registry = registry
        self._server = server
        self._work = Work(self, failed)
        self._feed: SessionFeed | None = None
        self._sessions: tuple[AgentSession, ...] | None = None
        """The recent runs; nothing before they were read."""
        self._choice = combo_box()
        self._choice.activated.connect(self._choose)
        begin_here(self._choice)
        self.steps = StepsPage(look)
        self.steps.document_wanted.connect(self._open_result)
        self.steps.settings_wanted.connect(self.settings_wanted)
        self.steps.questions_wanted.connect(self._want_questions)
        self.graph = GraphPage(look)
        self.team = TeamPage(look, self._show_in_graph)
        self._tabs = QTabWidget(documentMode=True)
        self._tabs.setUsesScrollButtons(False)
        self._tabs.tabBar().setDrawBase(False)
        self._nothing = Page(margin=16)
        self._views: SessionViews | None = None
        self._bar = RunBar(look.texts, folders, server.call, self._work, registry.app)
        self._bar.begun.connect(self._open_begun)
        self._build()
        self.retranslate()
        self._tabs.currentChanged.connect(self._fill)
        widen_with_text(self, look.appearance, _WIDTH)
        look.texts.changed.connect(self.retranslate)

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

    def _open_begun(self, session_id: str) -> None:
        self._follow_questions(session_id)
        self.open_run(session_id)

    def show_views(self, views: SessionViews) -> None:
        """Bring the page in front to what is known now; the other follows when it is turned to."""
        self._views = views
        self._bar.show_run(self.session_id, views)
        self._fill()

    def shut(self) -> None:
        """Stop following."""
        self._work.end()
        if self._feed is not None:
            self._feed.close()
            self._feed = None

    def retranslate(self) -> None:
        """Say everything in the language of now."""
        texts = self._look.texts
        self.setAccessibleName(texts("drawer.title"))
        self._title.setText(texts("drawer.title"))
        name_control(self._closing, texts("drawer.close"))
        self._choice.setAccessibleName(texts("drawer.choose"))
        self._choice.setPlaceholderText(texts("drawer.none"))
        self._bar.retranslate()
        self.steps.retranslate()
        self.graph.retranslate()
        for at, key in enumerate(_TABS):
            self._tabs.setTabText(at, texts(f"drawer.{key}"))
        self._say_nothing()
        self._fill()

    def _say_nothing(self) -> None:
        """Say that no run is shown; that there is none only once that is known."""
        texts = self._look.texts
        sign = self._look.icons.picture("activity", side=28)
        title = texts("drawer.none.yet" if self._sessions == () else "drawer.none")
        self._nothing.refill(empty_state(sign, title, texts("drawer.none.about")))

    async def _list_recent(self, session_id: str | None) -> None:
        found = await self._server.call(LIST_SESSIONS, ListSessionsParams(limit=_RECENT))
        self._sessions = found.sessions
        self._say_nothing()
        self._choice.clear()
        for session in found.sessions:
            title = plain_name(session.title or session.session_id)
            self._choice.addItem(title, session.session_id)
        ids: list[str] = [session.session_id for session in found.sessions]
        if session_id is None and ids:
            session_id = ids[0]
            self._follow(session_id)
        if session_id is not None and session_id in ids:
            self._choice.setCurrentIndex(ids.index(session_id))
        self._bar.show_session(self._session())

    def _choose(self, index: int) -> None:
        self._follow(self._choice.itemData(index))

    def _session(self) -> AgentSession | None:
        known = self._sessions or ()
        return next((each for each in known if each.session_id == self.session_id), None)

    def _follow(self, session_id: str) -> None:
        if self._feed is not None:
            if self._feed.session_id == session_id:
                return
            self._feed.close()
        self._views = None
        self.steps.clear()
        self.graph.clear_run()
        self._bar.show_run(session_id, None)
        self._feed = SessionFeed(self._server, session_id, self.show_views)
        self._bar.show_session(self._session())
        self._fill()

    def _fill(self) -> None:
        is_anything = self._feed is not None or self._views is not None
        self._pages.setCurrentWidget(self._tabs if is_anything else self._nothing)
        if self._views is None:
            return
        self._tabs.setTabVisible(_TABS.index("team"), self._views.subagents.has_subagents)
        shown = self._tabs.currentWidget()
        if shown is self.graph or shown is self.team:
            self.graph.show_views(self._views)
            self.team.show_views(self._views)
        else:
            self.steps.show_story(self._views.story)

    def _show_in_graph(self, node_id: str) -> None:
        self._tabs.setCurrentWidget(self.graph)
        self.graph.choose(node_id)

    def _want_questions(self) -> None:
        if self.session_id is not None:
            self.questions_wanted.emit(self.session_id)

    def _open_result(self, artifact_id: str) -> None:
        self._work.start(self._show_result(artifact_id))

    async def _show_result(self, artifact_id: str) -> None:
        session = self._session()
        if session is None:
            return
        found = await read_result(self._server.call, session.app_id, artifact_id)
        self.artifact_wanted.emit(session.app_id, found)

    def _build(self) -> None:
        self._title = label("", "heading")
        self._title.setWordWrap(False)
        self._closing = icon_button(self._look.texts("drawer.close"), self.closed.emit)
        self._look.icons.put_on(self._closing, "close")
        head = QWidget()
        across = QHBoxLayout(head)
        across.setContentsMargins(16, 12, 12, 8)
        across.addWidget(self._title, 1)
        across.addWidget(self._closing)
        choosing = QWidget()
        padded = QHBoxLayout(choosing)
        padded.setContentsMargins(16, 0, 16, 8)
        padded.addWidget(self._choice)
        for page, key in zip((self.steps, self.graph, self.team), _TABS, strict=True):
            self._tabs.addTab(page, key)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._nothing)
        self._pages.addWidget(self._tabs)
        layout = edge_to_edge(QVBoxLayout(self), 0)
        for part in (head, choosing, self._bar):
            layout.addWidget(part)
        layout.addWidget(self._pages, 1)
