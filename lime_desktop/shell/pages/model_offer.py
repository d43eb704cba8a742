"""The way to a model, wherever the window says that none answers."""

from collections.abc import Callable, Iterator
from functools import partial

from PySide6.QtWidgets import QPushButton, QWidget

from lime_desktop.host.models.standing import ModelGap
from lime_desktop.host.models.wanting import wants_model
from lime_desktop.shell.widgets.parts import (
    button,
    column,
    icon_button,
    label,
    rows_card,
    wide_row,
)
from lime_desktop.shell.widgets.surroundings import Surroundings


def set_up_model(
    around: Surroundings, show_settings: Callable[[str], None], gap: ModelGap
) -> QPushButton:
    """A button that leads to where the gap is closed."""
    return button(around.texts("model.set-up"), partial(show_settings, gap.section))


class ModelOffer:
    """One row on Home while apps want a model and none answers, until the person puts it away."""

    def __init__(self, around: Surroundings, show_settings: Callable[[str], None]) -> None:
        self._around = around
        self._show_settings = show_settings

    def shows(self) -> ModelGap | None:
        """What there is to say, to be compared."""
        around = self._around
        if around.settings.is_model_offer_closed:
            return None
        if not any(wants_model(app.package.manifest) for app in around.shelf.apps):
            return None
        return around.models.gap(around.texts)

    def parts(self, closed: Callable[[], object]) -> Iterator[QWidget]:
        """The row, if there is something to say; `closed` is called once the person has put it away."""
        around, gap = self._around, self.shows()
        if gap is None:
            return
        texts = around.texts

        def close() -> None:
            around.keep(is_model_offer_closed=True)
            closed()

        words = column(label(texts("home.model"), "strong"), label(gap.words, "small"), spacing=0)
        away = icon_button(texts("home.model.close"), close)
        around.signs.put_on(away, "close", "text-muted", 14)
        yield rows_card(
            wide_row(
                around.signs.picture("model", side=24),
                words,
                set_up_model(around, self._show_settings, gap),
                away,
            )
        )
