"""The row of tabs of open entries: where the whole title has no room, the app's name is cut last.

A tab's text is always the whole title, for whoever hears it; its data is the shorter one.
"""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStyle, QStyleOptionTab, QTabBar, QTabWidget, QWidget

from lime_desktop.shell.widgets.parts import no_mnemonic, plain_tip


class EntryTabs(QTabBar):
    """Tabs that are named by an app and its entry."""

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
