"""What the desktop process asks of its windows. The shell implements it; tests may too."""

from collections.abc import Callable, Coroutine, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from pydantic import SecretStr

from lime_desktop.host.app_center.review.install_review import InstallReview
from lime_desktop.host.view.shown_artifact import ShownArtifact

Undo = Callable[[], Coroutine[Any, Any, None]]
"""Takes back what a person did by pressing in a page; raises an expected error where somebody went on from it."""
OfferUndo = Callable[[Undo], None]

_TEXTS: Mapping[str, str] = {
    "lime.settings.set": "undo.act.setting",
    "lime.storage.delete": "undo.act.deletion",
    "lime.storage.tableDelete": "undo.act.deletion",
    "lime.artifacts.create": "undo.act.document",
}
offer_undo_of_call: ContextVar[OfferUndo | None] = ContextVar("offer_undo_of_call", default=None)
"""Offers the person to take back what is being done; None where nobody pressed for it, so that nobody expects it."""

ToastLevel = Literal["info", "success", "warning", "error"]


def undo_text_of(action: str) -> str:
    """The key of the sentence that says what was done, by the name of its call."""
    return _TEXTS.get(action, "undo.act.change")


@dataclass(frozen=True, slots=True)
class FileQuestion:
    """What a person is to choose for an app."""

    accept: tuple[str, ...] = ()
    """Endings (`.csv`) or media types (`image/*`); everything otherwise."""
    is_multiple: bool = False
    is_folder: bool = False
    is_either: bool = False
    """A folder or files, as the person likes."""
    is_target: bool = False
    """The folder is written into, not read."""
    title: str = ""
    """What the app calls it; said beside the app's name, never in its place."""


@dataclass(frozen=True, slots=True)
class SecretQuestion:
    """A slot that a person is to fill for an app, and why."""

    slot: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SkillQuestion:
    """A skill that a person is to switch on for an app's agents, and why."""

    skill: str
    description: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class AppRoute:
    """A page of an app that the window may open by itself."""

    path: str
    title: str
    entry_key: str
    """The entry it belongs to."""


class ShellPort(Protocol):
    """The few things only a window can do for an app."""

    @property
    def is_seen(self) -> bool:
        """Whether the person can see the app's view now."""
        ...

    @property
    def is_asking(self) -> bool:
        """Whether a window of the host's own stands before the view, to be answered or closed."""
        ...

    def show_toast(self, message: str, level: ToastLevel) -> None:
        """Show a short notice under the app's name."""
        ...

    def open_route(self, route: str) -> None:
        """Bring the app's view to another of its routes."""
        ...

    def open_entry(self, entry_key: str) -> None:
        """Open another entry of the same app."""
        ...

    def offer_route(self, route: AppRoute) -> None:
        """Let the person go to a page of the app from anywhere, for as long as the view is open."""
        ...

    def show_artifact(self, artifact: ShownArtifact) -> None:
        """Show a deliverable of the app in the host's own viewer."""
        ...

    def show_run(self, session_id: str) -> None:
        """Show what an agent does for the app, in the host's own drawer."""
        ...

    @property
    def shown_run(self) -> str | None:
        """The session whose run this view had shown, while the person has not put it away."""
        ...

    def close_run(self) -> None:
        """Put the drawer away, if it still shows what this view had shown."""
        ...

    def show_review(self, review: InstallReview) -> None:
        """Put a release of the app to the person, who installs it or not."""
        ...

    def offer_rollback(self, version: str) -> None:
        """Show the person where they can bring an earlier release of the app back."""
        ...

    def offer_link(self, url: str) -> None:
        """Ask the person whether to open a page in their browser; never waits for the answer."""
        ...

    async def choose_files(self, question: FileQuestion) -> tuple[Path, ...]:
        """Let the person choose files or a folder; nothing where they choose nothing."""
        ...

    def take_dropped(self) -> tuple[Path, ...]:
        """What the person dropped on the page a moment ago, given out once; nothing where they did not."""
        ...

    def take_press(self) -> bool:
        """Whether the person pressed something in the page a moment ago, as the window saw it. Given out once."""
        ...

    def offer_undo(self, action: str, undo: Undo) -> None:
        """Say what the person had done, by the call's name, and let them take it back for a while."""
        ...

    async def choose_save_path(self, file_name: str) -> Path | None:
        """Let the person choose where to save a file, with a name proposed; None where they don't."""
        ...

    async def ask_skill(self, question: SkillQuestion) -> bool:
        """Let the person switch a skill on for the app's agents; False where they don't."""
        ...

    async def ask_secret(self, question: SecretQuestion) -> SecretStr | None:
        """Let the person type a secret where no page can see it; None where they don't."""
        ...
