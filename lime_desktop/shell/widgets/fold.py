"""What lies one click deeper: a line to press, and what it opens."""

from collections.abc import Callable

from PySide6.QtWidgets import QVBoxLayout, QWidget

from lime_desktop.shell.appearance.icons import Icons
from lime_desktop.shell.widgets.parts import button, row


class Fold(QWidget):
    """Closed at first, unless it stands for one that was open; what is inside is made when it is opened for the first time."""

    def __init__(
        self, title: str, make: Callable[[], QWidget], icons: Icons, *, is_open: bool = False
    ) -> None:
        super().__init__()
        self._make = make
        self._icons = icons
        self._inside: QWidget | None = None
        self._head = button(title, self._follow, "link")
        self._head.setCheckable(True)
        self._head.setChecked(is_open)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(8)
        self._layout.addWidget(row(self._head))
        self._follow()

    @property
    def is_open(self) -> bool:
        """Whether what is inside is shown."""
        return self._head.isChecked()

    def _follow(self) -> None:
        if self.is_open and self._inside is None:
            self._inside = self._make()
            self._layout.addWidget(self._inside)
        if self._inside is not None:
            self._inside.setVisible(self.is_open)
        sign = "chevron-down" if self.is_open else "chevron-right"
        self._icons.put_on(self._head, sign, "accent", side=14)
