"""What the window knows of an open entry, whatever its kind. Imports nothing of the web engine, which is loaded late."""

from collections.abc import Callable, Sequence
from typing import Protocol

from PySide6.QtCore import QRect, Signal
from PySide6.QtWidgets import QWidget

from lime_desktop.host.view.shell_port import AppRoute
from lime_desktop.host.view.shown_artifact import ShownArtifact

_SIGNS = {
    "page": "page",
    "panel": "panel",
    "settings": "settings",
    "artifact": "document",
    "command": "command",
    "expert-chat": "chat",
    "workflow": "workflow",
    "background-task": "clock",
}


class PageCommands(Protocol):
    """What a person can do to an app's page, by the window's keys, the palette and its menu."""

    def go(self, by: int) -> None:
        """Go back (-1) or forward (1) in the app's own history."""
        ...

    def reload(self) -> None:
        """Load the app anew; asks first where something would be lost."""
        ...

    def find(self) -> None:
        """Look for words in the page."""
        ...

    def find_again(self, by: int) -> None:
        """Go to the next (1) or the previous (-1) place."""
        ...

    def zoom_by(self, steps: int) -> None:
        """Show the page larger or smaller; with nothing, at its own size."""
        ...

    def print_page(self) -> None:
        """Let the person print the page, or keep it as a PDF."""
        ...


class Surface(QWidget):
    """One open entry of one app. What it needs of the window goes out as signals."""

    toast = Signal(str, str)
    """A notice of the shell's own: words and level."""
    said = Signal(str, str)
    """A notice of the app's: its words and level, to be shown under its name."""
    undo_offered = Signal(str, object)
    """What the person had an app do, in words, and how it is taken back (`Undo`)."""
    problem = Signal(object)
    """An expected failure (`AppError`) to be told."""
    answering = Signal()
    """What the person said was taken up: there is a model that answers."""
    entry_wanted = Signal(str)
    """Another entry of the same app."""
    questions_wanted = Signal(str)
    """What the app's agents or workflows ask, by the name of its session or its run, to be decided on."""
    settings_wanted = Signal(str)
    """A part of the settings, by its key."""
    artifact_wanted = Signal(object)
    """A deliverable of the app (`ShownArtifact`) that the person is to see."""
    installed_wanted = Signal()
    """The installed app, instead of the folder of its name that was opened in its place."""
    run_wanted = Signal(str)
    """A session whose run is to be shown in the drawer."""
    review_wanted = Signal(object)
    """A release of the app (`InstallReview`) that the person is to decide on."""
    details_wanted = Signal()
    """The app's own page among the shell's."""
    look_up_wanted = Signal(str)
    """Words that the person wants to look for in all of Lime."""
    retry_wanted = Signal()
    """The App Server, at once and not when it would be tried again."""
    came_up = Signal()
    """There is something of the page to be seen."""
    stale = Signal(bool)
    """Whether the page still shows what is not so any more, and only loading it anew would help."""
    session_turned = Signal()
    """Another conversation, or another run of a workflow, is shown, or none."""
    run_unwanted = Signal()
    """The run that was shown last need not be shown any more."""

    def __init__(self, app_id: str, entry_key: str) -> None:
        super().__init__()
        self._app_id = app_id
        self._entry_key = entry_key

    @property
    def app_id(self) -> str:
        """The app that is shown."""
        return self._app_id

    @property
    def entry_key(self) -> str:
        """The entry that is shown."""
        return self._entry_key

    @property
    def title(self) -> str:
        """What it is called, where that is not its entry's own name."""
        return ""

    @property
    def is_entry(self) -> bool:
        """Whether it is the entry itself, found by its key and opened again at the next start."""
        return True

    def view_artifact(self, artifact: ShownArtifact, address: str) -> None:
        """Show one artifact, at this page of the app, and nothing else. Only views of an app's own pages can."""

    @property
    def is_seen(self) -> bool:
        """Whether the person can see it now."""
        return self.isVisible() and not self.window().isMinimized()

    @property
    def is_up(self) -> bool:
        """Whether it could take now what is given to it. Only an app's own page takes anything by itself."""
        return False

    @property
    def page(self) -> PageCommands | None:
        """What can be done to the page that is shown. Only views of an app's own pages have one."""
        return None

    def ask_unsaved(self, answered: Callable[[bool], object]) -> None:
        """Say whether something would be lost if it were closed now. Most kinds keep what they have at once."""
        answered(False)  # noqa: FBT003 - it says what it is

    def ask_controls(self, answered: Callable[[Sequence[QRect]], object]) -> None:
        """Say where on the screen it can be pressed or typed into, as far as no widget shows that."""
        answered(())

    @property
    def routes(self) -> tuple[AppRoute, ...]:
        """Pages of the app that may be opened from elsewhere."""
        return ()

    def open_route(self, route: str) -> None:
        """Go to one of them. Only views of an app's own pages have any."""

    def open_session(self, session_id: str) -> bool:
        """Turn to an earlier conversation; says whether conversations are held here."""
        del session_id
        return False

    def open_run(self, run_id: str) -> None:
        """Turn to a run of the workflow. Only the page of one has any."""

    @property
    def run_id(self) -> str | None:
        """The run that is shown, or is to be; only on the page of a workflow."""
        return None

    @property
    def session_id(self) -> str | None:
        """The conversation that is shown, or is to be; only where conversations are held."""
        return None

    def resume(self, session_id: str) -> None:
        """Show the conversation of the last time, if it is still there and no other was begun."""

    @property
    def shown_run(self) -> str | None:
        """The session whose run it had shown, while the person has not put it away."""
        return None

    def forget_run(self) -> None:
        """The person put the drawer away."""

    def set_visible(self, *, visible: bool) -> None:
        """Hear whether it can be seen. Most kinds do nothing with it."""

    def recover(self) -> None:
        """There is an App Server again: what was refused without one is asked anew. Most kinds follow it themselves."""

    def toggle_inspector(self) -> None:
        """Open the inspector, or put it away. Only what shows a page of an app has one."""

    def shut(self) -> None:
        """Let go of everything before the widget goes."""


def sign_of(kind: str) -> str:
    """The icon of a kind; old kinds look like pages."""
    return _SIGNS.get(kind, "page")
