"""One open entry of one app: its view, and above it the host's own line that no page can reach.

The line names the app and how it stands. When the page's process ends or the app never says that it is ready, the
host's words take the view's place; the app is loaded again by hand, or by itself a few times.
"""

import uuid
from collections.abc import Callable, Sequence

from PySide6.QtCore import QRect, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from lime_desktop.developer.inspection.exchanges import Exchanges
from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.bridge.session import BridgeSession
from lime_desktop.host.bridge.timeline import Decisions
from lime_desktop.host.capabilities.handler import LocaleContext
from lime_desktop.host.requests.view_bridge import ViewBridge, ViewParts
from lime_desktop.host.view.shell_port import (
    AppRoute,
)
from lime_desktop.host.view.shown_artifact import ShownArtifact
from lime_desktop.host.view.unanswered_calls import UnansweredCalls
from lime_desktop.protocol.plain_text import plain_line
from lime_desktop.shell.app_view.page_questions import ask_controls
from lime_desktop.shell.app_view.page_tools import PageTools
from lime_desktop.shell.app_view.profile import AppProfiles
from lime_desktop.shell.app_view.view import AppView
from lime_desktop.shell.app_view.watched_view import WatchedView
from lime_desktop.shell.dialogs.questions import LinkQuestions
from lime_desktop.shell.inspector.inspected import InspectedView
from lime_desktop.shell.inspector.panel import InspectorPanel
from lime_desktop.shell.inspector.simulated_view import SimulatedView
from lime_desktop.shell.layouts.edges import edge_to_edge
from lime_desktop.shell.surfaces.identity_bar import IdentityBar
from lime_desktop.shell.surfaces.missing_permissions import MissingLinks, MissingPermissions
from lime_desktop.shell.surfaces.surface import Surface
from lime_desktop.shell.surfaces.unsaved_question import UnsavedQuestions
from lime_desktop.shell.widgets.focus import has_keyboard
from lime_desktop.shell.widgets.parts import button
from lime_desktop.shell.window.app_tab.artifact_switch import ArtifactSwitch
from lime_desktop.shell.window.app_tab.inspector_place import InspectorPlace
from lime_desktop.shell.window.app_tab.page_facts import PageFacts
from lime_desktop.shell.window.app_tab.page_printing import PagePrinting
from lime_desktop.shell.window.app_tab.page_view import make_view
from lime_desktop.shell.window.app_tab.port import TabPort
from lime_desktop.shell.window.app_tab.sandbox_question import SandboxQuestion
from lime_desktop.shell.window.services import TabServices

_CATCHING_UP_MS = 3_000
"""How long a page may take to ask again by itself for what it was refused; our SDK takes a quarter of a second."""


