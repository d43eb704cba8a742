"""The open entries above the shell's own pages: whoever looks at Home or Settings sees what is open, and goes back by a click.

Stands exactly where the tabs of the open entries stand, so that none moves when the page is turned.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QIcon, QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QStyle,
    QStyleOptionTab,
    QTabBar,
    QTabWidget,
    QWidget,
)

from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.surfaces.surface import Surface
from lime_desktop.shell.widgets.parts import icon_button, name_control, no_mnemonic, plain_tip


@dataclass(frozen=True, slots=True)
class TabFace:
    """What a person knows an open entry by."""

    surface: Surface
    title: str
    short: str
    """Where there is no room for the title."""
    icon: QIcon


class EntryTabs(QTabBar):
    """Tabs that are named by an app and its entry.

    A tab's text is always the whole title, for whoever hears it; its data is the shorter one. Where the whole title has no
    room, the app's name is cut last.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setDrawBase(False)
        self.setElideMode(Qt.TextElideMode.ElideRight)

    def name_tab(self, at: int, title: str, short: str) -> None:
        """Say whose tab it is."""
        self.setTabText(at, no_mnemonic(title))
        self.setTabData(at, no_mnemonic(short))
        self.setTabToolTip(at, plain_tip(title))

    def drawn_text(self, at: int) -> str:
        """What is read on a tab in the room that it has."""
        option = QStyleOptionTab()
        self.initStyleOption(option, at)
        return option.text

    def initStyleOption(self, option: QStyleOptionTab, tabIndex: int) -> None:  # noqa: N802, N803 - Qt's names
        """Let the entry's name go, letter by letter, before any letter of the app's is cut."""
        super().initStyleOption(option, tabIndex)
        short = self.tabData(tabIndex)
        is_cut = option.text != self.tabText(tabIndex)
        if isinstance(short, str) and is_cut and not _shows_both(option.text, short):
            room = self.style().subElementRect(QStyle.SubElement.SE_TabBarTabText, option, self)
            flag = Qt.TextFlag.TextShowMnemonic.value
            option.text = self.fontMetrics().elidedText(
                short, Qt.TextElideMode.ElideRight, room.width(), flag
            )


def _shows_both(cut: str, short: str) -> bool:
    """Whether the app's name is whole and some letters of the entry's are left; the short one would stand in a gap."""
    return cut.startswith(short) and len(cut) >= len(short) + len(" · ab…")


class EntryTabWidget(QTabWidget):
    """One half of the open entries."""

    def __init__(self) -> None:
        super().__init__()
        self.entry_tabs = EntryTabs(self)
        self.setTabBar(self.entry_tabs)
        self.setMovable(True)
        self.setElideMode(Qt.TextElideMode.ElideRight)


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
