"""Makes the parts of the window in the order in which they need each other, and connects them once."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QMainWindow, QWidget

from lime_desktop.host.app_server_client.supervisor import AppServerSupervisor
from lime_desktop.host.view.shown_artifact import ShownArtifact
from lime_desktop.shell.appearance.window_appearance import WindowAppearance
from lime_desktop.shell.approvals.panel import ApprovalsPanel
from lime_desktop.shell.command_palette.offers import Offer, PaletteLinks, list_offers
from lime_desktop.shell.command_palette.opening import PaletteOpening
from lime_desktop.shell.dialogs.questions import LinkQuestions
from lime_desktop.shell.notices.notices import Notices
from lime_desktop.shell.notices.progress_line import ProgressLine
from lime_desktop.shell.notices.undo import Undoing
from lime_desktop.shell.pages.product_page import ProductLinks
from lime_desktop.shell.settings.section import EngineFacts
from lime_desktop.shell.settings.table import sections_of
from lime_desktop.shell.surfaces.surface import Surface
from lime_desktop.shell.surfaces.table import MakeTab, Surfaces
from lime_desktop.shell.widgets.shortcuts import add_shortcuts
from lime_desktop.shell.window.commands import list_shortcuts
from lime_desktop.shell.window.entries.artifact_opening import ArtifactOpening
from lime_desktop.shell.window.entries.entry_opening import EntryOpening
from lime_desktop.shell.window.entries.tab_strip import TabStrip
from lime_desktop.shell.window.entries.workspace import Workspace
from lime_desktop.shell.window.flow_navigation import FlowNavigation
from lime_desktop.shell.window.keyboard import WindowKeyboard, WindowParts
from lime_desktop.shell.window.layout import DrawerPlace, middle_of, whole_window
from lime_desktop.shell.window.memory import WindowMemory
from lime_desktop.shell.window.navigation import WindowActions
from lime_desktop.shell.window.notice_sources import NoticeSources
from lime_desktop.shell.window.page_stack import PageStack
from lime_desktop.shell.window.pages import make_pages
from lime_desktop.shell.window.plan import make_plan
from lime_desktop.shell.window.rail.items import (
    InFront,
    RailApps,
    RailFacts,
    RailItems,
    RailLinks,
    RailWindow,
)
from lime_desktop.shell.window.rail.rail import Rail
from lime_desktop.shell.window.services import WindowServices
from lime_desktop.shell.window.start_trouble import StartTrouble
from lime_desktop.shell.window.surface_links import SurfaceConnections, SurfaceLinks
from lime_desktop.shell.window.tabs import TabCommands

if TYPE_CHECKING:
    from lime_desktop.shell.run_drawer.drawer import RunDrawer


class WindowAssembly(QObject):
    """Every part of one window. Where a part leads, it asks the window for; no part holds another it does not use."""

    def __init__(
        self,
        frame: QMainWindow,
        window: WindowActions,
        services: WindowServices,
        server: AppServerSupervisor,
        make_tab: MakeTab,
        engine: EngineFacts,
    ) -> None:
        super().__init__(frame)
        look, registry = services.look, services.registry
        self._frame = frame
        self._window = window
        self._services = services
        self._server = server
        self.notices = Notices(look, services.folders, registry)
        self.notices.settings_wanted.connect(window.show_settings)
        self.progress = ProgressLine(look.texts)
        self.workspace = Workspace(look, registry)
        self._strip = TabStrip(look)
        self.pages = PageStack(self.workspace, self._strip)
        self.memory = WindowMemory(services.folders.settings_file, frame, self.workspace.entries)
        self.drawer = DrawerPlace(self._make_drawer)
        self.approvals = ApprovalsPanel(look, registry, services.approvals, self.notices.stand)
        self.made = make_pages(window, frame, services, server, engine, self.notices)
        links = ProductLinks(
            window.review_shipped, window.open_app, window.show_details, window.show_settings
        )
        self.plan = make_plan(services, self.made, self.pages, links)
        self.rail = Rail(look.icons, look.texts("rail.name"), is_across=self.plan.is_rail_across)
        self.keyboard = self._make_keyboard()
        self.flow = FlowNavigation(self.made, self.pages, self.plan, self.keyboard)
        self.trouble = StartTrouble(
            self.made.trouble,
            self.pages,
            self.plan,
            self.notices,
            self.progress,
            server.retry,
        )
        self.opening = self._make_opening(make_tab)
        self.tabs = TabCommands(
            self.pages, self.opening, services.settings, self.notices, look.texts
        )
        self.rail_items = self._make_rail_items()
        self._build()
        self.shortcuts = [
            each
            for each in list_shortcuts(window, self.tabs, self.keyboard)
            if self.plan.has_command(each.key)
        ]
        add_shortcuts(frame, self.shortcuts)
        self.palette = self._make_palette()
        self.appearance = WindowAppearance(frame, look, services.brand, services.folders.product)
        self.notice_sources = NoticeSources(
            frame, window, services, engine, self.notices, self.memory
        )
        self._connect()

    def show_first(self) -> None:
        """Show the window's first page, in the theme and the language of now."""
        self.appearance.apply_theme()
        self.appearance.apply_branding()
        self.made.welcome.show_again()
        self._retranslate()
        self.pages.go_to(self.plan.first_page())

    def _build(self) -> None:
        made = self.made
        pages: tuple[QWidget, ...] = (
            made.welcome,
            made.home,
            made.app,
            made.overlays,
            made.flow,
            made.settings,
            self.workspace,
            made.trouble,
            self.plan.home,
        )
        for page in dict.fromkeys(pages):
            self.pages.addWidget(page)
        self.drawer.hide()
        middle = middle_of(self._strip, self.pages)
        self.notices.float_over(middle)
        self.notices.look_into_pages_by(self.pages.ask_controls)
        self.progress.float_over(middle)
        self.progress.look_into_pages_by(self.pages.ask_controls)
        self.notices.placed.connect(self.progress.place)
        whole = whole_window(
            self.rail,
            middle,
            self.approvals,
            self.drawer,
            is_rail_across=self.plan.is_rail_across,
        )
        self._frame.setCentralWidget(whole)

    def _connect(self) -> None:
        services, made, space = self._services, self.made, self.workspace
        made.flow.put_aside.connect(self.notices.offer_undo)
        made.home.catalog_read.connect(made.welcome.show_again)
        services.brand.changed.connect(made.welcome.show_again)
        services.brand.changed.connect(made.home.refresh_catalog)
        self.pages.turned.connect(self._fill_rail)
        self.pages.turned.connect(self.trouble.say)
        self.pages.turned.connect(self._place_notices_soon)
        self.pages.keyboard_wanted.connect(self._take_keyboard)
        space.changed.connect(self._fill_rail)
        space.changed.connect(self.pages.show_strip)
        space.changed.connect(self.notices.place)
        space.changed.connect(self.memory.change)
        space.emptied.connect(self._leave_workspace)
        self.drawer.closed.connect(self.tabs.forget_runs)
        self.drawer.settings_wanted.connect(self._window.show_settings)
        self.drawer.questions_wanted.connect(self._window.show_questions)
        self.approvals.left.connect(space.take_keyboard)
        self.notices.left.connect(self.keyboard.take)
        self.notices.put_away.connect(self._fill_rail)
        self._frame.destroyed.connect(services.approvals.queue.watch(self._fill_rail))
        services.registry.watch(self._fill_rail)
        services.look.texts.changed.connect(self._retranslate)

    def _retranslate(self) -> None:
        self.notice_sources.show_sandbox()
        self.made.home.show_apps()
        self.made.app.show_again()
        self.pages.show_strip()
        self._fill_rail()
        self.trouble.say()

    def _fill_rail(self) -> None:
        self.rail_items.refill()

    def _take_keyboard(self) -> None:
        self.keyboard.take(is_new=True)

    def _place_notices_soon(self) -> None:
        # Once the page is laid out: its strong button may stand where the notices do.
        QTimer.singleShot(0, self.notices, self.notices.place)

    def _leave_workspace(self) -> None:
        if self.pages.shows(self.workspace):
            self.pages.go_to(self.plan.first_page())

    def _rail_facts(self) -> RailFacts:
        names: dict[QWidget | None, InFront] = {
            self.plan.home: "home",
            self.made.settings: "settings",
            self.workspace: "entries",
        }
        shown = names.get(self.pages.currentWidget(), "another")
        questions = self._services.approvals.queue.waiting
        return RailFacts(shown, self.notices.count_away, questions)

    def _make_drawer(self) -> "RunDrawer":
        from lime_desktop.shell.run_drawer.drawer import RunDrawer  # noqa: PLC0415 - see `DrawerPlace`

        services = self._services
        return RunDrawer(
            services.look,
            services.folders,
            services.registry,
            self._server,
            self.notices.problem,
            services.approvals.calls.follow_run,
        )

    def _make_keyboard(self) -> WindowKeyboard:
        parts = WindowParts(
            self.rail,
            self._strip,
            self.pages,
            self.workspace,
            self.notices,
            self.approvals,
            self.drawer,
        )
        return WindowKeyboard(self._frame, parts)

    def _make_opening(self, make_tab: MakeTab) -> EntryOpening:
        services, window, server = self._services, self._window, self._server
        look, registry = services.look, services.registry

        def show_artifact(beside: Surface, artifact: ShownArtifact) -> None:
            showing.show(beside, artifact)

        links = SurfaceLinks(
            window.open_entry,
            window.show_run,
            self.drawer.close_run,
            window.show_questions,
            window.show_settings,
            window.look_up,
            server.retry,
            self.flow.decide_for_app,
            self.flow.show_details_for_app,
            window.take_off_list,
            show_artifact,
            self.memory.change,
        )
        undoing = Undoing(self._frame, self.notices, look.texts)
        connections = SurfaceConnections(registry, look.texts, self.notices, undoing, links)
        showing = ArtifactOpening(
            look,
            registry,
            self.workspace,
            make_tab,
            connections.connect,
            window.show_entries,
        )
        self.drawer.artifact_wanted.connect(partial(showing.show_of_run, self.drawer))
        questions = LinkQuestions(look.texts, services.settings, registry)
        data = services.folders.data
        surfaces = Surfaces(look, questions, data / "pasted", data, server, make_tab)
        return EntryOpening(window, registry, server, self.workspace, surfaces, connections.connect)

    def _make_rail_items(self) -> RailItems:
        window, services = self._window, self._services
        own = RailWindow(
            window.show_home,
            self.approvals.open,
            self.notices.show_away,
            window.show_palette,
            window.toggle_drawer,
            window.show_settings,
            self._rail_facts,
            self.plan.rail_items,
        )
        links = RailLinks(
            window.open_app,
            self.opening.open_beside,
            window.show_details,
            window.show_permissions,
            self.opening.reload,
            self.rail.move_by,
            self.made.flow.uninstall,
            window.take_off_list,
        )
        apps = RailApps(services.registry, services.settings, services.look.texts)
        return RailItems(services.look, apps, self.rail, self.workspace, own, links)

    def _make_palette(self) -> PaletteOpening:
        window, services = self._window, self._services
        links = PaletteLinks(
            window.open_entry,
            self.opening.open_route,
            window.show_details,
            window.show_settings,
            self.made.flow.install_offer,
            sections_of(services.folders.product),
        )

        def offers() -> list[Offer]:
            return list_offers(
                services.look,
                services.settings,
                services.registry,
                self.shortcuts,
                self.workspace.surfaces,
                links,
            )

        return PaletteOpening(self._frame, services.look, services.registry, offers)
