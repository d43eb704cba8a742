"""What can be done with the run that is shown: stop it while it goes on, take its evidence along."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QFrame, QHBoxLayout

from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.run_actions import export_evidence, stop_run
from lime_desktop.runtime_views.views import SessionViews
from lime_desktop.shell.parts import button, label
from lime_desktop.shell.surroundings import Surroundings
from lime_desktop.shell.work import Work

_GOES_ON = {"running", "waiting", "blocked"}


class RunBar(QFrame):
    """Two buttons, and where the evidence went once it was written."""

    def __init__(self, around: Surroundings, call: CallServer, work: Work) -> None:
        super().__init__()
        self._around = around
        self._call = call
        self._work = work
        self._session_id: str | None = None
        self._turn_id: str | None = None
        self._stop = button("", self._stop_run, "danger")
        self._export = button("", self._choose_folder)
        self._said = label("", "small")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 0, 16, 8)
        layout.addWidget(self._stop)
        layout.addWidget(self._export)
        layout.addWidget(self._said, 1)
        self.show_run(None, None)

    def show_run(self, session_id: str | None, views: SessionViews | None) -> None:
        """Offer what can be done now."""
        if session_id != self._session_id:
            self._said.clear()
        self._session_id = session_id
        goes_on = views is not None and views.runtime.status in _GOES_ON
        self._turn_id = views.runtime.active_turn_id if views is not None and goes_on else None
        self._stop.setVisible(self._turn_id is not None)
        self.setVisible(session_id is not None)

    def speak(self) -> None:
        """Say everything in the language of now."""
        self._stop.setText(self._around.texts("drawer.stop"))
        self._export.setText(self._around.texts("drawer.export"))

    def _stop_run(self) -> None:
        if self._session_id is not None and self._turn_id is not None:
            self._work.start(stop_run(self._call, self._session_id, self._turn_id))

    def _choose_folder(self) -> None:
        dialog = QFileDialog(self, self._around.texts("drawer.export.title"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.export)
        dialog.open()

    def export(self, folder: str) -> None:
        """Write the evidence of the run below a folder."""
        if self._session_id is not None:
            self._work.start(self._write(self._session_id, Path(folder)))

    async def _write(self, session_id: str, folder: Path) -> None:
        data = self._around.folders.data
        written = await export_evidence(self._call, session_id, data, folder)
        self._said.setText(self._around.texts("drawer.exported", name=written.name))
