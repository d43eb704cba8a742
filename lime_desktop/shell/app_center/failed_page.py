"""Says that it did not come to it, why, and that nothing was changed."""

from collections.abc import Callable

from lime_desktop.host.problem_words import tell
from lime_desktop.protocol.errors import AppError, Cancelled
from lime_desktop.shell.pages.page import Page
from lime_desktop.shell.parts import button, card, label
from lime_desktop.shell.surroundings import Surroundings


class FailedPage(Page):
    """One failure."""

    def __init__(self, around: Surroundings, error: AppError, left: Callable[[], None]) -> None:
        super().__init__()
        texts = around.texts
        back = button(texts("review.back"), left, "primary")
        if isinstance(error, Cancelled):
            self.refill(card(label(texts("review.stopped"), "heading"), back))
            return
        told = tell(error, texts)
        self.refill(
            card(
                label(texts("review.failed"), "heading"),
                label(told.title),
                label(error.message),
                label(told.advice, "muted"),
                label(told.report, "mono"),
                back,
            )
        )
