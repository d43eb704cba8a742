"""Whether a document is accepted, why not, and a person's own word where one is asked for."""

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from lime_desktop.host.view.shown_artifact import DecideAcceptance
from lime_desktop.host.wording.acceptance import question_words, reason_words
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.acceptance import Acceptance, AcceptanceStatus
from lime_desktop.protocol.errors import AppError
from lime_desktop.shell.widgets.parts import Tone, button, label, pill, row
from lime_desktop.shell.widgets.work import Work

_TONES: dict[AcceptanceStatus, Tone] = {
    "accepted": "ok",
    "not-accepted": "danger",
    "waiting": "warning",
}


def acceptance_pill(texts: Texts, status: AcceptanceStatus) -> QWidget:
    """How it stands, in a word."""
    return pill(texts(f"quality.status.{status}"), _TONES[status])


class AcceptancePart(QWidget):
    """The verdict on one version of a document."""

    failed = Signal(str)
    """A decision could not be kept, with the reason."""

    def __init__(
        self, texts: Texts, acceptance: Acceptance, decide: DecideAcceptance | None, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._texts = texts
        self._decide = decide
        self._note = QLineEdit()
        self._note.setPlaceholderText(texts("quality.note"))
        self._note.setAccessibleName(texts("quality.note"))
        self._work = Work(self, self._tell)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(6)
        self._show(acceptance)

    def _show(self, acceptance: Acceptance) -> None:
        while (item := self._layout.takeAt(0)) is not None:
            if (old := item.widget()) is not None and old is not self._note:
                old.deleteLater()
        self._note.hide()
        texts, status = self._texts, acceptance.status
        about = label(texts(f"quality.about.{status}"), "muted")
        self._layout.addWidget(row(acceptance_pill(texts, status), about, stretch_at=1))
        for words in reason_words(texts, acceptance):
            self._layout.addWidget(label(f"· {words}"))
        if status == "waiting" and self._decide is not None:
            self._ask(acceptance)

    def _ask(self, acceptance: Acceptance) -> None:
        texts = self._texts
        for words in question_words(acceptance):
            self._layout.addWidget(label(f"· {words}"))
        self._note.show()
        refusing = button(texts("quality.reject"), partial(self._say, is_accepted=False))
        accepting = button(texts("quality.accept"), partial(self._say, is_accepted=True), "primary")
        for each in (refusing, accepting):
            # Enter in the note ends the note; it decides nothing.
            each.setAutoDefault(False)
        self._layout.addWidget(row(self._note, refusing, accepting, stretch_at=0))

    def _say(self, *, is_accepted: bool) -> None:
        decide = self._decide
        if decide is None:
            return

        async def say() -> None:
            self._show(await decide(is_accepted, self._note.text().strip() or None))

        self._work.start(say())

    def _tell(self, error: AppError) -> None:
        self.failed.emit(error.message)
