"""A deliverable of an app to be read and taken along, as the host itself shows it: no page draws in it."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QScrollArea, QVBoxLayout, QWidget

from lime_desktop.host.view.downloads import save_file
from lime_desktop.host.view.shown_artifact import ShownArtifact
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.plain_text import plain_line
from lime_desktop.shell.dialogs.choosers import choose_save_path
from lime_desktop.shell.layouts.edges import edge_to_edge
from lime_desktop.shell.markdown.message_text import MessageText
from lime_desktop.shell.surfaces.acceptance_part import AcceptancePart
from lime_desktop.shell.widgets.parts import button, label, row
from lime_desktop.shell.widgets.work import Work


class ArtifactViewer(QDialog):
    """One artifact at one version."""

    def __init__(
        self, texts: Texts, app_title: str, artifact: ShownArtifact, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        title = plain_line(artifact.title)
        self.setWindowTitle(texts("artifact.window", app=app_title, title=title))
        self.resize(640, 560)
        page = ArtifactPage(texts, app_title, artifact, self.close)
        edge_to_edge(QVBoxLayout(self), 0).addWidget(page)


class ArtifactPage(QWidget):
    """What the host shows of an artifact: its facts, the verdict on it, and words to read, with nothing that could run."""

    def __init__(
        self,
        texts: Texts,
        app_title: str,
        artifact: ShownArtifact,
        close: Callable[[], object] | None = None,
    ) -> None:
        """With `close`, a button at its foot does that."""
        super().__init__()
        self._texts = texts
        self._app_title = app_title
        self._artifact = artifact
        self._close = close
        self._problem = label("", "problem")
        self._problem.hide()
        self._work = Work(self, lambda error: self._say(error.message))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 20, 20, 16)
        layout.setSpacing(12)
        layout.addWidget(label(artifact.title, "title"))
        layout.addWidget(label(self._facts(), "muted"))
        if artifact.acceptance is not None:
            verdict = AcceptancePart(texts, artifact.acceptance, artifact.decide, self)
            verdict.failed.connect(self._say)
            layout.addWidget(verdict)
        layout.addWidget(self._content(), 1)
        layout.addWidget(self._problem)
        layout.addWidget(self._foot())

    def _facts(self) -> str:
        artifact = self._artifact
        return self._texts(
            "artifact.facts", app=self._app_title, kind=artifact.kind, version=artifact.version
        )

    def _content(self) -> QWidget:
        text = self._artifact.text
        if text is None:
            words = self._texts("artifact.file", kind=self._artifact.media_type)
            return label(words, "muted")
        if self._artifact.is_data:
            return self._data(text)
        shown = MessageText(self._artifact.title)
        shown.show_words(text)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(shown)
        return area

    def _data(self, text: str) -> QWidget:
        shown = QPlainTextEdit(text)
        shown.setReadOnly(True)
        shown.setProperty("role", "mono")
        shown.setAccessibleName(self._artifact.title)
        return shown

    def _foot(self) -> QWidget:
        texts, text = self._texts, self._artifact.text
        closing = [] if self._close is None else [button(texts("artifact.close"), self._close)]
        if text is None:
            return row(label(""), *closing, stretch_at=0)
        verdict = self._artifact.acceptance
        is_asked = verdict is not None and verdict.status == "waiting"
        # One strong button: where a person is to decide, that is theirs.
        role = "" if is_asked else "primary"
        saving = button(texts("artifacts.save"), partial(self._save, text), role)
        for each in (*closing, saving):
            # Enter in the note to a decision must not press one of these.
            each.setAutoDefault(not is_asked)
        return row(label(""), *closing, saving, stretch_at=0)

    def _save(self, text: str) -> None:
        async def save() -> None:
            name = self._artifact.file_name
            target = await choose_save_path(self, self._texts, self._app_title, name)
            if target is not None:
                await save_file(target, lambda path: path.write_bytes(text.encode()))
                self._say(self._texts("artifacts.saved"))

        self._work.start(save())

    def _say(self, words: str) -> None:
        self._problem.setText(words)
        self._problem.show()
