"""What the window says, floating over a corner of it: drawn by the shell above every view, so that no page can cover or
forge a notice, and none moves what a person is about to press.

What an app has to say is shown there too, in a look that the shell's own words never have: the app's icon and name first.
What passes goes by itself, problems stay until closed, and a standing note that was put away waits behind the bell: by
the person, or by itself where it tells of something that is over. One that tells of what is so now stays while it is so.
"""

from collections.abc import Callable, Iterator
from typing import Protocol

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QWidget

from lime_desktop.database.incidents import Incident
from lime_desktop.host.app_center.governance.workspace_rules import WorkspaceRules
from lime_desktop.host.app_server_client.supervisor import Down, ServerState
from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.host.user_profile.unsaved_decisions import UnsavedDecision
from lime_desktop.host.wording.problems import make_report, tell
from lime_desktop.protocol.errors import AppError, AppServerUnavailable
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.notices.floating import FloatingStack
from lime_desktop.shell.notices.notice_card import NoticeCard
from lime_desktop.shell.widgets.parts import Tone, button, icon_button, label, name_button, said_by
from lime_desktop.shell.widgets.resource_folders import Folders

_TOAST_MS = 6_000
_UNDO_MS = 10_000
"""How long something can be undone."""
_READ_MS = 15_000
"""How long a note of something that is over is shown."""
_HELD_MS = 1_500
"""How long a notice stays after nobody points at it any more."""
_MOST = 4
"""More than a few would cover the page: the oldest makes room. Apps' notices never push the shell's own away."""
_MOST_LETTERS = 280
"""What can be read before it goes."""
_WIDTH = 360
_WIDEST = 1.25

_TONES: dict[str, Tone] = {"success": "ok", "warning": "warning", "error": "danger"}


class OfferUndo(Protocol):
    """Says what was done, and takes it back if the person wants that within ten seconds."""

    def __call__(self, words: str, undo: Callable[[], object]) -> None:
        """Offer it."""
        ...


