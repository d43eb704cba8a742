"""Shows that something is being done, how far it is, and a way to stop it while that still leaves nothing."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QProgressBar, QPushButton

from lime_desktop.host.app_center.progress import Errand, Progress, Step
from lime_desktop.shell.pages.page import Page
from lime_desktop.shell.parts import button, card, label, row
from lime_desktop.shell.surroundings import Surroundings


class WaitingPage(Page):
    """One errand, from any thread: Qt brings what it tells over to this one."""

    _told = Signal(object)

    def __init__(self, around: Surroundings, title: str) -> None:
        super().__init__()
        self._around = around
        self.errand = Errand(self._told.emit)
        self._words = label(title, "muted")
        self._bar = QProgressBar(minimum=0, maximum=0, textVisible=False)
        self._bar.setAccessibleName(title)
        self._stop: QPushButton = button(around.texts("review.stop"), self._cancel)
        self._told.connect(self.show_progress)
        self.refill(card(label(title, "heading"), self._bar, self._words, row(self._stop)))

    def _cancel(self) -> None:
        self.errand.cancel()
        self._stop.setEnabled(False)

    def show_progress(self, progress: Progress) -> None:
        """Say how far it is."""
        texts = self._around.texts
        self._stop.setVisible(self.errand.can_be_cancelled)
        if progress.step is Step.COPYING and progress.total:
            percent = round(100 * progress.done / progress.total)
            self._bar.setRange(0, 100)
            self._bar.setValue(percent)
            self._words.setText(texts("review.copying", percent=percent))
        else:
            self._bar.setRange(0, 0)
            self._words.setText(texts(f"step.{progress.step}"))
