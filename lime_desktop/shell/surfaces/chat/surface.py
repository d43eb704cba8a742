"""The chat of one entry: earlier conversations, the one at hand, and the line to write in."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QMenu, QStackedWidget, QVBoxLayout, QWidget

from lime_desktop.host.app_server_client.supervisor import AppServerSupervisor
from lime_desktop.host.approvals.agent_questions import question_name
from lime_desktop.host.apps.provenance import provenance_of
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.runs.chat_files import ChatFile, ChatFiles
from lime_desktop.host.runs.conversation import Conversations, speaker_of
from lime_desktop.host.runs.run_actions import read_result
from lime_desktop.host.runs.session_feed import SessionFeed
from lime_desktop.host.runs.story_wording import advice_words, now_text
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.plain_text import plain_name
from lime_desktop.runtime_views.story.steps import Trouble
from lime_desktop.runtime_views.story.turns import TurnFacts
from lime_desktop.runtime_views.views import SessionViews
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.dialogs.questions import LinkQuestions
from lime_desktop.shell.layouts.edges import edge_to_edge
from lime_desktop.shell.surfaces.chat.attachments import brings_files
from lime_desktop.shell.surfaces.chat.composer import Composer
from lime_desktop.shell.surfaces.chat.file_attaching import FileAttaching
from lime_desktop.shell.surfaces.chat.transcript import Transcript
from lime_desktop.shell.surfaces.chat.waiting_notice import WaitingNotice
from lime_desktop.shell.surfaces.identity_bar import IdentityBar
from lime_desktop.shell.surfaces.surface import Surface
from lime_desktop.shell.widgets.menus import open_below
from lime_desktop.shell.widgets.parts import icon_label, label, no_mnemonic
from lime_desktop.shell.widgets.work import Work

_BUSY = {"running", "waiting"}


class ChatSurface(Surface):
    """Shows one session at a time. A session is begun by the first thing that is said in it."""

    def __init__(
        self,
        look: Look,
        links: LinkQuestions,
        pasted: Path,
        server: AppServerSupervisor,
        app: RegisteredApp,
        entry_key: str,
    ) -> None:
        super().__init__(app.app_id, entry_key)
        self._look = look
        self._links = links
        self._app = app
        self._server = server
        self._chats = Conversations(server.call, speaker_of(app, entry_key, look.texts.locale))
        self._work = Work(self, self.problem.emit)
        self._feed: SessionFeed | None = None
        self._resumed: str | None = None
        """The conversation of the last time, while it is looked for: kept, whatever ends the program meanwhile."""
        self._turn_id: str | None = None
        self._transcript = Transcript(look, self._advice)
        self._follow_transcript()
        self._asking = WaitingNotice(look)
        self._asking.wanted.connect(self._show_question)
        title = app.entry_title(entry_key, look.texts.locale)
        self._composer = Composer(look, look.texts("chat.hint", name=title))
        self._composer.sent.connect(self.say)
        self._composer.edited.connect(self._say_anew)
        self._composer.stopped.connect(self.stop)
        self._composer.last_wanted.connect(self._edit_last)
        files = ChatFiles(server.call, provenance_of(app, entry_key))
        self._giving = FileAttaching(self, look.texts, pasted, app, self._composer, files)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._greeting(app, title))
        self._pages.addWidget(self._transcript)
        self.setFocusProxy(self._composer)
        self.setAcceptDrops(True)
        self._build(app)

    def _advice(self, trouble: Trouble) -> str:
        return advice_words(trouble, self._app, self._look.texts.locale)

    @property
    def transcript(self) -> Transcript:
        """What has been said."""
        return self._transcript

    @property
    def session_id(self) -> str | None:
        """The conversation that is shown, or is about to be."""
        return self._feed.session_id if self._feed else self._resumed

    @property
    def is_busy(self) -> bool:
        """Whether the agent works on something that can be stopped."""
        return self._turn_id is not None

    def say(
        self, words: str, replaces: str | None = None, files: tuple[ChatFile, ...] | None = None
    ) -> None:
        """Say something to the agent, in the place of an earlier turn if one is named."""
        along = self._composer.take_sent() if files is None else files
        self._transcript.show_sending(words, now_text(), [each.name for each in along])
        self._pages.setCurrentWidget(self._transcript)
        self._resumed = None
        self._work.start(self._say(words, replaces, along))

    def retry(self, turn_id: str) -> None:
        """Ask the same once more; the earlier turn stays, and is marked."""
        turn = self._askable(turn_id)
        if turn is not None:
            self.say(turn.text, turn_id, _files_of(turn))

    def edit(self, turn_id: str) -> None:
        """Take an earlier question back into the field."""
        turn = self._askable(turn_id)
        if turn is not None:
            self._composer.edit(turn_id, turn.text, _files_of(turn))

    def stop(self) -> None:
        """Stop the answer that is being given."""
        if self._feed is not None and self._turn_id is not None:
            self._work.start(self._chats.stop(self._feed.session_id, self._turn_id))

    def open_session(self, session_id: str) -> bool:
        """Turn to an earlier conversation."""
        self._leave()
        self._feed = SessionFeed(self._server, session_id, self.show_views)
        self.session_turned.emit()
        return True

    def resume(self, session_id: str) -> None:
        """Turn to the conversation of the last time; one that is gone, or overtaken by another, is left."""
        self._resumed = session_id
        self._pages.setCurrentWidget(self._transcript)
        self._work.start(self._resume(session_id))

    def new_chat(self) -> None:
        """Put the conversation aside and begin another."""
        self._leave()
        self.session_turned.emit()
        self._pages.setCurrentIndex(0)
        self._composer.setFocus()

    def shut(self) -> None:
        """Stop following; the agent goes on and its answer is there next time."""
        self._leave()
        self._work.end()

    async def _say(self, words: str, replaces: str | None, files: tuple[ChatFile, ...]) -> None:
        try:
            if self._feed is None:
                session = await self._chats.begin(words)
                self.open_session(session.session_id)
                self._transcript.show_sending(words, now_text(), [each.name for each in files])
            if self._feed is not None:
                await self._chats.say(self._feed.session_id, words, replaces, files)
                self.answering.emit()
        except AppError:
            self._composer.give_back(words, files)
            self._transcript.end_sending()
            if self._feed is None:
                self._pages.setCurrentIndex(0)
            raise

    async def _resume(self, session_id: str) -> None:
        is_there = False
        try:
            past = await self._chats.past()
            is_there = any(each.session_id == session_id for each in past)
        finally:
            # Where another was begun or turned to, that is shown.
            if self._resumed == session_id and not is_there:
                self._resumed = None
                self._pages.setCurrentIndex(0)
        if self._resumed == session_id:
            self.open_session(session_id)

    def _askable(self, turn_id: str) -> TurnFacts | None:
        """A turn whose question may be asked anew: the whole of it is known, and nobody is at work."""
        turn = self._transcript.turn(turn_id)
        return None if turn is None or turn.is_shortened or self.is_busy else turn

    def _say_anew(self, turn_id: str, words: str) -> None:
        self.say(words, turn_id)

    def _edit_last(self) -> None:
        turn = self._transcript.last_asked()
        if turn is not None:
            self.edit(turn.turn_id)

    def _follow_link(self, url: str) -> None:
        self._links.offer(self, self.app_id, url)

    def _open_document(self, artifact_id: str) -> None:
        self._work.start(self._show_document(artifact_id))

    async def _show_document(self, artifact_id: str) -> None:
        self.artifact_wanted.emit(await read_result(self._server.call, self.app_id, artifact_id))

    def _follow_transcript(self) -> None:
        self._transcript.settings_wanted.connect(self.settings_wanted)
        self._transcript.link_wanted.connect(self._follow_link)
        self._transcript.document_wanted.connect(self._open_document)
        self._transcript.run_wanted.connect(self._show_run)
        self._transcript.retry_wanted.connect(self.retry)
        self._transcript.edit_wanted.connect(self.edit)

    def show_views(self, views: SessionViews) -> None:
        """Show a session as it is known now."""
        self._pages.setCurrentWidget(self._transcript)
        self._turn_id = views.runtime.active_turn_id
        self._composer.set_busy(busy=views.runtime.status in _BUSY and self._turn_id is not None)
        self._asking.show_actions(views.actions)
        self._transcript.show_views(views)

    def _leave(self) -> None:
        if self._feed is not None:
            self._feed.close()
            self._feed = None
        self._resumed = None
        self._turn_id = None
        self._transcript.clear()
        self._asking.show_actions(())
        self._composer.set_busy(busy=False)
        self._composer.leave_editing()

    def _show_question(self, action_id: str) -> None:
        if self._feed is not None:
            self.questions_wanted.emit(question_name(self._feed.session_id, action_id))

    def _show_run(self) -> None:
        if self._feed is not None:
            self.run_wanted.emit(self._feed.session_id)

    def _show_past(self) -> None:
        self._work.start(self._list_past())

    async def _list_past(self) -> None:
        past = await self._chats.past()
        texts, menu = self._look.texts, QMenu(self)
        for session in past[:30]:
            name = no_mnemonic(plain_name(session.title or session.created_at))
            menu.addAction(name, partial(self.open_session, session.session_id))
        if not past:
            menu.addAction(texts("chat.past.none")).setEnabled(False)
        open_below(menu, self._past)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 - Qt calls this
        """Take files wherever in the conversation they are dropped."""
        if brings_files(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 - Qt calls this
        """Let them go along with the next message."""
        self._giving.bring(event.mimeData())
        event.acceptProposedAction()

    def _build(self, app: RegisteredApp) -> None:
        bar = IdentityBar(self._look, app, self.entry_key)
        self._past = bar.offer("chat.past", "history", self._show_past)
        bar.offer("chat.new", "plus", self.new_chat)
        bar.offer("chat.run", "activity", self._show_run)
        layout = edge_to_edge(QVBoxLayout(self), 0)
        layout.addWidget(bar)
        layout.addWidget(self._pages, 1)
        layout.addWidget(self._asking)
        layout.addWidget(self._composer)

    def _greeting(self, app: RegisteredApp, title: str) -> QWidget:
        texts = self._look.texts
        about = app.entry_about(self.entry_key, texts.locale) or texts("chat.about")
        made = QWidget()
        column = QVBoxLayout(made)
        column.setContentsMargins(40, 40, 40, 40)
        column.setSpacing(12)
        column.addStretch(1)
        middle = Qt.AlignmentFlag.AlignHCenter
        column.addWidget(icon_label(self._look.appearance.icon_of(app), 56), 0, middle)
        for words in (label(title, "title"), label(about, "muted")):
            words.setAlignment(Qt.AlignmentFlag.AlignCenter)
            column.addWidget(words)
        column.addStretch(2)
        return made


def _files_of(turn: TurnFacts) -> tuple[ChatFile, ...]:
    return tuple(ChatFile(each.ref, each.name, each.kind == "image") for each in turn.attached)
