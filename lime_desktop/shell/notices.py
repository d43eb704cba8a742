"""Notices across the top of the window: drawn by the shell above every view, so that no page can cover or forge one.

What an app has to say is shown there too, in a look that the shell's own words never have: the app's icon and name first.
"""

from collections.abc import Callable, Iterator

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from lime_desktop.database.incidents import Incident
from lime_desktop.host.app_center.workspace_rules import WorkspaceRules
from lime_desktop.host.app_server_client.supervisor import Down, ServerState
from lime_desktop.host.problem_words import ToldProblem, make_report, tell
from lime_desktop.host.unkept_decisions import UnkeptDecision
from lime_desktop.protocol.errors import AppError, AppServerUnavailable
from lime_desktop.shell.parts import Tone, banner, button, icon_button, label, said_by
from lime_desktop.shell.surroundings import Surroundings

_TOAST_MS = 5_000
_MOST = 4
"""More than a few would push the page away: the oldest makes room. Apps' notices never push the shell's own away."""
_MOST_LETTERS = 280
"""What can be read before it goes."""

_TONES: dict[str, Tone] = {"success": "ok", "warning": "warning", "error": "danger"}


class Notices(QWidget):
    """Short notices that go by themselves, problems that stay until closed, and standing notes by name."""

    settings_wanted = Signal(str)
    """A part of the settings where a problem can be mended."""

    def __init__(self, around: Surroundings) -> None:
        super().__init__()
        self._around = around
        self._standing: dict[str, QFrame] = {}
        self._passing: list[QFrame] = []
        self._said: list[QFrame] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(16, 8, 16, 8)
        self._column.setSpacing(8)
        self.hide()

    def toast(self, message: str, level: str) -> None:
        """Show a notice for a few seconds."""
        self._show_for_a_while(banner(message, _TONES.get(level, "info")), self._passing)

    def say(self, app_id: str, message: str, level: str) -> None:
        """Show what an app has to say for a few seconds, as the app's own words."""
        app, texts = self._around.shelf.app(app_id), self._around.texts
        if app is None:
            return
        teller = texts("notice.said", app=app.title(texts.locale))
        words = " ".join(message.split())
        if len(words) > _MOST_LETTERS:
            words = f"{words[:_MOST_LETTERS]}…"
        notice = said_by(self._around.icon_of(app), teller, words, _TONES.get(level, "info"))
        self._show_for_a_while(notice, self._said)

    def show_unkept(self, unkept: UnkeptDecision) -> None:
        """Say that something the person decided about an app does not hold, until they have closed it."""
        app, texts = self._around.shelf.app(unkept.app_id), self._around.texts
        name = unkept.app_id if app is None else app.title(texts.locale)
        self.problem(unkept.error, texts(f"unkept.{unkept.kind}", app=name))

    def problem(self, error: AppError, what: str = "") -> None:
        """Say in plain words what failed; the technical side is one click away, and can be copied."""
        if isinstance(error, AppServerUnavailable) and self._standing.keys() & {
            "server",
            "trouble",
        }:
            return  # it is being said already
        texts = self._around.texts
        told = tell(error, texts)
        words = texts("problem.told", title=told.title, advice=told.advice)
        if what:
            words = texts("unkept.why", what=what, why=words)
        details = label(told.report, "mono")
        details.hide()
        notice = banner(
            words,
            "danger",
            *self._ways_out(told),
            button(texts("problem.details"), lambda: details.setVisible(not details.isVisible())),
            button(texts("report.copy"), lambda: self._copy(told.report)),
        )
        closing = icon_button(texts("notice.close"), lambda: self._remove(whole))
        self._around.signs.put_on(closing, "close")
        whole = QFrame()
        whole.setAccessibleName(words)
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(notice)
        column.addWidget(details)
        layout = notice.layout()
        if layout is not None:
            layout.addWidget(closing)
        # Said once more it takes the place of what was said before.
        for same in [each for each in self._passing if each.accessibleName() == words]:
            self._remove(same)
        self._show_among(whole, self._passing)

    def incident(self, incident: Incident) -> None:
        """Say what was found in stored data, until the person has read it."""
        texts = self._around.texts
        words = texts(f"incident.{incident.kind}", database=incident.database, count=incident.count)
        if incident.kept_as is not None:
            words = texts("incident.kept", words=words, file=incident.kept_as)
        notice = banner(words, "warning")
        notice.setAccessibleName(words)
        closing = icon_button(texts("notice.close"), lambda: self._remove(notice))
        self._around.signs.put_on(closing, "close")
        if (layout := notice.layout()) is not None:
            layout.addWidget(closing)
        for same in [each for each in self._passing if each.accessibleName() == words]:
            self._remove(same)
        self._show_among(notice, self._passing)

    def _ways_out(self, told: ToldProblem) -> Iterator[QWidget]:
        if (section := told.section) is not None:
            words = self._around.texts("problem.settings")
            yield button(words, lambda: self.settings_wanted.emit(section), "primary")

    def show_server(self, state: ServerState) -> None:
        """Say that there is no App Server, while there is none; what needs it fails with a code."""
        notice = None
        if isinstance(state, Down):
            texts = self._around.texts
            seconds = max(1, round(state.retry_in_s))
            details = button(
                texts("report.copy"), lambda: self._copy(make_report(f"App Server: {state.reason}"))
            )
            notice = banner(texts("server.down.text", seconds=seconds), "warning", details)
        self.stand("server", notice)

    def show_keeping(self, reason: str) -> None:
        """Say that the person's choices cannot be written, while they cannot; what they chose holds until the end."""
        if bool(reason) != ("keeping" in self._standing):
            folder = self._around.folders.settings_file.parent
            words = self._around.texts("keep.failed.in", folder=folder, reason=reason)
            self.stand("keeping", banner(words, "warning") if reason else None)

    def show_trouble(self, title: str | None, show: Callable[[], None]) -> None:
        """Lead to the page that says what is wrong, from every other; nothing where nothing is."""
        texts = self._around.texts
        leading = button(texts("trouble.show"), show) if title else None
        self.stand("trouble", banner(title, "danger", leading) if title and leading else None)
        if title:
            self.stand("server", None)

    def show_workspace(self, workspace: WorkspaceRules | None, settle: Callable[[], None]) -> None:
        """Say that the files of the workspace cannot be read, while they cannot; until then every call is refused."""
        broken = workspace is not None and bool(workspace.problems)
        if broken == ("workspace" in self._standing):
            return
        texts = self._around.texts
        fixing = button(texts("workspace.broken.fix"), settle)
        notice = banner(texts("workspace.broken"), "danger", fixing)
        self.stand("workspace", notice if broken else None)

    def stand(self, name: str, notice: QFrame | None) -> None:
        """Show a note until it is replaced or taken back."""
        old = self._standing.pop(name, None)
        if old is not None:
            self._remove(old)
        if notice is not None:
            self._standing[name] = notice
            self._column.insertWidget(0, notice)
            self.show()

    def _show_for_a_while(self, notice: QFrame, among: list[QFrame]) -> None:
        self._show_among(notice, among)
        QTimer.singleShot(_TOAST_MS, notice, lambda: self._remove(notice))

    def _show_among(self, notice: QFrame, among: list[QFrame]) -> None:
        among.append(notice)
        self._column.addWidget(notice)
        notice.show()
        self.show()
        if len(among) > _MOST:
            self._remove(among[0])

    def _remove(self, notice: QFrame) -> None:
        for among in (self._passing, self._said):
            if notice in among:
                among.remove(notice)
        self._column.removeWidget(notice)
        notice.hide()
        notice.deleteLater()
        self.setVisible(bool(self._passing or self._said or self._standing))

    def _copy(self, report: str) -> None:
        QGuiApplication.clipboard().setText(report)
        self.toast(self._around.texts("report.copied"), "success")
