"""The window: a rail of apps, the shell's pages, open entries, and what the shell says around them."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QMoveEvent, QResizeEvent
from PySide6.QtWidgets import QMainWindow, QMenu

from lime_desktop.host.app_server_client.supervisor import AppServerSupervisor, ServerState
from lime_desktop.host.user_profile.settings import OpenEntry
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.runtime.sessions import AgentSession
from lime_desktop.shell.app_center.in_place import PackagesInPlace
from lime_desktop.shell.approvals.question_search import QuestionSearch
from lime_desktop.shell.dialogs.shortcuts_sheet import ShortcutsSheet
from lime_desktop.shell.pages.trouble_page import Source, Trouble
from lime_desktop.shell.settings.section import EngineFacts
from lime_desktop.shell.surfaces.table import MakeTab
from lime_desktop.shell.widgets.focus import has_keyboard, is_enter, press_focused
from lime_desktop.shell.widgets.on_screen import USUAL
from lime_desktop.shell.widgets.qt_texts import QtTexts
from lime_desktop.shell.window.assembly import WindowAssembly
from lime_desktop.shell.window.closing import WindowClosing
from lime_desktop.shell.window.memory import Reopening
from lime_desktop.shell.window.services import WindowServices

if TYPE_CHECKING:
    from lime_desktop.shell.run_drawer.drawer import RunDrawer


class MainWindow(QMainWindow):
    """Everything a person sees. Holds no truth: pages show the registry, surfaces show apps."""

    leaving = Signal()
    """The person wants to end the program, or to close the window where there is no tray."""
    shipped_wanted = Signal()
    """The person wants to see what came with the product of one app, to install it."""
    center_wanted = Signal()
    """The installed apps could not be read, and should be tried again."""

    def __init__(
        self,
        services: WindowServices,
        server: AppServerSupervisor,
        make_tab: MakeTab,
        engine: EngineFacts,
    ) -> None:
        super().__init__()
        self._services = services
        self._registry = services.registry
        self._in_place = PackagesInPlace(services.registry, services.settings)
        QtTexts(services.look.texts, self)
        self.has_tray = False
        """Whether there is a tray to stay behind; told by whoever put an icon there."""
        self.resize(USUAL)
        self.setMinimumSize(640, 480)
        self._parts = parts = WindowAssembly(self, self, services, server, make_tab, engine)
        self._pages, self._made, self._memory = parts.pages, parts.made, parts.memory
        self._rail, self._approvals, self._settings = (
            parts.rail,
            parts.approvals,
            parts.made.settings,
        )
        gone = partial(self._hint, "approval.gone")
        self._sought = QuestionSearch(self, services.approvals, self._approvals.open, gone)
        self.notices = parts.notices
        """What the shell has to say."""
        self.progress = parts.progress
        """The line that says what is still coming."""
        self.removals = parts.made.removals
        """What the person removed and can still bring back."""
        self.workspace = parts.workspace
        """The open entries."""
        self.tabs = parts.tabs
        """What keys do to the open entries."""
        self._reopening = Reopening(
            self._registry, self._memory, parts.opening.open_again, self._turn_to_entry
        )
        self._closing = WindowClosing(
            self, services, self._memory, self.workspace, parts.drawer, self.leaving.emit
        )
        self._wants_home = False
        """Whether the person went home themselves, which is where a window stands before anyone went anywhere."""
        self.workspace.changed.connect(self._note_work)
        self._made.flow.finished.connect(self._show_installed)
        parts.show_first()

    # Where to go.

    def show_home(self) -> None:
        """Show the apps; at the very first start, the welcome."""
        self._wants_home = True
        self._pages.go_to(self._parts.plan.home_page())

    def open_center(self) -> None:
        """Have it tried again to open what is installed."""
        self.center_wanted.emit()

    def review_shipped(self) -> None:
        """Have it reviewed what came with the product of one app."""
        self.shipped_wanted.emit()

    def show_welcome(self) -> None:
        """Show what greets a person at the first start."""
        self._pages.go_to(self._parts.plan.welcome)

    def end_welcome(self) -> None:
        """The person has been welcomed: from now on the apps are at home."""
        self._keep_welcomed()
        self.show_home()

    def show_details(self, app_id: str) -> None:
        """Show one app in full."""
        self._made.app.show_app(app_id)
        self._pages.go_to(self._made.app)

    def show_permissions(self, app_id: str) -> None:
        """Show one app at what it may do."""
        self.show_details(app_id)
        self._made.app.show_permissions()

    def show_overlays(self, app_id: str) -> None:
        """Show the settings that apply to one app."""
        self._made.overlays.show_app(app_id)
        self._pages.go_to(self._made.overlays)

    def show_settings(self, section: str = "") -> None:
        """Show the choices, at a section if one is named."""
        self._settings.show_section(section)
        self._pages.go_to(self._settings)

    def open_app(self, app_id: str) -> None:
        """Open an app at the entry it starts with; one that has none to open is shown in full."""
        self._parts.opening.open_app(app_id)

    def open_entry(self, app_id: str, entry_key: str, *, beside: bool = False) -> None:
        """Open an entry, or turn to it where it is open; one that is not ready shows why."""
        self._parts.opening.open(app_id, entry_key, beside=beside)

    def open_session(self, session: AgentSession) -> None:
        """Go on with a conversation where it is held; what is none is shown as a run."""
        self._parts.opening.open_session(session)

    def open_workflow_run(self, app_id: str, entry_key: str, run_id: str) -> None:
        """Show a run on the page of its workflow."""
        self._parts.opening.open_workflow_run(app_id, entry_key, run_id)

    def close_app(self, app_id: str) -> None:
        """Shut every view of an app."""
        self._parts.opening.close(app_id)

    def show_entries(self) -> None:
        """Bring the open entries to the front: whoever opens one has been welcomed."""
        self._keep_welcomed()
        self._pages.turn_to(self.workspace)

    def app_menu(self, app_id: str, menu: QMenu) -> None:
        """Put what can be done with an app into a menu."""
        self._parts.rail_items.fill_menu(app_id, menu)

    def install_package(self, path: Path) -> None:
        """Review a package and, if the person agrees, install it."""
        self._made.flow.install(path)

    def install_named(self, app_id: str) -> None:
        """Review an app that a source offers by its id; one that is here already and has nothing newer is shown."""
        self._made.flow.install_named(app_id)

    def add_package(self, path: Path) -> None:
        """Register a package where it lies, for whoever works on it, and show what it is."""
        self.show_details(self._in_place.open(path).app_id)

    def take_off_list(self, app_id: str) -> None:
        """Forget a package that was opened where it lies; nothing of it is deleted, and it can be brought back."""
        app, texts = self._registry.app(app_id), self._services.look.texts
        if app is None or app.installed is not None:
            return
        self.close_app(app_id)
        undo = self._in_place.take_off(app)
        # The installed app of this name stands there again, where there is one.
        is_back = self._registry.app(app_id) is not None
        if self._pages.shows(self._made.app) and not is_back:
            self.show_home()
        said = "undo.in-place.left" if is_back else "undo.taken-off"
        self.notices.offer_undo(texts(said, app=app.title(texts.locale)), undo)

    def show_palette(self) -> None:
        """Offer everything that can be opened or done."""
        self._parts.palette.show()

    def look_up(self, words: str) -> None:
        """Offer what these words find here, and at the end to search the web for them."""
        self._parts.palette.look_up(words)

    def show_shortcuts(self) -> None:
        """List every key."""
        ShortcutsSheet(self._services.look.texts, self._parts.shortcuts, self).come_up()

    def show_run(self, session_id: str) -> None:
        """Show what a task did and does."""
        self._parts.drawer.open_run(session_id)

    def toggle_drawer(self) -> None:
        """Show the latest run, or put the drawer away."""
        self._parts.drawer.toggle()

    def show_questions(self, name: str = "") -> None:
        """Show what waits for the person's word, or say that nothing does: another question is no answer to that."""
        if name:
            self._sought.seek(name)
        elif self._services.approvals.queue.open:
            self._approvals.open()
        else:
            self._hint("approval.none")

    def _hint(self, key: str) -> None:
        self.notices.hint(self._services.look.texts(key))

    def come_forward(self) -> None:
        """Be seen, wherever the window was."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()

    # What others tell the window.

    def await_apps(self, *, is_reading: bool) -> None:
        """Show on Home that the installed apps are being read, or what is known of them."""
        self._made.home.await_apps(is_reading=is_reading)

    def refresh_catalog(self) -> None:
        """Look at every source of apps anew."""
        self._made.home.refresh_catalog()

    @property
    def drawer(self) -> "RunDrawer":
        """What a task did."""
        return self._parts.drawer.drawer

    def show_server(self, state: ServerState) -> None:
        """Say how the App Server is; silence means that it runs."""
        self._parts.trouble.show_server(state)
        self._made.welcome.follow_server(state)

    def show_trouble(self, source: Source, error: AppError) -> None:
        """Say that something which everything needs cannot start, why, and what a person can do."""
        self._made.trouble.put(source, Trouble(error))

    def settle_trouble(self, source: Source) -> None:
        """It started after all."""
        self._made.trouble.settle(source)

    def show_damage(self, reason: str) -> None:
        """Say that what came with the product of one app is not what was shipped."""
        self._parts.plan.show_damage(reason)

    # What Qt tells it.

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt calls this
        """Take what nobody else wanted: Enter presses what has the keyboard, Escape leaves what is over the work."""
        is_left = event.key() == Qt.Key.Key_Escape and self._leave_what_is_over()
        if not is_left and not (is_enter(event) and press_focused()):
            super().keyPressEvent(event)

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002, FBT001, N802 - Qt's signature
        """Walk on, as Tab wants it."""
        return self._parts.keyboard.walk(
            partial(super().focusNextPrevChild, next), is_forwards=next
        )

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt calls this
        """Let apps know that nobody sees them while the window is put away, and that they are seen again."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.WindowStateChange:
            self.workspace.notify_visibility()
            self._memory.change()
        elif event.type() is QEvent.Type.ActivationChange and self.isActiveWindow():
            # Whoever comes back from a terminal may have set a model up there.
            self._services.models.look_again()

    def moveEvent(self, event: QMoveEvent) -> None:  # noqa: N802 - Qt calls this
        """Remember where the window is."""
        super().moveEvent(event)
        self._memory.change()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt calls this
        """Remember how large it is."""
        super().resizeEvent(event)
        self._memory.change()

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 - Qt calls this
        """Stay behind the tray where that was chosen; else let go of every page before the window goes."""
        if self.has_tray and self._services.settings.current.stays_in_tray:
            event.ignore()
            self.hide()
            return
        self.ask_to_leave()
        if self._closing.has_left:
            super().closeEvent(event)
        else:
            event.ignore()

    # How it ends, and how it is found again.

    def shut(self) -> None:
        """Let go of everything that is open."""
        self._closing.shut()

    def ask_to_leave(self) -> None:
        """End unless the person would lose something and wants to keep it; no app can keep the window open."""
        self._closing.ask()

    def leave(self) -> None:
        """End, tray or not."""
        self._closing.leave()

    def restore_place(self) -> None:
        """Stand where the window last stood."""
        self._memory.restore_place()

    def restore_entries(self) -> None:
        """Open again what was open, as far as it may still be opened."""
        self._reopening.begin(is_whole=self._registry.center is not None)

    def _turn_to_entry(self, entry: OpenEntry) -> None:
        """Bring what was in front there again, unless the person has gone somewhere meanwhile."""
        surface = self.workspace.open_at(entry.app_id, entry.entry_key)
        began_at = {self.workspace, *(() if self._wants_home else (self._parts.plan.home,))}
        if surface is not None and self._pages.currentWidget() in began_at:
            self._pages.turn_to_entry(surface)

    def _note_work(self) -> None:
        """Keep in mind what the person works in, to go on with it from Home."""
        if self._closing.has_left or self._reopening.is_under_way:
            return  # tabs come and go by themselves; the person turned to none of them
        surface = self.workspace.current
        if surface is not None and surface.is_seen:
            self._services.recent.note(surface.app_id, surface.entry_key)

    def _show_installed(self, app_id: str) -> None:
        self._keep_welcomed()
        self._parts.plan.show_installed(app_id)

    def _keep_welcomed(self) -> None:
        """Whoever has or opens an app has been welcomed: from now on the apps are what is at home."""
        if not self._services.settings.current.is_welcomed:
            self._services.settings.change(is_welcomed=True)

    def _leave_what_is_over(self) -> bool:
        """Close the drawer that has the keyboard, or else the welcome, the review or a notice; says whether there was one."""
        if has_keyboard(self._parts.drawer):
            self._parts.drawer.put_away()
            self._parts.keyboard.take()
        elif self._pages.shows(self._made.welcome):
            self.end_welcome()
        else:
            is_review = self._pages.shows(self._made.flow)
            return (is_review and self._made.flow.leave()) or self.notices.close_newest()
        return True