class Notices(FloatingStack):
    """Short notices that go by themselves, problems that stay until closed, and standing notes by name."""

    settings_wanted = Signal(str)
    """A part of the settings where a problem can be mended."""
    put_away = Signal()
    """There are more, or fewer, standing notes behind the bell."""

    def __init__(self, look: Look, folders: Folders, registry: AppRegistry) -> None:
        super().__init__()
        self._look = look
        self._folders = folders
        self._registry = registry
        self.setAccessibleName(look.texts("notice.all"))
        self._standing: dict[str, NoticeCard] = {}
        self._away: dict[str, None] = {}
        """Standing notes that the person put away, or has had time to read."""
        self._otherwise: dict[QFrame, Callable[[], object]] = {}
        """What follows when something is not undone."""
        self._of_models: list[QFrame] = []
        """What was said because no model could answer."""
        self._passing: list[QFrame] = []
        self._said: list[QFrame] = []
        look.appearance.changed.connect(self.place)

    @property
    def count_away(self) -> int:
        """How many notes wait behind the bell; questions have a badge of their own."""
        return len(self._away.keys() - {"approvals"})

    def show_away(self) -> None:
        """Show every standing note again, with the keyboard."""
        names = [each for each in self._away if each != "approvals"]
        for name in names:
            del self._away[name]
            self.put(self._standing[name])
        self.take_keyboard()
        self.put_away.emit()

    def toast(self, message: str, level: str) -> None:
        """Show a notice for a few seconds; a failure stays until it is closed."""
        notice = self._card(message, _TONES.get(level, "info"))
        self._show_for_a_while(notice, self._passing)

    def hint(self, words: str, section: str | None = None) -> None:
        """Say for a few seconds why a key did nothing, and lead to the settings that change it; never twice at once."""
        ways = self._ways_out(section, lambda: self._remove(notice))
        notice = self._card(words, "info", *ways)
        self._remove_same(notice)
        self._show_for_a_while(notice, self._passing)

    def offer_undo(
        self,
        words: str,
        undo: Callable[[], object],
        otherwise: Callable[[], object] = lambda: None,
    ) -> None:
        """Say what was done, and take it back if the person wants that within ten seconds; `otherwise` hears that not."""

        def take_back() -> None:
            self._otherwise.pop(notice, None)
            self._remove(notice)
            undo()

        undoing = button(self._look.texts("action.undo"), take_back, "link")
        name_button(undoing, self._look.texts, words)
        notice = self._card(words, "plain", undoing)
        self._otherwise[notice] = otherwise
        self._show_for_a_while(notice, self._passing, _UNDO_MS)

    def say(self, app_id: str, message: str, level: str) -> None:
        """Show what an app has to say for a few seconds, as the app's own words."""
        app, texts = self._registry.app(app_id), self._look.texts
        if app is None:
            return
        teller = texts("notice.said", app=app.title(texts.locale))
        words = " ".join(message.split())
        if len(words) > _MOST_LETTERS:
            words = f"{words[:_MOST_LETTERS]}…"
        notice = said_by(
            self._look.appearance.icon_of(app),
            teller,
            words,
            _TONES.get(level, "info"),
            self._look.texts,
        )
        self._show_for_a_while(notice, self._said)

    def show_unkept(self, unkept: UnsavedDecision) -> None:
        """Say that something the person decided about an app does not hold, until they have closed it."""
        app, texts = self._registry.app(unkept.app_id), self._look.texts
        name = unkept.app_id if app is None else app.title(texts.locale)
        self.problem(unkept.error, texts(f"unkept.{unkept.kind}", app=name))

    def problem(self, error: AppError, what: str = "") -> None:
        """Say in plain words what failed; the technical side is one click away, and can be copied."""
        if isinstance(error, AppServerUnavailable) and self._standing.keys() & {
            "server",
            "trouble",
        }:
            return  # it is being said already
        texts = self._look.texts
        told = tell(error, texts)
        words = texts("problem.told", title=told.title, advice=told.advice)
        if what:
            words = texts("unkept.why", what=what, why=words)
        details = label(told.report, "mono")
        details.hide()
        notice = self._card(
            words,
            "danger",
            *self._ways_out(told.section, lambda: self._remove(notice)),
            button(
                texts("problem.details"),
                lambda: details.setVisible(not details.isVisible()),
                "link",
            ),
            button(texts("report.copy"), lambda: self._copy(told.report), "link"),
        )
        notice.add_below(details)
        self._show_instead(notice)
        if told.section is not None:
            self._of_models.append(notice)

    def settle_models(self) -> None:
        """A model answers: that none could is not so any more."""
        for notice in tuple(self._of_models):
            self._remove(notice)

    def close_newest(self) -> bool:
        """Close what was shown last, for a key that nobody else took; says whether there was something.

        Not what can be undone: nobody gives that up by a key that was meant for something else.
        """
        closable = [each for each in self.cards if each not in self._otherwise]
        if closable:
            self._close(closable[-1])
        return bool(closable)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt calls this
        """Escape closes the notice that has the keyboard, which goes back to where it was."""
        focused = QApplication.focusWidget()
        held = [each for each in self.cards if focused and each.isAncestorOf(focused)]
        if event.key() == Qt.Key.Key_Escape and held:
            self._close(held[0])
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def incident(self, incident: Incident) -> None:
        """Say what was found in stored data, until the person has read it."""
        texts = self._look.texts
        words = texts(f"incident.{incident.kind}", database=incident.database, count=incident.count)
        if incident.kept_as is not None:
            words = texts("incident.kept", words=words, file=incident.kept_as)
        self._show_instead(self._card(words, "warning"))

    def _ways_out(self, section: str | None, close: Callable[[], None]) -> Iterator[QWidget]:
        """Where a problem can be mended. Who goes there has read it, and needs the room that it takes."""
        if section is not None:

            def go() -> None:
                close()
                self.settings_wanted.emit(section)

            yield button(self._look.texts("problem.settings"), go, "link")

    def show_server(self, state: ServerState, retry: Callable[[], None]) -> None:
        """Say that there is no App Server, while there is none; one that is back in a second was never missed."""
        notice = None
        if isinstance(state, Down) and not state.may_pass:
            texts = self._look.texts
            seconds = max(1, round(state.retry_in_s))
            report = make_report(f"App Server: {state.reason}", *state.last_lines)
            notice = self.note(
                texts("server.down.text", seconds=seconds),
                "warning",
                button(texts("trouble.retry"), retry, "link"),
                button(texts("report.copy"), lambda: self._copy(report), "link"),
            )
        self.stand("server", notice)

    def show_keeping(self, reason: str) -> None:
        """Say that the person's choices cannot be written, while they cannot; what they chose holds until the end."""
        if bool(reason) != ("keeping" in self._standing):
            folder = self._folders.settings_file.parent
            words = self._look.texts("keep.failed.in", folder=folder, reason=reason)
            self.stand("keeping", self.note(words, "warning") if reason else None)

    def show_trouble(self, title: str | None, show: Callable[[], None]) -> None:
        """Lead to the page that says what is wrong, from every other; nothing where nothing is."""
        texts = self._look.texts
        leading = button(texts("trouble.show"), show, "link") if title else None
        self.stand("trouble", self.note(title, "danger", leading) if title and leading else None)
        if title:
            self.stand("server", None)

    def show_workspace(self, workspace: WorkspaceRules | None, settle: Callable[[], None]) -> None:
        """Say that the files of the workspace cannot be read, while they cannot; until then every call is refused."""
        broken = workspace is not None and bool(workspace.problems)
        if broken == ("workspace" in self._standing):
            return
        texts = self._look.texts
        fixing = button(texts("workspace.broken.fix"), settle, "link")
        notice = self.note(texts("workspace.broken"), "danger", fixing)
        self.stand("workspace", notice if broken else None)

    def offer_reload(self, name: str, app: str, reload: Callable[[], None] | None) -> None:
        """Say that a page shows an error that is not so any more, and load it anew at a press; nothing without one."""
        texts = self._look.texts
        pressed = button(texts("tab.reload"), reload, "link") if reload else None
        words = texts("notice.stale", app=app)
        self.stand(name, self.note(words, "info", pressed) if pressed else None)

    def note(self, words: str, tone: Tone, *actions: QWidget) -> NoticeCard:
        """A card to stand."""
        return NoticeCard(self._look.icons, words, tone, *actions)

    def stand(self, name: str, notice: NoticeCard | None, *, is_over: bool = False) -> None:
        """Show a note until it is taken back; said again in the same words, it stays where the person put it.

        What tells of something that `is_over` makes room once it was read, and waits behind the bell.
        """
        old = self._standing.get(name)
        if old is not None and notice is not None and old.words == notice.words:
            notice.deleteLater()
            return
        if old is not None:
            del self._standing[name]
            self._away.pop(name, None)
            self._remove(old)
        if notice is not None:
            self._standing[name] = notice
            notice.add_closing(self._closing(lambda: self._put_away(name)))
            self._put_and_announce(notice)
            if is_over:
                self._after(_READ_MS, notice, lambda: self._put_away(name))
        if old is not None or notice is not None:
            self.put_away.emit()

    def _close(self, notice: QFrame) -> None:
        """As its own button does."""
        name = next((name for name, each in self._standing.items() if each is notice), None)
        if name is None:
            self._remove(notice)
        else:
            self._put_away(name)

    def _put_away(self, name: str) -> None:
        self._away[name] = None
        self.take(self._standing[name])
        self.put_away.emit()

    def _card(self, words: str, tone: Tone, *actions: QWidget) -> NoticeCard:
        """A card that goes for good when it is closed."""
        notice = self.note(words, tone, *actions)
        notice.add_closing(self._closing(lambda: self._remove(notice)))
        return notice

    def _closing(self, close: Callable[[], None]) -> QWidget:
        closing = icon_button(self._look.texts("notice.close"), close)
        self._look.icons.put_on(closing, "close", "text-muted", 14)
        return closing

    def _show_for_a_while(
        self, notice: QFrame, among: list[QFrame], shown_ms: int = _TOAST_MS
    ) -> None:
        self._show_among(notice, among)
        # A failure stays until it is read; what an app calls one is the app's to repeat.
        if not (isinstance(notice, NoticeCard) and notice.tone == "danger"):
            self._after(shown_ms, notice, lambda: self._remove(notice))

    def _after(self, delay_ms: int, notice: QFrame, end: Callable[[], None]) -> None:
        """Let a notice go after a while, but not from under the pointer or the keyboard."""
        timer = QTimer(notice, singleShot=True, interval=delay_ms)

        def look() -> None:
            if self.is_held:
                timer.start(_HELD_MS)
            else:
                end()

        timer.timeout.connect(look)
        timer.start()

    def _show_instead(self, notice: NoticeCard) -> None:
        """Show it until it is closed; said once more it takes the place of what was said before."""
        self._remove_same(notice)
        self._show_among(notice, self._passing)

    def _remove_same(self, notice: NoticeCard) -> None:
        for same in [each for each in self._passing if each.accessibleName() == notice.words]:
            self._remove(same)

    def _show_among(self, notice: QFrame, among: list[QFrame]) -> None:
        among.append(notice)
        self._put_and_announce(notice)
        if len(among) > _MOST:
            self._remove(among[0])

    def _put_and_announce(self, notice: QFrame) -> None:
        self.put(notice)
        said = QAccessibleAnnouncementEvent(notice, notice.accessibleName())
        if isinstance(notice, NoticeCard) and notice.tone in {"warning", "danger"}:
            said.setPoliteness(QAccessible.AnnouncementPoliteness.Assertive)
        QAccessible.updateAccessibility(said)

    def _remove(self, notice: QFrame) -> None:
        for among in (self._passing, self._said, self._of_models):
            if notice in among:
                among.remove(notice)
        self.take(notice)
        notice.deleteLater()
        if (follows := self._otherwise.pop(notice, None)) is not None:
            follows()

    def _width(self) -> int:
        return round(_WIDTH * min(_WIDEST, self._look.appearance.text_scale))

    def _copy(self, report: str) -> None:
        QGuiApplication.clipboard().setText(report)
        self.toast(self._look.texts("report.copied"), "success")
