"""Shows how far an installation is and a way to stop it, or why it failed."""

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QProgressBar, QPushButton

from lime_desktop.host.app_center.packages.progress import InstallProgress, Progress, Step
from lime_desktop.host.wording.problems import tell
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.errors import AppError, Cancelled
from lime_desktop.shell.widgets.focus import begin_here
from lime_desktop.shell.widgets.page import Page
from lime_desktop.shell.widgets.parts import button, card, label, row


class WaitingPage(Page):
    """One installation or removal. It may report from any thread: Qt brings that over to this one."""

    _told = Signal(object)

    def __init__(self, texts: Texts, title: str) -> None:
        super().__init__()
        self._texts = texts
        self.progress = InstallProgress(self._told.emit)
        self._words = label(title, "muted")
        self._bar = QProgressBar(minimum=0, maximum=0, textVisible=False)
        self._bar.setAccessibleName(title)
        self._stop: QPushButton = button(texts("review.stop"), self.stop)
        self._told.connect(self.show_progress)
        # Not at the button: a second Enter of somebody in a hurry would stop what the first began.
        begin_here(self)
        self.refill(card(label(title, "heading"), self._bar, self._words, row(self._stop)))

    def stop(self) -> None:
        """Cancel it, while that still leaves nothing behind."""
        if self.progress.can_be_cancelled:
            self.progress.cancel()
            self._stop.setEnabled(False)

    def show_progress(self, progress: Progress) -> None:
        """Say how far it is."""
        texts = self._texts
        self._stop.setVisible(self.progress.can_be_cancelled)
        if progress.step is Step.COPYING and progress.total:
            percent = round(100 * progress.done / progress.total)
            self._bar.setRange(0, 100)
            self._bar.setValue(percent)
            self._words.setText(texts("review.copying", percent=percent))
        else:
            self._bar.setRange(0, 0)
            self._words.setText(texts(f"step.{progress.step}"))


class FailedPage(Page):
    """Says that the app was not installed, why, and what to do; the technical side is one click away."""

    def __init__(self, texts: Texts, error: AppError, left: Callable[[], None]) -> None:
        super().__init__()
        back = button(texts("review.back"), left, "primary")
        if isinstance(error, Cancelled):
            self.refill(card(label(texts("review.stopped"), "heading"), row(back)))
            return
        told = tell(error, texts)
        report = label(told.report, "mono")
        report.hide()
        details = button(
            texts("problem.details"), lambda: report.setVisible(not report.isVisible())
        )
        copy = button(
            texts("report.copy"), lambda: QGuiApplication.clipboard().setText(told.report)
        )
        self.refill(
            card(
                label(texts("review.failed"), "heading"),
                label(texts("problem.told", title=told.title, advice=told.advice)),
                label(error.code, "small"),
                row(back, details, copy),
                report,
            )
        )
