"""The open entries above the shell's own pages: whoever looks at Home or Settings sees what is open, and goes back by a click.

Stands exactly where the tabs of the open entries stand, so that none moves when the page is turned.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QKeyEvent, QResizeEvent
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

_SIDES = 8
_MOST_LETTERS = 28
_AS_ON_TABS = Qt.TextFlag.TextShowMnemonic.value


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

    A tab's text is always the whole title, for whoever hears it; its data is the shorter one. Where not all whole titles
    have room, every tab is named by its shorter one, and is only as wide as that: a row of both kinds reads as an accident.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_tight = False
        self._seeks_least = False
        self.setDrawBase(False)
        self.setElideMode(Qt.TextElideMode.ElideRight)

    @property
    def is_tight(self) -> bool:
        """Whether the tabs are named by their shorter titles."""
        return self._is_tight

    def fit(self, room: int, *, is_tight: bool = False) -> None:
        """Choose the names that this much room is for; the shorter ones in any case where that is wanted."""
        whole = sum(self._width(at, self.tabText(at)) for at in range(self.count()))
        is_tight = is_tight or whole > room
        if is_tight != self._is_tight:
            self._is_tight = is_tight
            # Qt has no name for it: this lays the tabs out anew.
            self.setElideMode(self.elideMode())

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

    def tabSizeHint(self, index: int) -> QSize:  # noqa: N802 - Qt calls this
        """As wide as the name that is shown."""
        hint = super().tabSizeHint(index)
        if not self._seeks_least:
            hint.setWidth(self._width(index, self._name(index)))
        return hint

    def minimumTabSizeHint(self, index: int) -> QSize:  # noqa: N802 - Qt calls this
        """As narrow as Qt lets a tab become: it measures a text of its own for that."""
        self._seeks_least = True
        try:
            return super().minimumTabSizeHint(index)
        finally:
            self._seeks_least = False

    def initStyleOption(self, option: QStyleOptionTab, tabIndex: int) -> None:  # noqa: N802, N803 - Qt's names
        """Draw the name that the row has room for; the shorter one is cut where even that is too long."""
        super().initStyleOption(option, tabIndex)
        if self._is_tight:
            room = self.style().subElementRect(QStyle.SubElement.SE_TabBarTabText, option, self)
            option.text = self.fontMetrics().elidedText(
                self._name(tabIndex), Qt.TextElideMode.ElideRight, room.width(), _AS_ON_TABS
            )

    def _name(self, at: int) -> str:
        short = self.tabData(at)
        return short if self._is_tight and isinstance(short, str) else self.tabText(at)

    def _width(self, at: int, name: str) -> int:
        """How wide the tab is with this name: icon and cross as they are, and no name wider than a person reads at a glance."""
        metrics = self.fontMetrics()
        beside = (
            super().tabSizeHint(at).width() - metrics.size(_AS_ON_TABS, self.tabText(at)).width()
        )
        widest = metrics.averageCharWidth() * _MOST_LETTERS
        return beside + min(metrics.size(_AS_ON_TABS, name).width(), widest)


class EntryTabWidget(QTabWidget):
    """One half of the open entries."""

    def __init__(self) -> None:
        super().__init__()
        self.entry_tabs = EntryTabs(self)
        self.setTabBar(self.entry_tabs)
        self.setMovable(True)
        self.setElideMode(Qt.TextElideMode.ElideRight)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt calls this
        """Name the tabs by the room there is."""
        self._fit()
        super().resizeEvent(event)

    def event(self, event: QEvent) -> bool:
        """Name them anew where one came, went or changed, or what stands beside them did."""
        if event.type() is QEvent.Type.LayoutRequest:
            self._fit()
        return super().event(event)

    def _fit(self) -> None:
        beside = self.cornerWidget()
        taken = beside.sizeHint().width() if beside else 0
        self.entry_tabs.fit(self.width() - taken - 2 * _SIDES)


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
        self._is_tight = False
        self._bar.setExpanding(False)
        self._bar.setDocumentMode(True)
        self._bar.tabBarClicked.connect(self._choose)
        self._bar.entered.connect(self._choose)
        across = QHBoxLayout(self)
        across.setContentsMargins(_SIDES, 0, _SIDES, 0)
        across.setSpacing(0)
        across.addWidget(self._bar)
        across.addStretch(1)
        self.hide()

    def show_tabs(
        self, faces: Iterable[TabFace], front: Surface | None, *, is_tight: bool = False
    ) -> None:
        """Show what is open now, named as tightly as there; the keyboard begins at the one that was in front."""
        self._is_tight = is_tight
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
        self._fit()
        # Qt tells nobody of tabs that come while they are hidden: the row would stay as wide as the last time.
        self._bar.updateGeometry()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt calls this
        """Name the tabs by the room there is."""
        self._fit()
        super().resizeEvent(event)

    def _fit(self) -> None:
        self._bar.fit(self.width() - 2 * _SIDES, is_tight=self._is_tight)

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
