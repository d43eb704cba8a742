"""What may a page have its window show, and how often? Past that it is refused before anything is drawn.

A page that nobody sees may still give notice, under its app's name; it brings nothing in front of the person. And one
window of the host's own stands before a page at a time: a second one would only be clicked away.
"""

import time
from collections.abc import Callable
from pathlib import Path

from pydantic import SecretStr

from lime_desktop.host.app_center.review.install_review import InstallReview
from lime_desktop.host.bridge.session import MessageRate
from lime_desktop.host.view.shell_port import (
    AppRoute,
    FileQuestion,
    SecretQuestion,
    ShellPort,
    SkillQuestion,
    ToastLevel,
    Undo,
)
from lime_desktop.host.view.shown_artifact import ShownArtifact
from lime_desktop.protocol.errors import PolicyDenied, RateLimited

TOASTS_PER_SECOND = 1.0
BURST_TOASTS = 3
"""As many as a person can read before they go."""
LINKS_PER_SECOND = 0.5
BURST_LINKS = 2
"""Sites that the person agreed to open without a question, and so without anything that would hold a page up."""


class RateLimitedShell:
    """The window as one view's page gets at it."""

    def __init__(self, shell: ShellPort, clock: Callable[[], float] = time.monotonic) -> None:
        self._shell = shell
        self._clock = clock
        self._toasts = MessageRate(TOASTS_PER_SECOND, BURST_TOASTS)
        self._links = MessageRate(LINKS_PER_SECOND, BURST_LINKS)

    # What changes nothing that the person looks at.

    @property
    def is_seen(self) -> bool:
        """Whether the person can see the view."""
        return self._shell.is_seen

    @property
    def is_asking(self) -> bool:
        """Whether a window of the host's own stands before the view."""
        return self._shell.is_asking

    @property
    def shown_run(self) -> str | None:
        """The session whose run this view had shown."""
        return self._shell.shown_run

    def open_route(self, route: str) -> None:
        """Bring the view to another route."""
        self._shell.open_route(route)

    def offer_route(self, route: AppRoute) -> None:
        """Make a page of the app known."""
        self._shell.offer_route(route)

    def close_run(self) -> None:
        """Put away what this view had shown."""
        self._shell.close_run()

    def show_toast(self, message: str, level: ToastLevel) -> None:
        """Show a few notices, and no more than can be read."""
        self._admit(self._toasts)
        self._shell.show_toast(message, level)

    # What comes before the person.

    def open_entry(self, entry_key: str) -> None:
        """Open another entry."""
        self._seen().open_entry(entry_key)

    def show_run(self, session_id: str) -> None:
        """Open the drawer; one that is open already follows a view that nobody sees, too."""
        shell = self._seen() if self.shown_run is None else self._shell
        shell.show_run(session_id)

    def show_review(self, review: InstallReview) -> None:
        """Put a release to the person."""
        self._seen().show_review(review)

    def offer_rollback(self, version: str) -> None:
        """Show where an earlier release is brought back."""
        self._seen().offer_rollback(version)

    def show_artifact(self, artifact: ShownArtifact) -> None:
        """Show a deliverable."""
        self._unoccupied().show_artifact(artifact)

    def offer_link(self, url: str) -> None:
        """Offer a link, one at a time."""
        shell = self._unoccupied()
        self._admit(self._links)
        shell.offer_link(url)

    async def choose_files(self, question: FileQuestion) -> tuple[Path, ...]:
        """Let the person choose files."""
        return await self._unoccupied().choose_files(question)

    def take_dropped(self) -> tuple[Path, ...]:
        """What was dropped, which nobody is asked about."""
        return self._shell.take_dropped()

    def take_press(self) -> bool:
        """Whether the person pressed; a press makes up for one call."""
        return self._shell.take_press()

    def offer_undo(self, action: str, undo: Undo) -> None:
        """Offer to take back what was pressed for: as often as somebody presses, and no more."""
        self._shell.offer_undo(action, undo)

    async def choose_save_path(self, file_name: str) -> Path | None:
        """Let the person choose where a file goes."""
        return await self._unoccupied().choose_save_path(file_name)

    async def ask_skill(self, question: SkillQuestion) -> bool:
        """Let the person switch a skill on."""
        return await self._unoccupied().ask_skill(question)

    async def ask_secret(self, question: SecretQuestion) -> SecretStr | None:
        """Let the person type a secret."""
        return await self._unoccupied().ask_secret(question)

    def _admit(self, rate: MessageRate) -> None:
        if not rate.admits(self._clock() * 1_000):
            raise RateLimited("This app asks for this more often than a person can follow")

    def _seen(self) -> ShellPort:
        if not self._shell.is_seen:
            raise PolicyDenied("Only a page that the person can see may ask this of the window")
        return self._shell

    def _unoccupied(self) -> ShellPort:
        shell = self._seen()
        if shell.is_asking:
            raise RateLimited("The person still looks at what this app had shown before")
        return shell