class AppTab(Surface):
    """An app at one of its entries."""

    reloading = Signal()
    """The page is about to be loaded anew."""

    _artifact: ArtifactSwitch | None = None
    """What it was opened to show, where it is a viewer of one artifact."""

    def __init__(
        self,
        services: TabServices,
        app: RegisteredApp,
        entry_key: str,
        call_server: CallServer,
        profiles: AppProfiles,
    ) -> None:
        super().__init__(app.app_id, entry_key)
        look, registry = services.look, services.registry
        self._services = services
        self._texts = look.texts
        self._appearance = look.appearance
        self._unsaved = UnsavedQuestions(look.texts, registry)
        self._now = PageFacts(services, app.app_id, entry_key)
        self._view = make_view(services, app, entry_key, profiles)
        self._unanswered = UnansweredCalls(call_server, self._wait_for_server, self._end_stale)
        self._is_unanswered = False
        self._catching_up = QTimer(self, interval=_CATCHING_UP_MS, singleShot=True)
        self._catching_up.timeout.connect(self._notify_stale)
        self.simulated = SimulatedView(look, self._view)
        """What is only acted for this view, for whoever tests the app."""
        links = LinkQuestions(look.texts, services.settings, registry)
        self.port = TabPort(self, self._view, look.texts, links, self._now.title)
        """What the app may ask of its window."""
        self._bridge = self._open_bridge()
        self._session = self._bridge.session
        self._place = WatchedView(self._view, look.texts, self._now.title)
        self._sandbox = SandboxQuestion(
            services.sandbox, look.texts, self._now.title, self._view, self._place, self.reload
        )
        self._printing = PagePrinting(self, self._view, look.texts, self.port, self._now.title)
        self._tools = PageTools(
            self._view,
            look,
            services.settings,
            app.app_id,
            self._reload_by_hand,
            self._printing.start,
        )
        self._tools.look_up = self.look_up_wanted.emit
        self._tools.open_link = self.port.offer_link
        self._tools.inspect = self.toggle_inspector
        self._layout = edge_to_edge(QVBoxLayout(self), 0)
        self._split = QSplitter(Qt.Orientation.Vertical)
        self._inspector = InspectorPlace(self._split, self._inspected)
        self._build(app)
        self._connect()
        self._unwatch_models = services.models.watch(self._session.push_snapshot)
        services.opened_tabs.opened.emit(self)
        self.reload()

    def _build(self, app: RegisteredApp) -> None:
        self._identity = self._bar(app)
        self._layout.addWidget(self._identity)
        self._layout.addWidget(self.simulated.notice)
        missing = MissingPermissions(
            self._texts,
            self._services.registry,
            app.app_id,
            self._entry_key,
            MissingLinks(self.details_wanted.emit, self.installed_wanted.emit),
        )
        missing.settled.connect(self._recover_allowed)
        self._layout.addWidget(missing)
        self._split.setChildrenCollapsible(False)
        self._split.addWidget(self._place)
        self._layout.addWidget(self._split, 1)
        self.setFocusProxy(self._view.web_view)

    def _connect(self) -> None:
        self._view.print_wanted.connect(self._printing.start_for_app)
        self._view.came_up.connect(self.came_up)
        self._place.reloading.connect(self._begin_anew)
        self._place.reloading.connect(self.reloading)
        self._place.restarted.connect(self._on_restart)
        self._view.receive_by(self._receive)
        self._view.oversized.connect(self._session.refuse_oversized)
        self._view.flooded.connect(self._session.note_flood)
        self.simulated.changed.connect(self._follow_simulation)
        self._appearance.changed.connect(self._session.push_theme)
        self._appearance.changed.connect(self._follow_look)
        self._texts.changed.connect(self._session.push_snapshot)

    @property
    def page(self) -> PageTools:
        """What a person can do to the page."""
        return self._tools

    def ask_unsaved(self, answered: Callable[[bool], object]) -> None:
        """Let the page say whether something would be lost."""
        self._tools.ask_unsaved(answered)

    def ask_controls(self, answered: Callable[[Sequence[QRect]], object]) -> None:
        """Let the page say where its controls stand."""
        ask_controls(self._view.web_view, answered)

    @property
    def routes(self) -> tuple[AppRoute, ...]:
        """The pages that the app made known since it was loaded."""
        return self.port.routes

    @property
    def is_up(self) -> bool:
        """Whether the page has said that it is ready."""
        return self._session.is_ready

    @property
    def session(self) -> BridgeSession:
        """The conversation with the page."""
        return self._session

    @property
    def decisions(self) -> Decisions:
        """What policy says of the page's calls, for the inspector."""
        return self._bridge.decisions

    @property
    def view(self) -> AppView:
        """The page's view, for whoever works on the app."""
        return self._view

    def app(self) -> RegisteredApp:
        """The app as it stands now."""
        return self._now.app()

    def place(self) -> LocaleContext:
        """What the snapshot would say of the place now."""
        return self._now.place()

    def put_below(self, widget: QWidget) -> None:
        """Give whoever works on the app a place below its page."""
        self._layout.addWidget(widget)

    def expect_page(self) -> None:
        """The page loads itself anew: what it had asked is void."""
        self._place.expect_page()

    def renew(self) -> None:
        """Go by the app as it is registered now; the page stays until it is loaded anew."""
        self._bridge.renew()

    def reload(self) -> None:
        """Load the app anew, unless the person has to agree to something first."""
        if self._sandbox.is_open:
            self._sandbox.ask()
        else:
            self._place.load_by_hand()

    def recover(self) -> None:
        """Let a page that was refused something for want of an App Server begin again, or go on where it was used.

        Nothing is lost by loading a page that nobody has touched. In one that somebody typed into, what only reads is
        asked again by the SDK; where the page has another client, the person is told that loading it anew helps.
        """
        if self._is_unanswered:
            self._is_unanswered = False
            if self._view.input.was_used:
                self._place.show_page()
                self._catching_up.start()
            else:
                self.reload()

    def _recover_allowed(self) -> None:
        """Let a page begin again that lacked a permission; one that somebody typed into goes on by itself."""
        if not self._view.input.was_used:
            self.reload()

    def _wait_for_server(self) -> None:
        """Say one calm word in the place of a page that would show an error which is false in a moment."""
        if not self._is_unanswered and not self._view.input.was_used:
            texts, app = self._texts, self._now.title()
            retry = button(texts("trouble.retry"), self.retry_wanted.emit, "primary")
            title, words = texts("waiting.late.title", app=app), texts("waiting.late.text", app=app)
            self._place.refuse(title, words, retry)
        self._is_unanswered = True
        self._catching_up.stop()

    def _notify_stale(self) -> None:
        if self._unanswered.are_left:
            self.stale.emit(True)  # noqa: FBT003 - it says what it is

    def _end_stale(self) -> None:
        self._catching_up.stop()
        self.stale.emit(False)  # noqa: FBT003 - it says what it is

    def set_visible(self, *, visible: bool) -> None:
        """Tell the app whether it can be seen."""
        self._place.set_seen(is_seen=visible)
        self._session.push_visibility(visible=visible)

    @property
    def inspector(self) -> InspectorPanel | None:
        """The inspector, while it is open."""
        return self._inspector.panel

    def toggle_inspector(self) -> None:
        """Open the inspector below the page, or put it away."""
        self._inspector.toggle()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt calls this
        """Put the inspector away by Escape, where the person is in it."""
        panel = self._inspector.panel
        if event.key() == Qt.Key.Key_Escape and panel is not None and has_keyboard(panel):
            self._inspector.close()
            self._view.web_view.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            super().keyPressEvent(event)

    def shut(self) -> None:
        """End the conversation and let go of the page."""
        self._unwatch_models()
        self._end_stale()
        self._inspector.close()
        self._bridge.close()
        self._place.shut()

    def open_route(self, route: str) -> None:
        """Bring the view to another route of the app."""
        self._view.open_route(route)

    @property
    def is_entry(self) -> bool:
        """A viewer of one artifact is not the entry whose rights it has."""
        return self._artifact is None

    @property
    def title(self) -> str:
        """The artifact's own, where it shows one."""
        return "" if self._artifact is None else plain_line(self._artifact.artifact.title)

    def view_artifact(self, artifact: ShownArtifact, address: str) -> None:
        """Show one artifact at this page, and see no other; the person can have the host's view of it instead."""
        self._artifact = ArtifactSwitch(
            self._services.look, artifact, self._now.title, self._place, self._split, self._identity
        )
        self._bridge.renew()
        self._view.open_route(address)

    @property
    def shown_run(self) -> str | None:
        """The run that the app had shown, and the person has not put away."""
        return self.port.shown_run

    def forget_run(self) -> None:
        """The drawer is gone, whoever put it away."""
        self.port.shown_run = None

    def _open_bridge(self) -> ViewBridge:
        parts = ViewParts(
            app=self._now.app,
            entry_key=self._entry_key,
            snapshot=self._now.snapshot,
            locale_context=self._now.place,
            facts=self._now.facts,
            call=self._unanswered.call,
            shell=self.port,
            approvals=self._services.approvals.calls,
            view_id=uuid.uuid4().hex,
            topics=self._services.topics,
            storage_changes=self._services.storage_changes,
            webhook_arrivals=self._services.webhook_arrivals,
            run_changes=self._services.run_changes,
            opened_files=self._services.opened_files,
            bodies=self._view.bodies,
            post=self._view.post,
            center=lambda: self._services.registry.center,
            branding=lambda: self._services.brand.branding,
            advice=lambda code: self._services.look.texts.find_own(f"error.action.{code}"),
            absent=self.simulated.absent,
            only_artifact=self._only_artifact,
        )
        return ViewBridge(parts)

    def _only_artifact(self) -> str | None:
        return None if self._artifact is None else self._artifact.artifact.artifact_id

    def _inspected(self) -> InspectedView:
        return InspectedView(
            look=self._services.look,
            resources=self._services.resources,
            registry=self._services.registry,
            view=self._view,
            session=self._session,
            exchanges=Exchanges(self._session.timeline, self.decisions),
            app=self._now.app,
            snapshot=self._now.snapshot,
            facts=self._now.facts,
            call=self._unanswered.call,
            simulated=self.simulated,
            trouble=self._place.trouble,
        )

    def _follow_simulation(self) -> None:
        """Let what is acted stand between the page and what it goes by; nothing, where nothing is."""
        acted = self.simulated if self.simulated.is_acting else None
        self._now.acted = acted
        self._unanswered.ask_through(None if acted is None else acted.server)
        self._bridge.renew()
        self._session.push_theme()

    def _begin_anew(self) -> None:
        self._is_unanswered = False
        self._unanswered.forget()
        self._end_stale()
        self.port.forget_routes()
        self._bridge.restart()
        self._view.show_ground(self._appearance.theme.tokens["--lime-bg"])

    def _follow_look(self) -> None:
        self._view.follow_ground(self._appearance.theme.tokens["--lime-bg"])

    def _receive(self, text: str) -> None:
        was_ready = self._session.is_ready
        self._session.receive(text)
        if self._session.is_ready and not was_ready:
            self._place.notify_ready()
            self._services.opened_tabs.ready.emit(self.app_id)
            self._view.end_ground()
            if not self.is_seen:
                self._session.push_visibility(visible=False)
            self._sandbox.check_process()
            if self._now.acted is not None:
                self._now.acted.notify_ready()

    def _on_restart(self) -> None:
        self.toast.emit(self._texts("tab.restarted", app=self._now.title()), "warning")

    def _reload_by_hand(self) -> None:
        self._unsaved.go_on_if_saved(self, [self], "reload", self.reload)

    def _bar(self, app: RegisteredApp) -> IdentityBar:
        bar = IdentityBar(self._services.look, app, self._entry_key)
        bar.offer("tab.reload", "reload", self._reload_by_hand)
        return bar
