"""Joins an open entry to the window around it: what it says, what it asks for, and where it leads."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QTimer

from lime_desktop.host.app_center.review.install_review import InstallReview
from lime_desktop.host.apps.registry import AppRegistry, RegisteredApp
from lime_desktop.host.view.shown_artifact import ShownArtifact
from lime_desktop.host.wording.texts import Texts
from lime_desktop.shell.notices.notices import Notices
from lime_desktop.shell.notices.undo import Undoing
from lime_desktop.shell.surfaces.surface import Surface


@dataclass(frozen=True, slots=True)
class SurfaceLinks:
    """Where an open entry leads."""

    open_entry: Callable[[str, str], None]
    show_run: Callable[[str], None]
    close_run: Callable[[str | None], None]
    show_questions: Callable[[str], None]
    """What is asked, by the name of the question, its session or its run."""
    show_settings: Callable[[str], None]
    look_up: Callable[[str], None]
    retry_server: Callable[[], None]
    show_review: Callable[[InstallReview], None]
    show_details: Callable[[str], None]
    use_installed: Callable[[str], None]
    """The installed app of this name, instead of the folder in its place."""
    show_artifact: Callable[[Surface, ShownArtifact], None]
    """A deliverable of the app that a surface belongs to, beside that surface."""
    note_session: Callable[[], None]
    """Another conversation is in front there, to be found again at the next start."""


class SurfaceConnections:
    """Connects each entry once, when it is opened."""

    def __init__(
        self,
        registry: AppRegistry,
        texts: Texts,
        notices: Notices,
        undoing: Undoing,
        links: SurfaceLinks,
    ) -> None:
        self._registry = registry
        self._texts = texts
        self._notices = notices
        self._undoing = undoing
        self._links = links

    def connect(self, app: RegisteredApp, surface: Surface) -> None:
        """Join a new surface to the window."""
        links, notices = self._links, self._notices
        surface.toast.connect(notices.toast)
        surface.said.connect(partial(notices.say, app.app_id))
        surface.problem.connect(notices.problem)
        surface.answering.connect(notices.settle_models)
        surface.session_turned.connect(links.note_session)
        surface.undo_offered.connect(self._undoing.offer)
        surface.run_wanted.connect(links.show_run)
        surface.artifact_wanted.connect(partial(links.show_artifact, surface))
        surface.review_wanted.connect(links.show_review)
        surface.details_wanted.connect(partial(links.show_details, app.app_id))
        surface.installed_wanted.connect(partial(self._use_installed, surface))
        surface.run_unwanted.connect(lambda: links.close_run(surface.shown_run))
        surface.questions_wanted.connect(links.show_questions)
        surface.settings_wanted.connect(links.show_settings)
        surface.entry_wanted.connect(partial(links.open_entry, app.app_id))
        surface.look_up_wanted.connect(links.look_up)
        surface.retry_wanted.connect(links.retry_server)
        surface.stale.connect(partial(self._offer_reload, surface))
        surface.came_up.connect(notices.place)

    def _use_installed(self, surface: Surface) -> None:
        app_id, entry_key = surface.app_id, surface.entry_key

        def turn() -> None:
            self._links.use_installed(app_id)
            self._links.open_entry(app_id, entry_key)

        # Afterwards: the entry that is closed by it holds the button that was pressed.
        QTimer.singleShot(0, turn)

    def _offer_reload(self, surface: Surface, is_stale: bool) -> None:  # noqa: FBT001 - Qt's signature
        app, page = self._registry.app(surface.app_id), surface.page
        reload = page.reload if is_stale and app is not None and page is not None else None
        title = app.title(self._texts.locale) if app is not None else ""
        name = f"stale {surface.app_id} {surface.entry_key}"
        self._notices.offer_reload(name, title, reload)
