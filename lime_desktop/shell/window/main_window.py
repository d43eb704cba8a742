"""The window: a rail of apps, the shell's pages, open entries, and what the shell says around them."""

import logging
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QMoveEvent, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QMainWindow,
    QMenu,
    QStackedWidget,
    QWidget,
)

from lime_desktop.host.app_center.records.offers import Offer
from lime_desktop.host.app_center.review.making import InstallReview
from lime_desktop.host.app_server_client.supervisor import (
    AppServerSupervisor,
    Down,
    Running,
    ServerState,
)
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.user_profile.settings import OpenEntry
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.runtime.sessions import AgentSession
from lime_desktop.shell.app_center.in_place import PackagesInPlace
from lime_desktop.shell.appearance.style import palette
from lime_desktop.shell.approvals.panel import ApprovalsPanel
from lime_desktop.shell.command_palette import offers as palette_offers
from lime_desktop.shell.command_palette.dialog import CommandPalette
from lime_desktop.shell.command_palette.offers import PaletteLinks, list_offers, web_offer
from lime_desktop.shell.dialogs.input_guard import InputGuard
from lime_desktop.shell.dialogs.questions import LinkQuestions, ask_about_search
from lime_desktop.shell.dialogs.sheet import Sheet
from lime_desktop.shell.dialogs.shortcuts_sheet import ShortcutsSheet
from lime_desktop.shell.notices.notices import Notices
from lime_desktop.shell.notices.progress_line import ProgressLine
from lime_desktop.shell.notices.undo import Removals, Undoing
from lime_desktop.shell.pages.product_page import ProductLinks, ProductPage
from lime_desktop.shell.pages.trouble_page import Source, Trouble
from lime_desktop.shell.settings.section import EngineFacts
from lime_desktop.shell.settings.table import sections_of
from lime_desktop.shell.surfaces.surface import PageCommands, Surface
from lime_desktop.shell.surfaces.table import MakeTab, Surfaces
from lime_desktop.shell.surfaces.unsaved_question import UnsavedQuestions
from lime_desktop.shell.widgets.focus import (
    focus_first,
    has_keyboard,
    is_enter,
    press_focused,
)
from lime_desktop.shell.widgets.on_screen import USUAL
from lime_desktop.shell.widgets.qt_texts import QtTexts
from lime_desktop.shell.widgets.shortcuts import add_shortcuts
from lime_desktop.shell.window.commands import list_shortcuts
from lime_desktop.shell.window.entry_opening import EntryOpening
from lime_desktop.shell.window.keyboard import WindowKeyboard, WindowParts
from lime_desktop.shell.window.layout import (
    DrawerPlace,
    below_each_other,
    beside_each_other,
    middle_of,
)
from lime_desktop.shell.window.memory import Reopening, WindowMemory
from lime_desktop.shell.window.pages import make_pages
from lime_desktop.shell.window.rail import Rail
from lime_desktop.shell.window.rail_items import (
    AloneOnRail,
    InFront,
    RailApps,
    RailFacts,
    RailItems,
    RailLinks,
    RailWindow,
)
from lime_desktop.shell.window.services import WindowServices
from lime_desktop.shell.window.tab_strip import TabStrip
from lime_desktop.shell.window.workspace import Workspace

if TYPE_CHECKING:
    from lime_desktop.shell.run_drawer.drawer import RunDrawer

