"""Says that the app was not installed, why, and what to do; the technical side is one click away."""

from collections.abc import Callable

from PySide6.QtGui import QGuiApplication

from lime_desktop.host.wording.problems import tell
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.errors import AppError, Cancelled
from lime_desktop.shell.widgets.page import Page
from lime_desktop.shell.widgets.parts import button, card, label, row


class FailedPage(Page):
    """One failure."""

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
