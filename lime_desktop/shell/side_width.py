"""What stands at the side of the window is as wide as its words need, and no wider than leaves room for the rest."""

from PySide6.QtWidgets import QWidget

from lime_desktop.shell.surroundings import Surroundings

_WIDEST = 1.25


def widen_with_text(widget: QWidget, around: Surroundings, width: int) -> None:
    """Keep a widget as wide as given, and wider as the person chooses larger text."""

    def fit() -> None:
        widget.setFixedWidth(round(width * min(_WIDEST, around.settings.text_scale)))

    fit()
    widget.destroyed.connect(lambda: around.look_changed.disconnect(fit))
    around.look_changed.connect(fit)
