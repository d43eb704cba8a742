"""What an app may ask of the window around its page: words, files, links and other entries. Decides nothing for the person."""

from collections.abc import Callable
from pathlib import Path

from pydantic import SecretStr
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog

from lime_desktop.host.app_center.review.install_review import InstallReview
from lime_desktop.host.view.shell_port import (
    AppRoute,
    FileQuestion,
    SecretQuestion,
    SkillQuestion,
    ToastLevel,
    Undo,
    undo_text_of,
)
from lime_desktop.host.view.shown_artifact import ShownArtifact
from lime_desktop.host.wording.texts import Texts
from lime_desktop.shell.app_view.view import AppView
from lime_desktop.shell.dialogs.choosers import (
    ask_secret,
    ask_skill,
    choose_files,
    choose_save_path,
)
from lime_desktop.shell.dialogs.questions import LinkQuestions
from lime_desktop.shell.surfaces.artifact_viewer import ArtifactViewer
from lime_desktop.shell.surfaces.surface import Surface


class TabPort:
    """The `ShellPort` of one open entry. What the window has to do goes out as the entry's signals."""

    def __init__(
        self,
        tab: Surface,
        view: AppView,
        texts: Texts,
        links: LinkQuestions,
        title: Callable[[], str],
    ) -> None:
        self._tab = tab
        self._view = view
        self._texts = texts
        self._links = links
        self._title = title
        self._routes: dict[str, AppRoute] = {}
        self.shown_run: str | None = None
        """The run that the app had shown, and the person has not put away."""

    @property
    def is_seen(self) -> bool:
        """Whether the person can see the page now."""
        return self._tab.is_seen

    @property
    def routes(self) -> tuple[AppRoute, ...]:
        """The pages that the app made known since it was loaded."""
        return tuple(self._routes.values())

    def forget_routes(self) -> None:
        """The page is loaded anew, and makes its pages known again."""
        self._routes.clear()

    @property
    def is_asking(self) -> bool:
        """Whether a dialog stands before the page."""
        directly = Qt.FindChildOption.FindDirectChildrenOnly
        return any(each.isVisible() for each in self._tab.findChildren(QDialog, options=directly))

    def show_toast(self, message: str, level: ToastLevel) -> None:
        """Pass a notice to the window."""
        self._tab.said.emit(message, level)

    def open_route(self, route: str) -> None:
        """Bring the view to another route of the app."""
        self._view.open_route(route)

    def open_entry(self, entry_key: str) -> None:
        """Ask the window for another entry of the app."""
        self._tab.entry_wanted.emit(entry_key)

    def offer_route(self, route: AppRoute) -> None:
        """Let the palette find a page of the app."""
        self._routes[route.path] = route

    def show_artifact(self, artifact: ShownArtifact) -> None:
        """Show a deliverable: by the app's own viewer, where it is to be that, else in a window of the host's own."""
        if artifact.viewer is not None:
            self._tab.artifact_wanted.emit(artifact)
        else:
            ArtifactViewer(self._texts, self._title(), artifact, self._tab).open()

    def show_run(self, session_id: str) -> None:
        """Ask the window for its drawer."""
        self.shown_run = session_id
        self._tab.run_wanted.emit(session_id)

    def close_run(self) -> None:
        """Put the drawer away, if it shows what the app had shown."""
        self._tab.run_unwanted.emit()
        self.shown_run = None

    def show_review(self, review: InstallReview) -> None:
        """Ask the window to put a release to the person."""
        self._tab.review_wanted.emit(review)

    def offer_rollback(self, version: str) -> None:
        """Show the app's page, where earlier releases are brought back."""
        words = self._texts("update.back.asked", app=self._title(), version=version)
        self._tab.details_wanted.emit()
        self._tab.toast.emit(words, "info")

    def offer_link(self, url: str) -> None:
        """Let the person decide about a link; they are asked once per site if they like."""
        self._links.offer(self._tab, self._tab.app_id, url)

    async def choose_files(self, question: FileQuestion) -> tuple[Path, ...]:
        """Let the person open files to the app."""
        return await choose_files(self._tab, self._texts, self._title(), question)

    def take_dropped(self) -> tuple[Path, ...]:
        """What the person dropped on the page a moment ago."""
        return self._view.dropped.take()

    def take_press(self) -> bool:
        """Whether the person pressed something in the page a moment ago."""
        return self._tab.is_seen and self._view.input.presses.take()

    def offer_undo(self, action: str, undo: Undo) -> None:
        """Have the window say what was done, and offer to take it back: longer than this tab may be open."""
        words = self._texts(undo_text_of(action), app=self._title())
        self._tab.undo_offered.emit(words, undo)

    async def choose_save_path(self, file_name: str) -> Path | None:
        """Let the person say where a file of the app goes."""
        return await choose_save_path(self._tab, self._texts, self._title(), file_name)

    async def ask_skill(self, question: SkillQuestion) -> bool:
        """Let the person switch a skill on for the app's agents."""
        return await ask_skill(self._tab, self._texts, self._title(), question)

    async def ask_secret(self, question: SecretQuestion) -> SecretStr | None:
        """Let the person type a secret for the app."""
        return await ask_secret(self._tab, self._texts, self._title(), question)
