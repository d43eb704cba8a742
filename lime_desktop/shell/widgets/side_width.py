"""What stands at the side of the window is as wide as its words need, and no wider than leaves room for the rest."""

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from lime_desktop.shell.appearance.appearance import Appearance

_WIDEST = 1.25


def widen_with_text(widget: QWidget, appearance: Appearance, width: int) -> None:
    """Keep a widget as wide as given, and wider as the person chooses larger text."""
    _SideWidth(widget, appearance, width).fit()


class _SideWidth(QObject):
    """Lives as long as its widget, so that no look is told to one that is gone."""

    def __init__(self, widget: QWidget, appearance: Appearance, width: int) -> None:
        super().__init__(widget)
        self._widget = widget
        self._appearance = appearance
        self._width = width
        appearance.changed.connect(self.fit)

    def fit(self) -> None:
        """Take the width that the text needs now."""
        scale = min(_WIDEST, self._appearance.text_scale)
        self._widget.setFixedWidth(round(self._width * scale))
