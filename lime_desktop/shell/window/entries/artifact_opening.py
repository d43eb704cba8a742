"""How a deliverable of an app is shown: by the app's own viewer beside what it was opened from, else by the host's."""

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from lime_desktop.host.apps.artifact_viewers import OwnViewer, own_viewer
from lime_desktop.host.apps.registry import AppRegistry, RegisteredApp
from lime_desktop.host.view.shown_artifact import ShownArtifact
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.surfaces.artifact_viewer import ArtifactViewer
from lime_desktop.shell.surfaces.surface import Surface
from lime_desktop.shell.surfaces.table import MakeTab
from lime_desktop.shell.window.entries.panel_place import PanelWish
from lime_desktop.shell.window.entries.workspace import Workspace

_WIDTH = 460


class ArtifactOpening:
    """Opens viewers in the tabs of the workspace."""

    def __init__(
        self,
        look: Look,
        registry: AppRegistry,
        workspace: Workspace,
        make_tab: MakeTab,
        connect: Callable[[RegisteredApp, Surface], None],
        show_entries: Callable[[], None],
    ) -> None:
        self._look = look
        self._registry = registry
        self._workspace = workspace
        self._make_tab = make_tab
        self._connect = connect
        self._show_entries = show_entries

    def show_of_run(self, around: QWidget, app_id: str, artifact: ShownArtifact) -> None:
        """Show what a run made: beside an open entry of its app, else in a window of the host's own over `around`."""
        current = self._workspace.current_tab
        tabs = (each for each in (current, *self._workspace.tabs) if each is not None)
        beside = next((each for each in tabs if each.app_id == app_id), None)
        if beside is None or not self._is_shown_beside(beside, artifact):
            self._show_plainly(app_id, artifact, around)
        else:
            self._show_entries()

    def show(self, beside: Surface, artifact: ShownArtifact) -> None:
        """Show an artifact of the app that a surface belongs to."""
        if not self._is_shown_beside(beside, artifact):
            self._show_plainly(beside.app_id, artifact, beside)

    def _show_plainly(self, app_id: str, artifact: ShownArtifact, over: QWidget) -> None:
        app, texts = self._registry.app(app_id), self._look.texts
        title = app_id if app is None else app.title(texts.locale)
        ArtifactViewer(texts, title, artifact, over).open()

    def _is_shown_beside(self, beside: Surface, artifact: ShownArtifact) -> bool:
        """Open the app's viewer, and say whether there is one that can be opened there."""
        app = self._registry.app(beside.app_id)
        viewer = None if app is None else own_viewer(app, artifact.kind)
        if app is None or viewer is None or not self._can_stand(app, viewer, beside):
            return False
        for each in self._workspace.surfaces:
            # One at a time beside an entry; what somebody wrote into the one before is asked about.
            if not each.is_entry and self._workspace.tab_of(each) is self._workspace.tab_of(beside):
                self._workspace.close_by_hand(each)
        self._open(app, viewer, beside, artifact)
        return True

    def _can_stand(self, app: RegisteredApp, viewer: OwnViewer, beside: Surface) -> bool:
        return app.can_open(viewer.entry_key) and beside in self._workspace.surfaces

    def _open(
        self, app: RegisteredApp, viewer: OwnViewer, beside: Surface, artifact: ShownArtifact
    ) -> None:
        made = self._make_tab(app, viewer.entry_key)
        # Before the page is there to ask for anything: it never sees another artifact.
        made.view_artifact(artifact, viewer.address_of(artifact.artifact_id))
        self._connect(app, made)
        self._workspace.embed(made, beside, PanelWish(width=_WIDTH))
