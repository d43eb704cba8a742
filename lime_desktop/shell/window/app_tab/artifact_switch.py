"""An app's own viewer of an artifact, and the host's view of the same: the person switches, and the app cannot."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QToolButton, QWidget

from lime_desktop.host.view.shown_artifact import ShownArtifact
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.surfaces.artifact_viewer import ArtifactPage
from lime_desktop.shell.surfaces.identity_bar import IdentityBar
from lime_desktop.shell.widgets.parts import name_control


class ArtifactSwitch:
    """A button in the host's own line above the page."""

    def __init__(
        self,
        look: Look,
        artifact: ShownArtifact,
        app_title: Callable[[], str],
        page: QWidget,
        around: QSplitter,
        bar: IdentityBar,
    ) -> None:
        """`page` is the app's, `around` is where it stands."""
        self.artifact = artifact
        self._texts = look.texts
        self._app_title = app_title
        self._page = page
        self._around = around
        self._own: ArtifactPage | None = None
        self._button: QToolButton = bar.offer("artifact.view.host", "document", self.toggle)

    @property
    def is_own(self) -> bool:
        """Whether the host's view is shown."""
        return self._own is not None

    def toggle(self) -> None:
        """Show the host's view in the place of the app's page, or the page again."""
        if self._own is None:
            self._own = ArtifactPage(self._texts, self._app_title(), self.artifact)
            self._around.insertWidget(0, self._own)
            self._page.hide()
            self._own.show()
            # The button stays where it was pressed, and keeps the keyboard.
        else:
            self._page.show()
            self._own.hide()
            self._own.deleteLater()
            self._own = None
        name_control(self._button, self._texts(self._text_key))
        self._button.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def _text_key(self) -> str:
        return "artifact.view.app" if self.is_own else "artifact.view.host"
