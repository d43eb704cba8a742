"""What lies one click deeper: a row of titles, each of which opens what belongs to it. Knows no question."""

from collections.abc import Sequence

from PySide6.QtWidgets import QVBoxLayout, QWidget

from lime_desktop.shell.appearance.icons import Icons
from lime_desktop.shell.layouts.flow import flow
from lime_desktop.shell.widgets.parts import button


class Folds(QWidget):
    """Titles side by side, and below them whatever is open."""

    def __init__(self, icons: Icons, folded: Sequence[tuple[str, QWidget]]) -> None:
        super().__init__()
        self._icons = icons
        self._folded = [(button(title, lambda: None, "link"), part) for title, part in folded]
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(flow(*(opener for opener, _ in self._folded)))
        for opener, part in self._folded:
            opener.setCheckable(True)
            opener.toggled.connect(self._follow)
            part.hide()
            layout.addWidget(part)
        self._follow()

    def _follow(self) -> None:
        for opener, part in self._folded:
            is_open = opener.isChecked()
            sign = "chevron-down" if is_open else "chevron-right"
            self._icons.put_on(opener, sign, "accent", side=14)
            part.setVisible(is_open)
