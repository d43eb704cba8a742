"""Two rows of tabs side by side: which entry stands where, which half is in use, and what each row offers.

Knows surfaces and their tabs; what closing one means, and panels, are the workspace's.
"""

from collections.abc import Iterator
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QTabBar, QWidget

from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.layouts.edges import edge_to_edge
from lime_desktop.shell.surfaces.identity_bar import IdentityBar
from lime_desktop.shell.surfaces.surface import Surface
from lime_desktop.shell.widgets.parts import icon_button, name_control
from lime_desktop.shell.window.entries.tab_strip import EntryTabWidget, TabFace
from lime_desktop.shell.window.entries.titles import EntryTitles


class Halves(QSplitter):
    """The second half is there only while it holds something."""

    turned = Signal()
    """Another entry is in front of a half, or another half is in use."""
    moved = Signal()
    """The person put a tab in another place."""
    close_wanted = Signal(object)
    """The person wants this entry closed."""
    menu_wanted = Signal(object, QPoint)
    """The person asks what can be done with this entry, at this place of the screen."""

    def __init__(self, look: Look, titles: EntryTitles) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setChildrenCollapsible(False)
        self._look = look
        self._titles = titles
        self._bars: dict[Surface, IdentityBar] = {}
        """What the shell offers for each entry; it stands in the row of tabs while its entry is in front."""
        self._corners: dict[EntryTabWidget, QHBoxLayout] = {}
        self._left, self._right = self._new_half(), self._new_half()
        self._right.hide()
        self._active = self._left

    @property
    def tabs(self) -> tuple[Surface, ...]:
        """Every entry with a tab of its own, from left to right."""
        return (*_surfaces(self._left), *_surfaces(self._right))

    @property
    def tabs_in_use(self) -> tuple[Surface, ...]:
        """Those of the half in use."""
        return tuple(_surfaces(self._active))

    @property
    def in_front(self) -> Surface | None:
        """The entry in front of the half in use."""
        return _front(self._active)

    @property
    def in_front_beside(self) -> Surface | None:
        """The entry in front of the other half, where both are in use."""
        return _front(self._other) if self.is_split else None

    @property
    def is_split(self) -> bool:
        """Whether both halves are in use."""
        return self._right.count() > 0

    @property
    def is_tight(self) -> bool:
        """Whether its tabs have no room for whole titles."""
        return any(half.entry_tabs.is_tight for half in (self._left, self._right))

    def faces(self) -> Iterator[TabFace]:
        """Everything that has a tab, as its tab names it, from left to right."""
        tabs = self.tabs
        for surface in tabs:
            if (face := self._titles.face(surface, tabs)) is not None:
                yield face

    def is_beside(self, tab: Surface) -> bool:
        """Whether an entry stands in the second half."""
        return self._holding(tab) is self._right

    def is_in_front(self, tab: Surface) -> bool:
        """Whether it is the one to be seen in its half."""
        return self._holding(tab).currentWidget() is tab

    def add(self, surface: Surface, *, beside: bool) -> None:
        """Give an entry a tab behind those of the half in use; in the second half, if wanted and the first is in use."""
        half = self._right if beside and self._left.count() else self._active
        self._add_tab(half, surface)
        self._show_half(half)

    def turn_to(self, tab: Surface) -> None:
        """Bring an entry to the front of its half, which is in use from now on."""
        self._active = self._holding(tab)
        self._active.setCurrentWidget(tab)

    def swap(self, old: Surface, new: Surface) -> None:
        """Put another surface in the place of one; what is in front stays so, and so does the half in use."""
        half, active = self._holding(old), self._active
        is_in_front = half.currentWidget() is old
        self._add_tab(half, new, half.indexOf(old))
        if is_in_front:
            half.setCurrentWidget(new)
        half.removeTab(half.indexOf(old))
        self._active = active

    def move_over(self) -> Surface | None:
        """Move the entry in front to the other half; nothing, where none would be left to stand beside."""
        surface, home = self.in_front, self._active
        if surface is None or (home is self._left and home.count() == 1 and not self.is_split):
            return None
        other = self._other
        home.removeTab(home.indexOf(surface))
        self._add_tab(other, surface)
        self.settle()
        return surface

    def remove(self, tab: Surface) -> None:
        """Take an entry's tab away; `forget` and `settle` follow once the entry has ended."""
        half = self._holding(tab)
        half.removeTab(half.indexOf(tab))

    def forget(self, surface: Surface) -> None:
        """Let go of what was offered for an entry that is gone."""
        if (bar := self._bars.pop(surface, None)) is not None:
            bar.hide()
            bar.deleteLater()
        for half in (self._left, self._right):
            self._show_bar(half)

    def settle(self) -> None:
        """The first half is never the empty one: what is left moves there."""
        if not self._left.count():
            for surface in tuple(_surfaces(self._right)):
                self._add_tab(self._left, surface)
        if self._right.count():
            self._show_half(self._right)
        else:
            self._right.hide()
        if not self._active.count():
            self._active = self._left

    def name_tabs(self) -> None:
        """Say whose tabs they are in the language of now, with icons in the colours of now."""
        tabs = self.tabs
        for half in (self._left, self._right):
            for surface in _surfaces(half):
                if (face := self._titles.face(surface, tabs)) is not None:
                    self._name_tab(half, face)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt calls this
        """Close a tab by the middle button, as everywhere."""
        is_released = event.type() is QEvent.Type.MouseButtonRelease
        if is_released and isinstance(event, QMouseEvent) and isinstance(watched, QTabBar):
            half = next(each for each in self._corners if each.tabBar() is watched)
            surface = half.widget(watched.tabAt(event.position().toPoint()))
            if event.button() is Qt.MouseButton.MiddleButton and isinstance(surface, Surface):
                self.close_wanted.emit(surface)
                return True
        return super().eventFilter(watched, event)

    @property
    def _other(self) -> EntryTabWidget:
        return self._right if self._active is self._left else self._left

    def _holding(self, tab: Surface) -> EntryTabWidget:
        return next(half for half in (self._left, self._right) if half.indexOf(tab) >= 0)

    def _add_tab(self, half: EntryTabWidget, surface: Surface, place: int = -1) -> None:
        at = half.insertTab(place, surface, "")
        # Qt's own button to close a tab has no name that could be spoken.
        closing = icon_button("", lambda: self.close_wanted.emit(surface))
        self._look.icons.put_on(closing, "close", "text-muted", 14)
        half.tabBar().setTabButton(at, QTabBar.ButtonPosition.RightSide, closing)
        # All of them: which need their entry's name depends on what else is open.
        self.name_tabs()
        bar = self._bars.get(surface) or surface.findChild(IdentityBar)
        if bar is not None:
            self._bars[surface] = bar
            self._corners[half].addWidget(bar)
        self._show_bar(half)

    def _show_bar(self, half: EntryTabWidget) -> None:
        """Offer what belongs to the entry in front of this half, and nothing of those behind it."""
        for surface in _surfaces(half):
            if (bar := self._bars.get(surface)) is not None:
                bar.setVisible(surface is half.currentWidget())

    def _name_tab(self, half: EntryTabWidget, face: TabFace) -> None:
        at = half.indexOf(face.surface)
        half.entry_tabs.name_tab(at, face.title, face.short)
        half.setTabIcon(at, face.icon)
        closing = half.tabBar().tabButton(at, QTabBar.ButtonPosition.RightSide)
        name_control(closing, self._look.texts("tabs.close.named", name=face.title))

    def _show_half(self, half: EntryTabWidget) -> None:
        if half.isHidden():
            half.show()
            self.setSizes([1_000, 1_000])

    def _new_half(self) -> EntryTabWidget:
        half = EntryTabWidget()
        half.currentChanged.connect(partial(self._take_active, half))
        half.tabBar().tabMoved.connect(self._on_moved)
        half.tabBarClicked.connect(partial(self._take_active, half))
        bar = half.tabBar()
        bar.installEventFilter(self)
        bar.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        bar.customContextMenuRequested.connect(partial(self._ask_for_menu, half))
        corner = QWidget()
        across = edge_to_edge(QHBoxLayout(corner))
        half.setCornerWidget(corner)
        self._corners[half] = across
        self.addWidget(half)
        return half

    def _take_active(self, half: EntryTabWidget, _index: int) -> None:
        if half.count():
            self._active = half
        self._show_bar(half)
        self.turned.emit()

    def _ask_for_menu(self, half: EntryTabWidget, place: QPoint) -> None:
        surface = half.widget(half.tabBar().tabAt(place))
        if isinstance(surface, Surface):
            self.menu_wanted.emit(surface, half.tabBar().mapToGlobal(place))

    def _on_moved(self, _from: int, _to: int) -> None:
        self.moved.emit()


def _front(half: EntryTabWidget) -> Surface | None:
    shown = half.currentWidget()
    return shown if isinstance(shown, Surface) else None


def _surfaces(half: EntryTabWidget) -> Iterator[Surface]:
    for index in range(half.count()):
        widget = half.widget(index)
        if isinstance(widget, Surface):
            yield widget
