"""Which kind of entry is shown by what."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from lime_desktop.host.app_server_client.supervisor import AppServerSupervisor
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.projection.entries import ProjectedEntry
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.dialogs.questions import LinkQuestions
from lime_desktop.shell.surfaces.surface import Surface
from lime_desktop.shell.surfaces.waiting import WaitingSurface

MakeTab = Callable[[RegisteredApp, str], Surface]
"""Opens a view of an app's own bundle. Given from outside: the web engine is loaded only when the first is opened."""


@dataclass(frozen=True, slots=True)
class Surfaces:
    """Makes the surface of an entry."""

    look: Look
    links: LinkQuestions
    pasted: Path
    """Where pictures lie that were pasted into a conversation."""
    data: Path
    """Where the program keeps what it has: an export of a run is fetched from there."""
    server: AppServerSupervisor
    make_tab: MakeTab

    def make_waiting(self, app: RegisteredApp, entry_key: str) -> WaitingSurface:
        """What stands in an entry's place until it can be shown."""
        return WaitingSurface(self.look, app, entry_key)

    def make(self, app: RegisteredApp, entry: ProjectedEntry) -> Surface:
        """The surface for an entry's kind; whatever has a view of its own is shown in it."""
        match entry.declared.kind:
            # Each is loaded with the first entry of its kind: a window without one starts sooner.
            case "expert-chat":
                from lime_desktop.shell.surfaces.chat.surface import ChatSurface  # noqa: PLC0415

                return ChatSurface(self.look, self.links, self.pasted, self.server, app, entry.key)
            case "command" | "background-task" if entry.declared.workflow is not None:
                from lime_desktop.shell.surfaces.workflow import WorkflowSurface  # noqa: PLC0415

                return WorkflowSurface(self.look, self.server, self.data, app, entry.key)
            case "command" | "background-task":
                from lime_desktop.shell.surfaces.runs import RunsSurface  # noqa: PLC0415

                return RunsSurface(self.look, self.server, app, entry.key)
            case "artifact" if entry.route is None:
                from lime_desktop.shell.surfaces.artifacts import ArtifactsSurface  # noqa: PLC0415

                return ArtifactsSurface(self.look, self.server, app, entry.key)
            case "workflow":
                from lime_desktop.shell.surfaces.workflow import WorkflowSurface  # noqa: PLC0415

                return WorkflowSurface(self.look, self.server, self.data, app, entry.key)
            case _:
                return self.make_tab(app, entry.key)