_log = logging.getLogger(__name__)


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
        look, registry = services.look, services.registry
        self._services = services
        self._look = look
        self._choices = services.settings
        self._registry = registry
        self._in_place = PackagesInPlace(registry, services.settings)
        QtTexts(look.texts, self)
        self._engine = engine
        self._server = server
        self.has_tray = False
        """Whether there is a tray to stay behind; told by whoever put an icon there."""
        self._notices = Notices(look, services.folders, registry)
        self._notices.settings_wanted.connect(self.show_settings)
        self.removals = Removals(self, self._notices)
        self._undoing = Undoing(self, self._notices, look.texts)
        """What is on its way out, until the time to undo it is over."""
        self._unsaved = UnsavedQuestions(look.texts, registry)
        self._workspace = Workspace(look, registry)
        self._strip = TabStrip(look)
        self._memory = WindowMemory(services.folders.settings_file, self, self._workspace.entries)
        links = LinkQuestions(look.texts, services.settings, registry)
        pasted = services.folders.data / "pasted"
        surfaces = Surfaces(look, links, pasted, server, make_tab)
        self._opening = EntryOpening(
            self, registry, server, self._workspace, surfaces, self._connect_surface
        )
        self._reopening = Reopening(
            registry, self._memory, self._opening.open_again, self._turn_to_entry
        )
        self._drawer = DrawerPlace(self._make_drawer)
        self._progress = ProgressLine(look.texts)
        self._alone = services.folders.product.app
        """The one app that this product is for, if it is for one."""
        self._awaited = ""
        self._rail = Rail(look.icons, look.texts("rail.name"), is_across=self._alone is not None)
        self._approvals = ApprovalsPanel(look, registry, services.approvals, self._notices.stand)
        made = make_pages(self, self, services, server, engine, self._notices)
        self._welcome, self._home, self._app_page = made.welcome, made.home, made.app
        self._overlays, self._flow, self._settings = made.overlays, made.flow, made.settings
        self._trouble = made.trouble
        self._product = self._make_product_page() if self._alone else None
        self._pages = QStackedWidget()
        self._keyboard = WindowKeyboard(
            self,
            WindowParts(
                self._rail,
                self._strip,
                self._pages,
                self._workspace,
                self._notices,
                self._approvals,
                self._drawer,
            ),
        )
        self._rail_items = self._make_rail_items()
        self._before_flow: QWidget = self._home
        self._has_left = False
        self._wants_home = False
        """Whether the person went home themselves, which is where a window stands before anyone went anywhere."""
        self._build()
        self._shortcuts = [
            each for each in list_shortcuts(self) if not (self._alone and each.key == "welcome")
        ]
        add_shortcuts(self, self._shortcuts)
        self._connect()
        self._show_first()

    def _show_first(self) -> None:
        self._apply_theme()
        self._apply_branding()
        self._retranslate()
        self._go_to(self._first_page())

    # Where to go.

    def show_home(self) -> None:
        """Show the apps; at the very first start, the welcome."""
        self._wants_home = True
        is_at_work = self._alone is not None and bool(self._workspace.surfaces)
        self._go_to(self._workspace if is_at_work else self._first_page())

    def _first_page(self) -> QWidget:
        if self._product is not None:
            return self._product
        return self._home if self._choices.current.is_welcomed else self._welcome

    def open_center(self) -> None:
        """Have it tried again to open what is installed."""
        self.center_wanted.emit()

    def show_welcome(self) -> None:
        """Show what greets a person at the first start."""
        self._go_to(self._product or self._welcome)

    def show_details(self, app_id: str) -> None:
        """Show one app in full."""
        self._app_page.show_app(app_id)
        self._go_to(self._app_page)

    def show_permissions(self, app_id: str) -> None:
        """Show one app at what it may do."""
        self._app_page.show_app(app_id)
        self._go_to(self._app_page)
        self._app_page.show_permissions()

    def show_overlays(self, app_id: str) -> None:
        """Show the settings that apply to one app."""
        self._overlays.show_app(app_id)
        self._go_to(self._overlays)

    def show_settings(self, section: str = "") -> None:
        """Show the choices, at a section if one is named."""
        self._settings.show_section(section)
        self._go_to(self._settings)

    def open_app(self, app_id: str) -> None:
        """Open an app at the entry it starts with; one that has none to open is shown in full."""
        self._opening.open_app(app_id)

    def open_entry(self, app_id: str, entry_key: str, *, beside: bool = False) -> None:
        """Open an entry, or turn to it where it is open; one that is not ready shows why."""
        self._opening.open(app_id, entry_key, beside=beside)

    def open_session(self, session: AgentSession) -> None:
        """Go on with a conversation where it is held; what is none is shown as a run."""
        self._opening.open_session(session)

    def show_entries(self) -> None:
        """Bring the open entries to the front: whoever opens one has been welcomed."""
        self._keep_welcomed()
        self._turn_to(self._workspace)

    def app_menu(self, app_id: str, menu: QMenu) -> None:
        """Put what can be done with an app into a menu."""
        self._rail_items.fill_menu(app_id, menu)

    def install_package(self, path: Path) -> None:
        """Review a package and, if the person agrees, install it."""
        self._flow.install(path)

    def install_offer(self, offer: Offer) -> None:
        """Review an app of the catalog and, if the person agrees, install it."""
        self._flow.install_offer(offer)

    def install_named(self, app_id: str) -> None:
        """Review an app that a source offers by its id; one that is here already and has nothing newer is shown."""
        self._flow.install_named(app_id)

    def add_package(self, path: Path) -> None:
        """Register a package where it lies, for whoever works on it, and show what it is."""
        self.show_details(self._in_place.open(path).app_id)

    def take_off_list(self, app_id: str) -> None:
        """Forget a package that was opened where it lies; nothing of it is deleted, and it can be brought back."""
        app = self._registry.app(app_id)
        if app is None or app.installed is not None:
            return
        title, path, granted = app.title(self._look.texts.locale), app.path, app.granted
        self.close_app(app_id)
        self._in_place.close(app_id)
        if self._pages.currentWidget() is self._app_page:
            self.show_home()

        def undo() -> None:
            self._in_place.open(path)
            self._registry.grant(app_id, *granted)

        words = self._look.texts("undo.taken-off", app=title)
        self._notices.offer_undo(words, undo)

    def show_palette(self) -> None:
        """Offer everything that can be opened or done."""
        self._make_palette().come_up()

    def look_up(self, words: str) -> None:
        """Offer what these words find here, and at the end to search the web for them."""
        search = web_offer(self._look, words, partial(ask_about_search, self, self._look.texts))
        self._make_palette().look_up(words, search)

    def _make_palette(self) -> CommandPalette:
        links = PaletteLinks(
            self.open_entry,
            self._opening.open_route,
            self.show_details,
            self.show_settings,
            self.install_offer,
            sections_of(self._services.folders.product),
        )

        def offers() -> list[palette_offers.Offer]:
            surfaces = self._workspace.surfaces
            return list_offers(
                self._look, self._choices, self._registry, self._shortcuts, surfaces, links
            )

        def renew() -> None:
            made.renew(is_whole=self._registry.center is not None)

        made = CommandPalette(self._look, offers, self)
        renew()
        # Opened before the apps are known, it shows each as it comes.
        made.closed.connect(self._registry.watch(renew))
        return made

    def show_run(self, session_id: str) -> None:
        """Show what a task did and does."""
        self._drawer.show()
        self._drawer.drawer.open_run(session_id)

    def toggle_drawer(self) -> None:
        """Show the latest run, or put the drawer away."""
        if self._drawer.isVisible():
            self._close_drawer()
        else:
            self._drawer.show()
            self._drawer.drawer.open_recent()
            focus_first(self._drawer)

    def toggle_inspector(self) -> None:
        """Look into the app in front, or stop looking."""
        surface = self._workspace.current
        if self._pages.currentWidget() is self._workspace and surface is not None:
            surface.toggle_inspector()

    def come_forward(self) -> None:
        """Be seen, wherever the window was."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()

    # What others tell the window.

    def await_apps(self, *, is_reading: bool) -> None:
        """Show on Home that the installed apps are being read, or what is known of them."""
        self._home.await_apps(is_reading=is_reading)

    def refresh_catalog(self) -> None:
        """Look at every source of apps anew."""
        self._home.refresh_catalog()

    @property
    def progress(self) -> ProgressLine:
        """The line that says what is still coming."""
        return self._progress

    @property
    def workspace(self) -> Workspace:
        """The open entries."""
        return self._workspace

    @property
    def drawer(self) -> "RunDrawer":
        """What a task did."""
        return self._drawer.drawer

    @property
    def notices(self) -> Notices:
        """What the shell has to say."""
        return self._notices

    def show_server(self, state: ServerState) -> None:
        """Say how the App Server is; silence means that it runs."""
        if isinstance(state, Down) and state.failure is not None and not state.may_pass:
            self.show_trouble("server", state.failure, state.last_lines, state.attempts)
        elif isinstance(state, Running):
            self._trouble.settle("server")
            for surface in self._workspace.surfaces:
                surface.recover()
        if self._trouble.title is None:
            self._notices.show_server(state, self._server.retry)
        if self._trouble.holds("server"):
            self._progress.done("server")  # "starting" under "cannot start" would be two truths
        else:
            self._progress.follow_server(state)
        self._welcome.follow_server(state)

    def show_trouble(
        self,
        source: Source,
        error: AppError,
        last_lines: tuple[str, ...] = (),
        attempts: int = 1,
    ) -> None:
        """Say that something which everything needs cannot start, why, and what a person can do."""
        self._trouble.put(source, Trouble(error, last_lines, attempts))

    def settle_trouble(self, source: Source) -> None:
        """It started after all."""
        self._trouble.settle(source)

    def show_toast(self, message: str, level: str) -> None:
        """Show a notice for a few seconds."""
        self._notices.toast(message, level)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt calls this
        """Take what nobody else wanted: Enter presses what has the keyboard, Escape leaves what is over the work."""
        is_left = event.key() == Qt.Key.Key_Escape and self._leave_what_is_over()
        if not is_left and not (is_enter(event) and press_focused()):
            super().keyPressEvent(event)

    def _leave_what_is_over(self) -> bool:
        """Close the drawer that has the keyboard, or else the welcome, the review or a notice; says whether there was one."""
        if has_keyboard(self._drawer):
            self._close_drawer()
            self._keyboard.take()
        elif self._pages.currentWidget() is self._welcome:
            self.end_welcome()
        else:
            is_review = self._pages.currentWidget() is self._flow
            return (is_review and self._flow.leave()) or self._notices.close_newest()
        return True

    # How it ends, and how it is found again.

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt calls this
        """Let apps know that nobody sees them while the window is put away, and that they are seen again."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.WindowStateChange:
            self._workspace.notify_visibility()
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
        if self.has_tray and self._choices.current.stays_in_tray:
            event.ignore()
            self.hide()
            return
        self.ask_to_leave()
        if self._has_left:
            super().closeEvent(event)
        else:
            event.ignore()

    def shut(self) -> None:
        """Let go of everything that is open."""
        self._drawer.shut()
        self._workspace.close_all()

    def ask_to_leave(self) -> None:
        """End unless the person would lose something and wants to keep it; no app can keep the window open."""
        surfaces = self._workspace.surfaces
        self._unsaved.go_on_if_saved(self, surfaces, "quit", self.leave)

    def leave(self) -> None:
        """End, tray or not."""
        self._has_left = True
        self._choices.flush()
        if reason := self._memory.end():
            # Nobody looks at the window any more; whoever started it from a terminal reads why.
            _log.warning("%s", self._look.texts("keep.failed", reason=reason))
        # A question whose window is gone would stand alone on the screen until the last process has ended.
        for dialog in self.findChildren(QDialog):
            dialog.close()
        self.shut()
        self._services.recent.close()
        self.hide()
        self.leaving.emit()

    def restore_place(self) -> None:
        """Stand where the window last stood."""
        self._memory.restore_place()

    def restore_entries(self) -> None:
        """Open again what was open, as far as it may still be opened."""
        self._reopening.begin(is_whole=self._registry.center is not None)

    def _turn_to_entry(self, entry: OpenEntry) -> None:
        """Bring what was in front there again, unless the person has gone somewhere meanwhile."""
        surface = self._workspace.open_at(entry.app_id, entry.entry_key)
        began_at = {self._workspace, *(() if self._wants_home else (self._home, self._product))}
        if surface is None or self._pages.currentWidget() not in began_at:
            return
        self._turn_to(self._workspace)
        self._workspace.turn_to(surface)

    def _connect_surface(self, app: RegisteredApp, surface: Surface) -> None:
        surface.toast.connect(self.show_toast)
        surface.said.connect(partial(self._notices.say, app.app_id))
        surface.problem.connect(self._notices.problem)
        surface.answering.connect(self._notices.settle_models)
        surface.session_turned.connect(self._memory.change)
        surface.undo_offered.connect(self._undoing.offer)
        surface.run_wanted.connect(self.show_run)
        surface.review_wanted.connect(self._decide_for_app)
        surface.details_wanted.connect(partial(self._show_details_for_app, app.app_id))
        surface.run_unwanted.connect(partial(self._close_run_of, surface))
        surface.questions_wanted.connect(self._approvals.open)
        surface.settings_wanted.connect(self.show_settings)
        surface.entry_wanted.connect(partial(self.open_entry, app.app_id))
        surface.look_up_wanted.connect(self.look_up)
        surface.retry_wanted.connect(self._server.retry)
        surface.stale.connect(partial(self._offer_reload, surface))
        surface.came_up.connect(self._notices.place)

    def _offer_reload(self, surface: Surface, is_stale: bool) -> None:  # noqa: FBT001 - Qt's signature
        app, page = self._registry.app(surface.app_id), surface.page
        reload = page.reload if is_stale and app is not None and page is not None else None
        title = app.title(self._look.texts.locale) if app is not None else ""
        name = f"stale {surface.app_id} {surface.entry_key}"
        self._notices.offer_reload(name, title, reload)

    def _ask_controls(self, answered: Callable[[Sequence[QRect]], object]) -> None:
        """Where the open page in front can be pressed; the window's own pages are known without asking."""
        surface = self._workspace.current
        if self._pages.currentWidget() is self._workspace and surface is not None:
            surface.ask_controls(answered)
        else:
            answered(())

    def _decide_for_app(self, review: InstallReview) -> None:
        """An app brings this up, where it knows the pointer to be: it takes no click that was meant for the page."""
        InputGuard(self._flow, is_for_once=True)
        self._flow.decide(review)

    def _show_details_for_app(self, app_id: str) -> None:
        InputGuard(self._app_page, is_for_once=True)
        self._app_page.show_app(app_id)
        self._turn_to(self._app_page)

    def _go_to(self, page: QWidget) -> None:
        """Show a page because the person wants it: the keyboard goes along, wherever it was."""
        self._turn_to(page)
        if not any(each.isVisible() for each in self.findChildren(Sheet)):
            self._keyboard.take(is_new=True)

    def _turn_to(self, page: QWidget) -> None:
        """Show a page; the keyboard goes along from the one before, and stays with whoever types elsewhere."""
        is_elsewhere = page is not self._pages.currentWidget() and has_keyboard(self._pages)
        self._pages.setCurrentWidget(page)
        self._show_strip()
        self._fill_rail()
        self._say_trouble()
        if is_elsewhere:
            # What had the keyboard is gone with its page; Qt would give it to anything.
            self._keyboard.take(is_new=True)
        # Once the page is laid out: its strong button may stand where the notices do.
        QTimer.singleShot(0, self._notices, self._notices.place)

    def _show_strip(self) -> None:
        """Show what is open above every page but the open entries themselves, which have their own tabs."""
        space = self._workspace
        is_away = self._pages.currentWidget() is not space
        if is_away:
            self._strip.show_tabs(space.faces(), space.current, is_tight=space.is_tight)
        self._strip.setVisible(is_away and bool(space.surfaces))

    def _note_work(self) -> None:
        """Keep in mind what the person works in, to go on with it from Home."""
        if self._has_left or self._reopening.is_under_way:
            return  # tabs come and go by themselves; the person turned to none of them
        surface = self._workspace.current
        if surface is not None and surface.is_seen:
            self._services.recent.note(surface.app_id, surface.entry_key)

    def _go_to_surface(self, surface: Surface) -> None:
        self._turn_to(self._workspace)
        self._workspace.turn_to(surface)

    def _follow_trouble(self) -> None:
        """Who is at home is shown what is wrong; who is at work is told that something is."""
        shown = self._pages.currentWidget()
        if self._trouble.title is None:
            if shown is self._trouble:
                self._turn_to(self._workspace if self._workspace.surfaces else self._first_page())
        elif shown in {self._home, self._welcome, self._product}:
            self._turn_to(self._trouble)
        self._say_trouble()

    def _say_trouble(self) -> None:
        title = self._trouble.title
        is_shown = self._pages.currentWidget() is self._trouble
        show = partial(self._go_to, self._trouble)
        self._notices.show_trouble(None if is_shown else title, show)

    def _show_installed(self, app_id: str) -> None:
        self._keep_welcomed()
        if self._alone is not None:
            self._go_to(self._first_page())
            self._awaited = app_id
            self._open_awaited()
            return
        self._app_page.show_app(app_id)
        self._turn_to(self._app_page)

    def _open_awaited(self) -> None:
        """Open what was just installed alone, as soon as it is read."""
        if self._awaited and self._registry.app(self._awaited) is not None:
            app_id, self._awaited = self._awaited, ""
            self.open_app(app_id)

    def end_welcome(self) -> None:
        """The person has been welcomed: from now on the apps are at home."""
        self._keep_welcomed()
        self.show_home()

    def _keep_welcomed(self) -> None:
        """Whoever has or opens an app has been welcomed: from now on the apps are what is at home."""
        if not self._choices.current.is_welcomed:
            self._choices.change(is_welcomed=True)

    def switch_keyboard(self) -> None:
        """Bring the keyboard to the next part of the window."""
        self._keyboard.switch()

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002, FBT001, N802 - Qt's signature
        """Walk on, as Tab wants it."""
        return self._keyboard.walk(partial(super().focusNextPrevChild, next), is_forwards=next)

    def close_tab(self) -> None:
        """Close the entry in front."""
        surface = self._workspace.current
        if self._pages.currentWidget() is self._workspace and surface is not None:
            self._workspace.close_by_hand(surface)

    def step_tab(self, by: int) -> None:
        """Turn to the next tab or the one before."""
        if self._workspace.surfaces:
            self._turn_to(self._workspace)
            self._workspace.step(by)

    def show_tab(self, at: int) -> None:
        """Turn to the tab with this number; -1 is the last."""
        if at < len(self._workspace.surfaces):
            self._turn_to(self._workspace)
            self._workspace.show_at(at)

    def reopen_tab(self) -> None:
        """Open again what was closed last, as far as it may still be opened."""
        self._opening.reopen_closed()

    def can_reopen(self) -> bool:
        """Whether a tab was closed."""
        return self._workspace.has_closed

    @property
    def page(self) -> PageCommands | None:
        """What can be done to the page in front, if an app's page is there."""
        surface = self._workspace.current
        is_shown = self._pages.currentWidget() is self._workspace and surface is not None
        return surface.page if is_shown and surface is not None else None

    def show_shortcuts(self) -> None:
        """List every key."""
        ShortcutsSheet(self._look.texts, self._shortcuts, self).come_up()

    def show_questions(self) -> None:
        """Show what waits for the person's word, or say that nothing does."""
        if self._services.approvals.queue.open:
            self._approvals.open()
        else:
            self._notices.hint(self._look.texts("approval.none"))

    def has_inspector(self) -> bool:
        """Whether this person may look into apps."""
        return self._choices.current.has_developer_tools

    def say_no_inspector(self) -> None:
        """Say where the inspector is enabled, to whoever pressed its key."""
        self._notices.hint(self._look.texts("inspector.off"), "developer")

    def _show_flow(self) -> None:
        shown = self._pages.currentWidget()
        if shown is not None and shown is not self._flow:
            self._before_flow = shown
        self._go_to(self._flow)

    def _leave_flow(self) -> None:
        """Go back to where the person came from, as far as that is still there."""
        there: list[QWidget] = [self._settings]
        if self._workspace.surfaces:
            there.append(self._workspace)
        if self._app_page.is_here:
            there.append(self._app_page)
        page = self._before_flow
        self._turn_to(page if page in there else self._first_page())
        self._keyboard.take()

    def close_app(self, app_id: str) -> None:
        """Shut every view of an app."""
        self._opening.close(app_id)

    def _connect(self) -> None:
        services, look = self._services, self._look
        self._flow.begun.connect(self._show_flow)
        self._flow.finished.connect(self._show_installed)
        self._flow.left.connect(self._leave_flow)
        self._flow.put_aside.connect(self._notices.offer_undo)
        self._home.catalog_read.connect(self._welcome.show_again)
        look.appearance.changed.connect(self._apply_theme)
        look.texts.changed.connect(self._retranslate)
        services.brand.changed.connect(self._apply_branding)
        look.appearance.pictures.drawn.connect(self._show_pictures)
        services.brand.changed.connect(self.refresh_catalog)
        self._registry.watch(self._fill_rail)
        self._registry.watch(self._open_awaited)
        self._registry.watch(self._show_workspace)
        self._workspace.changed.connect(self._fill_rail)
        self._workspace.changed.connect(self._show_strip)
        self._workspace.changed.connect(self._note_work)
        self._workspace.changed.connect(self._notices.place)
        self._strip.chosen.connect(self._go_to_surface)
        self._strip.closed.connect(self._workspace.close_by_hand)
        self._workspace.changed.connect(self._memory.change)
        self._memory.written.connect(self._notices.show_keeping)
        services.settings.written.connect(self._notices.show_keeping)
        services.unkept.watch(self._notices.show_unkept)
        self._workspace.emptied.connect(self._leave_workspace)
        self._drawer.closed.connect(self._close_drawer)
        self._drawer.settings_wanted.connect(self.show_settings)
        self._drawer.questions_wanted.connect(self._approvals.open)
        self._trouble.changed.connect(self._follow_trouble)
        self._approvals.left.connect(self._workspace.take_keyboard)
        self._notices.left.connect(self._keyboard.take)
        self._notices.put_away.connect(self._fill_rail)
        self.destroyed.connect(services.approvals.queue.watch(self._fill_rail))
        self.destroyed.connect(services.models.watch(self._follow_models))

    def _follow_models(self) -> None:
        """What was said of models that are not there holds no longer once there is one."""
        if self._services.models.summary(self._look.texts).status == "ready":
            self._notices.settle_models()

    def _show_workspace(self) -> None:
        center = self._registry.center
        current = None if center is None else center.workspaces.current
        self._notices.show_workspace(current, partial(self.show_settings, "workspace"))

    def _close_drawer(self) -> None:
        self._drawer.hide()
        for surface in self._workspace.surfaces:
            surface.forget_run()

    def _close_run_of(self, surface: Surface) -> None:
        """What an app had shown goes; what the person chose to look at meanwhile stays."""
        if self._drawer.session_id == surface.shown_run:
            self._close_drawer()

    def _leave_workspace(self) -> None:
        if self._pages.currentWidget() is self._workspace:
            self._go_to(self._first_page())

    def _build(self) -> None:
        self.resize(USUAL)
        self.setMinimumSize(640, 480)
        pages = (
            self._welcome,
            self._home,
            self._app_page,
            self._overlays,
            self._flow,
            self._settings,
            self._workspace,
            self._trouble,
            *(() if self._product is None else (self._product,)),
        )
        for page in pages:
            self._pages.addWidget(page)
        self._drawer.hide()
        middle = middle_of(self._strip, self._pages)
        self._notices.float_over(middle)
        self._notices.look_into_pages_by(self._ask_controls)
        self._progress.float_over(middle)
        self._progress.look_into_pages_by(self._ask_controls)
        self._notices.placed.connect(self._progress.place)
        panels = (middle, self._approvals, self._drawer)
        if self._alone is None:
            self.setCentralWidget(beside_each_other(self._rail, *panels))
        else:
            self.setCentralWidget(below_each_other(self._rail, beside_each_other(None, *panels)))

    def _make_product_page(self) -> ProductPage:
        links = ProductLinks(
            self.shipped_wanted.emit, self.open_app, self.show_details, self.show_settings
        )
        services = self._services
        product = services.folders.product
        return ProductPage(self._look, product, services.brand, self._registry, links)

    def show_damage(self, reason: str) -> None:
        """Say that what came with the product of one app is not what was shipped."""
        if self._product is not None:
            self._product.show_damage(reason)

    def _make_drawer(self) -> "RunDrawer":
        from lime_desktop.shell.run_drawer.drawer import RunDrawer  # noqa: PLC0415 - see `DrawerPlace`

        services = self._services
        return RunDrawer(
            self._look, services.folders, self._registry, self._server, self._notices.problem
        )

    def _make_rail_items(self) -> RailItems:
        window = RailWindow(
            self.show_home,
            self._approvals.open,
            self._notices.show_away,
            self.show_palette,
            self.toggle_drawer,
            self.show_settings,
            self._rail_facts,
            self._alone_on_rail(),
        )
        links = RailLinks(
            self.open_app,
            self._opening.open_beside,
            self.show_details,
            self.show_permissions,
            self._opening.reload,
            self._rail.move_by,
            self._flow.uninstall,
            self.take_off_list,
        )
        apps = RailApps(self._registry, self._choices, self._look.texts)
        return RailItems(self._look, apps, self._rail, self._workspace, window, links)

    def _alone_on_rail(self) -> AloneOnRail | None:
        alone = self._alone
        if alone is None:
            return None
        name, logo = self._services.folders.product.name, self._look.appearance.logo
        return AloneOnRail(name, logo, partial(self.show_details, alone.id))

    def _fill_rail(self) -> None:
        self._rail_items.refill()

    def _rail_facts(self) -> RailFacts:
        names: dict[QWidget | None, InFront] = {
            self._home: "home",
            self._settings: "settings",
            self._workspace: "entries",
        }
        if self._product is not None:
            names[self._product] = "home"
        shown = self._pages.currentWidget()
        questions = len(self._services.approvals.queue.open)
        return RailFacts(names.get(shown, "another"), self._notices.count_away, questions)

    def _apply_theme(self) -> None:
        theme = self._look.appearance.theme
        application = QApplication.instance()
        if isinstance(application, QApplication):
            sheet = self._look.appearance.style.sheet(theme)
            if sheet == application.styleSheet():
                return  # another choice: to dress every widget anew takes a tenth of a second
            application.setPalette(palette(theme))
            application.setStyleSheet(sheet)
        self._look.icons.follow(theme)

    def _show_pictures(self) -> None:
        """Paint again: icons that were letters have their picture now."""
        self.update()
        if self._services.brand.has_own_logo:
            self.setWindowIcon(self._look.appearance.logo())

    def _apply_branding(self) -> None:
        brand, own = self._services.brand.branding, self._services.folders.product
        is_vendors = own.is_branded and brand.organisation is None
        self.setWindowTitle(own.window_title if is_vendors else brand.product_name)
        self.setWindowIcon(self._look.appearance.logo())
        self._welcome.show_again()

    def _retranslate(self) -> None:
        texts = self._look.texts
        note = self._engine.sandbox_note(texts)
        self._notices.stand("sandbox", self._notices.note(note, "warning") if note else None)
        self._home.show_apps()
        self._app_page.show_again()
        self._show_strip()
        self._fill_rail()
        self._say_trouble()
