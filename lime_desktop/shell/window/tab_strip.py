"""The open entries above the shell's own pages: whoever looks at Home or Settings sees what is open, and goes back by a click.

Stands exactly where the tabs of the open entries stand, so that none moves when the page is turned.
"""

from collections.abc import Iterable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QTabBar

from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.surfaces.surface import Surface
from lime_desktop.shell.widgets.parts import icon_button, name_control
from lime_desktop.shell.window.entry_tabs import EntryTabs
from lime_desktop.shell.window.workspace import TabFace


class TabStrip(QFrame):
    """Tabs none of which is in front."""

    chosen = Signal(object)
    """The entry (`Surface`) that the person turns to."""
    closed = Signal(object)
    """The entry that is to be closed."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.setObjectName("strip")
        self._look = look
        self._surfaces: list[Surface] = []
        self._bar = _AwayBar()
        self._bar.setObjectName("away")
        self._bar.setExpanding(False)
        self._bar.setDocumentMode(True)
        self._bar.tabBarClicked.connect(self._choose)
        self._bar.entered.connect(self._choose)
        across = QHBoxLayout(self)
        across.setContentsMargins(8, 0, 8, 0)
        across.setSpacing(0)
        across.addWidget(self._bar)
        across.addStretch(1)
        self.hide()

    def show_tabs(self, faces: Iterable[TabFace], front: Surface | None) -> None:
        """Show what is open now; the keyboard begins at the one that was in front."""
        while self._bar.count():
            self._bar.removeTab(0)
        self._surfaces.clear()
        texts = self._look.texts
        for face in faces:
            at = self._bar.addTab(face.icon, "")
            self._bar.name_tab(at, face.title, face.short)
            closing = icon_button("", lambda surface=face.surface: self.closed.emit(surface))
            name_control(closing, texts("tabs.close.named", name=face.title))
            self._look.icons.put_on(closing, "close", "text-muted", 14)
            self._bar.setTabButton(at, QTabBar.ButtonPosition.RightSide, closing)
            self._surfaces.append(face.surface)
            if face.surface is front:
                self._bar.setCurrentIndex(at)

    def _choose(self, at: int) -> None:
        if 0 <= at < len(self._surfaces):
            self.chosen.emit(self._surfaces[at])


class _AwayBar(EntryTabs):
    """Walked by the arrow keys; Enter turns to the tab that the keyboard is at."""

    entered = Signal(int)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt calls this
        """Go where the keyboard is."""
        if Qt.Key(event.key()) in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space}:
            self.entered.emit(self.currentIndex())
        else:
            super().keyPressEvent(event)
