"""How entries of apps are opened: asked for by the person, found again at a start, or closed and wanted back.

What is not ready shows why; what is open already is turned to. Knows the tabs, and of the window only where it leads.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Protocol

from lime_desktop.host.app_server_client.supervisor import AppServerSupervisor
from lime_desktop.host.apps.declared_panels import declared_panel
from lime_desktop.host.apps.registry import AppRegistry, RegisteredApp
from lime_desktop.host.user_profile.settings import OpenEntry
from lime_desktop.host.view.shell_port import AppRoute
from lime_desktop.projection.entries import ProjectedEntry
from lime_desktop.protocol.runtime.sessions import AgentSession
from lime_desktop.shell.surfaces.surface import Surface
from lime_desktop.shell.surfaces.table import Surfaces
from lime_desktop.shell.window.entries.panel_place import USUAL_WIDTH, PanelWish
from lime_desktop.shell.window.entries.waiting_entries import WaitingEntries
from lime_desktop.shell.window.entries.workspace import Workspace


class EntryWindow(Protocol):
    """What opening an entry wants of the window around it."""

    def show_details(self, app_id: str) -> None:
        """Show one app in full."""
        ...

    def show_run(self, session_id: str) -> None:
        """Show what a task did and does."""
        ...

    def show_entries(self) -> None:
        """Bring the open entries to the front."""
        ...


Connect = Callable[[RegisteredApp, Surface], None]
"""Joins a new surface to the window: what it says, asks for and offers."""


class EntryOpening:
    """Opens entries in the tabs of the workspace."""

    def __init__(
        self,
        window: EntryWindow,
        registry: AppRegistry,
        server: AppServerSupervisor,
        workspace: Workspace,
        surfaces: Surfaces,
        connect: Connect,
    ) -> None:
        self._window = window
        self._registry = registry
        self._workspace = workspace
        self._surfaces = surfaces
        self._connect = connect
        self._waiting = WaitingEntries(
            registry, server, workspace, surfaces.make_waiting, self._make
        )

    def open_app(self, app_id: str) -> None:
        """Open an app at the entry it starts with; one that has none to open is shown in full."""
        first = self._first_entry(app_id)
        if first is not None:
            self.open(app_id, first)
        elif self._registry.app(app_id) is not None:
            self._window.show_details(app_id)

    def open_beside(self, app_id: str) -> None:
        """Open an app at the entry it starts with, beside what is open."""
        first = self._first_entry(app_id)
        if first is not None:
            self.open(app_id, first, beside=True)

    def open(self, app_id: str, entry_key: str, *, beside: bool = False) -> None:
        """Open an entry, or turn to it where it is open; one that is not ready shows why."""
        app = self._registry.app(app_id)
        if app is None or not self._waiting.may_open(app, entry_key):
            self._window.show_details(app_id)
            return
        self._window.show_entries()
        surface = self._workspace.open_at(app_id, entry_key)
        if surface is not None:
            self._workspace.turn_to(surface)
        else:
            must_wait = self._waiting.must_wait(app, entry_key)
            self._add(app, entry_key, beside=beside, must_wait=must_wait)

    def open_session(self, session: AgentSession) -> None:
        """Go on with a conversation where it is held; what is none is shown as a run."""
        about = session.business_object_ref
        if about is not None and about.kind == "entry":
            self.open(session.app_id, about.id)
            surface = self._workspace.open_at(session.app_id, about.id)
            if surface is not None and surface.open_session(session.session_id):
                return
        self._window.show_run(session.session_id)

    def open_workflow_run(self, app_id: str, entry_key: str, run_id: str) -> None:
        """Show a run on the page of its workflow."""
        self.open(app_id, entry_key)
        surface = self._workspace.open_at(app_id, entry_key)
        if surface is not None:
            surface.open_run(run_id)

    def open_route(self, app_id: str, route: AppRoute) -> None:
        """Open a page that an app made known, in the entry it belongs to."""
        self.open(app_id, route.entry_key)
        surface = self._workspace.open_at(app_id, route.entry_key)
        if surface is not None:
            surface.open_route(route.path)

    def open_again(self, entry: OpenEntry) -> None:
        """Put what was open at the last end back into its place, behind what is in front."""
        app = self._registry.app(entry.app_id)
        if app is not None and not self._workspace.open_at(entry.app_id, entry.entry_key):
            self._add(
                app,
                entry.entry_key,
                beside=entry.is_beside,
                in_front=False,
                must_wait=True,
                kept=entry,
            )
            self._resume(entry)

    def reopen_closed(self) -> None:
        """Open again what was closed last, as far as it may still be opened."""
        while (entry := self._workspace.take_closed()) is not None:
            app = self._registry.app(entry.app_id)
            if app is not None and app.can_open(entry.entry_key):
                self.open(entry.app_id, entry.entry_key, beside=entry.is_beside)
                self._resume(entry)
                return

    def reload(self, app_id: str) -> None:
        """Load every open page of an app anew."""
        for surface in self._workspace.surfaces:
            if surface.app_id == app_id and surface.page is not None:
                surface.page.reload()

    def close(self, app_id: str) -> None:
        """Shut every view of an app."""
        for surface in self._workspace.surfaces:
            if surface.app_id == app_id:
                self._workspace.close_surface(surface)

    def _resume(self, entry: OpenEntry) -> None:
        surface = self._workspace.open_at(entry.app_id, entry.entry_key)
        if surface is not None and entry.session_id is not None:
            surface.resume(entry.session_id)
        if surface is not None and entry.run_id is not None:
            surface.open_run(entry.run_id)

    def _first_entry(self, app_id: str) -> str | None:
        app = self._registry.app(app_id)
        return None if app is None else app.first_entry

    def _add(
        self,
        app: RegisteredApp,
        entry_key: str,
        *,
        beside: bool,
        in_front: bool = True,
        must_wait: bool = False,
        kept: OpenEntry | None = None,
    ) -> None:
        entry = app.projection.entry(entry_key)
        if entry is None:
            return
        if must_wait:
            surface: Surface | None = self._waiting.stand_in(app, entry_key)
            surface.details_wanted.connect(partial(self._window.show_details, app.app_id))
        else:
            surface = self._make(app, entry_key)
        if surface is None:
            return
        owner = self._owner_of(app, entry, kept) if entry.declared.kind == "panel" else None
        if owner is None:
            self._workspace.add(surface, beside=beside, in_front=in_front)
        else:
            wish = _wish_of(app, entry, kept)
            self._workspace.embed(surface, owner, wish, in_front=in_front)

    def _owner_of(
        self, app: RegisteredApp, panel: ProjectedEntry, kept: OpenEntry | None
    ) -> Surface | None:
        """What a panel belongs to: what it stood beside, the entry of its app in front, any other, or the first page.

        An app of panels alone has nothing to stand beside: its panel has a tab of its own.
        """
        opened = [each for each in self._workspace.tabs if each.app_id == app.app_id]
        if kept is not None and kept.panel_of is not None:
            before = next((each for each in opened if each.entry_key == kept.panel_of), None)
            if before is not None:
                return before
        if opened:
            current = self._workspace.current_tab
            return current if current in opened else opened[0]
        page = next(
            (key for key in _pages_for(app, panel) if self._waiting.may_open(app, key)), None
        )
        if page is None:
            return None
        must_wait = kept is not None or self._waiting.must_wait(app, page)
        self._add(app, page, beside=False, in_front=kept is None, must_wait=must_wait)
        return self._workspace.open_at(app.app_id, page)

    def _make(self, app: RegisteredApp, entry_key: str) -> Surface | None:
        entry = app.projection.entry(entry_key)
        if entry is None:
            return None
        surface = self._surfaces.make(app, entry)
        self._connect(app, surface)
        return surface


def _pages_for(app: RegisteredApp, panel: ProjectedEntry) -> Iterator[str]:
    """The pages of an app that a panel could be shown with, where none is open: first the one that the app begins with."""
    for key in (app.first_entry, *(each.key for each in app.projection.entries)):
        found = None if key is None or key == panel.key else app.projection.entry(key)
        if found is not None and found.declared.kind == "page":
            yield found.key


def _wish_of(app: RegisteredApp, panel: ProjectedEntry, kept: OpenEntry | None) -> PanelWish:
    """As wide as the person had it, else as the app declares it."""
    declared = declared_panel(app.package.manifest, panel.declared)
    width = None if kept is None else kept.panel_width
    return PanelWish(declared.side, width or declared.width or USUAL_WIDTH)
