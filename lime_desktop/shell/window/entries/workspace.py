"""Open entries: tabs, in one half or two. Knows surfaces; knows nothing of what they show."""

from collections.abc import Iterator
from functools import partial
from typing import TypedDict

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QHideEvent, QMouseEvent, QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QMenu,
    QSplitter,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.host.user_profile.settings import OpenEntry
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.layouts.edges import edge_to_edge
from lime_desktop.shell.surfaces.identity_bar import IdentityBar
from lime_desktop.shell.surfaces.surface import Surface
from lime_desktop.shell.surfaces.unsaved_question import UnsavedQuestions
from lime_desktop.shell.widgets.menus import open_at
from lime_desktop.shell.widgets.parts import icon_button, name_control
from lime_desktop.shell.window.entries.panels import PanelFrame, Panels, PanelWish
from lime_desktop.shell.window.entries.tab_strip import EntryTabWidget, TabFace

_MOST_CLOSED = 20
"""Closed tabs that can be opened again."""


class _Standing(TypedDict, total=False):
    panel_of: str
    panel_width: int


class Workspace(QWidget):
    """Two rows of tabs side by side, the second there only while it holds something."""

    changed = Signal()
    """Another entry is in front, or one was opened or closed."""
    emptied = Signal()

    def __init__(self, look: Look, registry: AppRegistry) -> None:
        super().__init__()
        self._look = look
        self._registry = registry
        self._unsaved = UnsavedQuestions(look.texts, registry)
        self._bars: dict[Surface, IdentityBar] = {}
        """What the shell offers for each entry; it stands in the row of tabs while its entry is in front."""
        self._corners: dict[EntryTabWidget, QHBoxLayout] = {}
        self._splitter = QSplitter(Qt.Orientation.Horizontal)
        self._splitter.setChildrenCollapsible(False)
        self._halves = (self._new_half(), self._new_half())
        self._halves[1].hide()
        self._active = self._halves[0]
        self._closed: list[OpenEntry] = []
        self._panels = Panels(look, self.close_by_hand, self.changed.emit)
        self._panel_widths: dict[tuple[str, str], int] = {}
        """How wide the person left panels that are closed now, by app and entry."""
        self._asked: set[Surface] = set()
        """Those whose closing is being decided on."""
        layout = edge_to_edge(QVBoxLayout(self))
        layout.addWidget(self._splitter)
        look.texts.changed.connect(self._name_tabs)
        look.appearance.changed.connect(self._name_tabs)

    @property
    def tabs(self) -> tuple[Surface, ...]:
        """Every entry with a tab of its own, from left to right."""
        return tuple(each for half in self._halves for each in _surfaces(half))

    @property
    def surfaces(self) -> tuple[Surface, ...]:
        """Everything that is open, from left to right, each entry before its panels."""
        return tuple(each for tab in self.tabs for each in (tab, *self._panels.of(tab)))

    @property
    def current_tab(self) -> Surface | None:
        """The entry whose tab is in front."""
        shown = self._active.currentWidget()
        return shown if isinstance(shown, Surface) else None

    @property
    def current(self) -> Surface | None:
        """The entry that keys and commands are meant for: the one in front, or the panel of it that is in use."""
        tab = self.current_tab
        return None if tab is None else self._panels.in_use(tab)

    @property
    def panel_parts(self) -> tuple[PanelFrame, ...]:
        """The panels of the entry in front, as parts of the window that can have the keyboard."""
        tab = self.current_tab
        return () if tab is None else self._panels.frames_of(tab)

    def tab_of(self, surface: Surface) -> Surface:
        """The entry in whose tab a surface stands: itself, or the one that the panel belongs to."""
        return self._panels.owner_of(surface) or surface

    @property
    def is_split(self) -> bool:
        """Whether both halves are in use."""
        return self._halves[1].count() > 0

    def entries(self) -> tuple[OpenEntry, ...]:
        """What is open, to be opened again another time."""
        return tuple(
            OpenEntry(
                app_id=each.app_id,
                entry_key=each.entry_key,
                is_beside=self._half_of(each) is self._halves[1],
                is_current=each is self.current,
                session_id=each.session_id,
                **self._standing(each),
            )
            for each in self.surfaces
            if each.is_entry
        )

    def _standing(self, surface: Surface) -> _Standing:
        """Beside what a panel stands, and how wide."""
        owner = self._panels.owner_of(surface)
        place = None if owner is None else self._panels.place_of(owner)
        if owner is None or place is None:
            return {}
        return {"panel_of": owner.entry_key, "panel_width": place.width_wanted}

    def faces(self) -> Iterator[TabFace]:
        """Everything that is open, as its tabs name it, from left to right."""
        for surface in self.tabs:
            app = self._registry.app(surface.app_id)
            if app is not None:
                short = self._short_title(surface)
                yield TabFace(
                    surface, self._title(surface), short, self._look.appearance.icon_of(app)
                )

    @property
    def is_tight(self) -> bool:
        """Whether its tabs have no room for whole titles."""
        return any(half.entry_tabs.is_tight for half in self._halves)

    def open_at(self, app_id: str, entry_key: str) -> Surface | None:
        """The open surface of an entry."""
        wanted = (app_id, entry_key)
        entries = (each for each in self.surfaces if each.is_entry)
        return next((e for e in entries if (e.app_id, e.entry_key) == wanted), None)

    def add(self, surface: Surface, *, beside: bool = False, in_front: bool = True) -> None:
        """Open a surface in front, beside what is open if wanted; not in front, it takes neither place nor keyboard."""
        half = self._halves[1] if beside and self._halves[0].count() else self._active
        self._add_tab(half, surface)
        self._show_half(half)
        if in_front:
            self.turn_to(surface)
        else:
            self._notify()

    def embed(
        self, panel: Surface, owner: Surface, wish: PanelWish, *, in_front: bool = True
    ) -> None:
        """Open a panel beside the entry it belongs to, in that entry's tab."""
        kept = self._panel_widths.get((panel.app_id, panel.entry_key))
        wish = wish if kept is None else PanelWish(wish.side, kept)
        self._panels.embed(self.tab_of(owner), panel, wish).name(self._panel_title(panel))
        if in_front:
            self.turn_to(panel)
        else:
            self._notify()

    def replace(self, old: Surface, new: Surface) -> None:
        """Put another surface in the place of an open one; what is in front stays so, and so does the keyboard."""
        if self._panels.owner_of(old) is not None:
            self._replace_panel(old, new)
            return
        half, active = self._half_of(old), self._active
        is_in_front, holds_keyboard = half.currentWidget() is old, _holds_keyboard(old)
        at = half.indexOf(old)
        self._add_tab(half, new, at)
        if is_in_front:
            half.setCurrentWidget(new)
        half.removeTab(half.indexOf(old))
        self._panels.move(old, new)
        self._name_tabs()
        self._active = active
        old.shut()
        old.deleteLater()
        self._forget_bar(old)
        self._show_bar(half)
        if is_in_front and holds_keyboard:
            new.setFocus(Qt.FocusReason.OtherFocusReason)
        self._notify()

    def _replace_panel(self, old: Surface, new: Surface) -> None:
        holds_keyboard = _holds_keyboard(old)
        self._panels.swap(old, new)
        self._name_tabs()
        old.shut()
        old.deleteLater()
        if holds_keyboard:
            new.setFocus(Qt.FocusReason.OtherFocusReason)
        self._notify()

    def is_in_front(self, surface: Surface) -> bool:
        """Whether it is the one to be seen in its half."""
        return self._half_of(surface).currentWidget() is self.tab_of(surface)

    def turn_to(self, surface: Surface) -> None:
        """Bring an open surface to the front, with the keyboard."""
        self._active = self._half_of(surface)
        self._active.setCurrentWidget(self.tab_of(surface))
        surface.setFocus(Qt.FocusReason.OtherFocusReason)
        self._notify()

    def take_keyboard(self, *, past_panels: bool = False) -> None:
        """Bring the keyboard back to the entry in front, if it can be seen; to its panel, if that had it last."""
        surface = self.current_tab if past_panels else self.current
        if surface is not None and surface.is_seen:
            surface.setFocus(Qt.FocusReason.OtherFocusReason)

    def split(self) -> None:
        """Move the current entry to the other half; back, if it is there already."""
        surface = self.current_tab
        if surface is None:
            return
        home = self._active
        if home is self._halves[0] and home.count() == 1 and not self.is_split:
            return  # nothing would be left to stand beside
        other = self._halves[1] if home is self._halves[0] else self._halves[0]
        home.removeTab(home.indexOf(surface))
        self._add_tab(other, surface)
        self._settle()
        self.turn_to(surface)

    def widen_panel(self, by: int) -> None:
        """Give the panel of the entry in front more room or less."""
        tab = self.current_tab
        place = None if tab is None else self._panels.place_of(tab)
        if place is not None:
            place.widen(by)

    def step(self, by: int) -> None:
        """Turn to the next or the previous tab."""
        surfaces = tuple(_surfaces(self._active))
        if surfaces:
            self.turn_to(surfaces[(self._active.currentIndex() + by) % len(surfaces)])

    def show_at(self, at: int) -> None:
        """Turn to the tab with this number, counted from the left; -1 is the last."""
        if at < len(self.tabs):
            self.turn_to(self.tabs[at])

    def other_half(self) -> None:
        """Turn to the half beside."""
        if self.is_split:
            other = self._halves[1] if self._active is self._halves[0] else self._halves[0]
            shown = other.currentWidget()
            if isinstance(shown, Surface):
                self.turn_to(shown)

    def close_by_hand(self, surface: Surface) -> None:
        """Close one entry because the person wants it: asks where something would be lost, and can be undone."""
        if surface not in self._asked:
            self._asked.add(surface)  # who presses twice is asked once
            go_on = partial(self._close_to_reopen, surface)
            kept = partial(self._asked.discard, surface)
            both = [surface, *self._panels.of(surface)]
            self._unsaved.go_on_if_saved(self, both, "close", go_on, kept)

    def take_closed(self) -> OpenEntry | None:
        """What the person closed last, to be opened again; each once."""
        return self._closed.pop() if self._closed else None

    @property
    def has_closed(self) -> bool:
        """Whether there is something to open again."""
        return bool(self._closed)

    def _close_to_reopen(self, surface: Surface) -> None:
        if surface not in self.surfaces:
            return  # closed otherwise while it was asked
        # A panel is opened again after the entry that it stands beside.
        both = (surface, *self._panels.of(surface))
        here = {(each.app_id, each.entry_key) for each in both if each.is_entry}
        entries = [e for e in self.entries() if (e.app_id, e.entry_key) in here]
        self._closed = [*self._closed, *reversed(entries)][-_MOST_CLOSED:]
        self.close_surface(surface)

    def close_surface(self, surface: Surface) -> None:
        """Close one entry, and its panels with it; what went with another one already is left alone."""
        if surface not in self.surfaces:
            return
        self._asked.discard(surface)
        if self._panels.owner_of(surface) is not None:
            self._close_panel(surface)
            return
        for panel in self._panels.of(surface):
            self._keep_width(panel)
            panel.shut()
        self._panels.forget(surface)
        half = self._half_of(surface)
        half.removeTab(half.indexOf(surface))
        self._name_tabs()
        surface.shut()
        surface.deleteLater()
        self._forget_bar(surface)
        self._settle()
        self._notify()
        if not self.surfaces:
            self.emptied.emit()

    def _close_panel(self, panel: Surface) -> None:
        """Let go of a panel; the entry that it stood beside has the keyboard, if the panel had it."""
        held = _holds_keyboard(panel)
        self._keep_width(panel)
        panel.shut()
        owner = self._panels.remove(panel)
        if owner is not None and held:
            owner.setFocus(Qt.FocusReason.OtherFocusReason)
        self._notify()

    def _keep_width(self, panel: Surface) -> None:
        if (width := self._standing(panel).get("panel_width")) is not None:
            self._panel_widths[panel.app_id, panel.entry_key] = width

    def _forget_bar(self, surface: Surface) -> None:
        if (bar := self._bars.pop(surface, None)) is not None:
            bar.hide()
            bar.deleteLater()

    def close_all(self) -> None:
        """Close everything."""
        for surface in self.surfaces:
            self.close_surface(surface)

    def notify_visibility(self) -> None:
        """Say to each surface whether it can be seen."""
        for surface in self.surfaces:
            surface.set_visible(visible=self.isVisible() and surface.is_seen)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt calls this
        """Be turned to, or shown again with the window."""
        super().showEvent(event)
        self.notify_visibility()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 - Qt calls this
        """Make room for another page, or be put away with the window."""
        super().hideEvent(event)
        self.notify_visibility()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt calls this
        """Close a tab by the middle button, as everywhere."""
        is_released = event.type() is QEvent.Type.MouseButtonRelease
        if is_released and isinstance(event, QMouseEvent) and isinstance(watched, QTabBar):
            half = next(each for each in self._halves if each.tabBar() is watched)
            surface = half.widget(watched.tabAt(event.position().toPoint()))
            if event.button() is Qt.MouseButton.MiddleButton and isinstance(surface, Surface):
                self.close_by_hand(surface)
                return True
        return super().eventFilter(watched, event)

    def _half_of(self, surface: Surface) -> EntryTabWidget:
        tab = self.tab_of(surface)
        return next(half for half in self._halves if half.indexOf(tab) >= 0)

    def _add_tab(self, half: EntryTabWidget, surface: Surface, place: int = -1) -> None:
        at = half.insertTab(place, surface, "")
        # Qt's own button to close a tab has no name that could be spoken.
        closing = icon_button("", partial(self.close_by_hand, surface))
        self._look.icons.put_on(closing, "close", "text-muted", 14)
        half.tabBar().setTabButton(at, QTabBar.ButtonPosition.RightSide, closing)
        # All of them: which need their entry's name depends on what else is open.
        self._name_tabs()
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

    def _name_tab(self, half: EntryTabWidget, surface: Surface) -> None:
        """Say whose tab it is in the language of now, and show its icon in the colours of now."""
        app, texts, at = (
            self._registry.app(surface.app_id),
            self._look.texts,
            half.indexOf(surface),
        )
        if app is None:
            return  # its tab is about to be closed
        title = self._title(surface)
        half.entry_tabs.name_tab(at, title, self._short_title(surface))
        half.setTabIcon(at, self._look.appearance.icon_of(app))
        closing = half.tabBar().tabButton(at, QTabBar.ButtonPosition.RightSide)
        name_control(closing, texts("tabs.close.named", name=title))

    def _title(self, surface: Surface) -> str:
        """The app and the entry; said once where both have one name."""
        app, locale = self._registry.app(surface.app_id), self._look.texts.locale
        if app is None:
            return surface.app_id
        names = (app.title(locale), app.entry_title(surface.entry_key, locale))
        return " · ".join(dict.fromkeys(names))

    def _short_title(self, surface: Surface) -> str:
        """The app alone; of several entries of one app, the entry, which the app's icon stands beside."""
        app, locale = self._registry.app(surface.app_id), self._look.texts.locale
        if app is None:
            return surface.app_id
        is_only = [each.app_id for each in self.tabs].count(surface.app_id) <= 1
        return app.title(locale) if is_only else app.entry_title(surface.entry_key, locale)

    def _name_tabs(self) -> None:
        for half in self._halves:
            for surface in _surfaces(half):
                self._name_tab(half, surface)
                for frame in self._panels.frames_of(surface):
                    frame.name(self._panel_title(frame.surface))

    def _panel_title(self, panel: Surface) -> str:
        """The panel's own name: its tab names the app."""
        app, locale = self._registry.app(panel.app_id), self._look.texts.locale
        return panel.title or (app.entry_title(panel.entry_key, locale) if app else panel.app_id)

    def _show_half(self, half: EntryTabWidget) -> None:
        if half.isHidden():
            half.show()
            self._splitter.setSizes([1_000, 1_000])

    def _settle(self) -> None:
        """The first half is never the empty one: what is left moves there."""
        left, right = self._halves
        if not left.count():
            for surface in tuple(_surfaces(right)):
                self._add_tab(left, surface)
        if right.count():
            self._show_half(right)
        else:
            right.hide()
        if not self._active.count():
            self._active = left

    def _new_half(self) -> EntryTabWidget:
        half = EntryTabWidget()
        half.currentChanged.connect(partial(self._take_active, half))
        half.tabBar().tabMoved.connect(self._on_moved)
        half.tabBarClicked.connect(partial(self._take_active, half))
        bar = half.tabBar()
        bar.installEventFilter(self)
        bar.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        bar.customContextMenuRequested.connect(partial(self._show_menu, half))
        corner = QWidget()
        across = edge_to_edge(QHBoxLayout(corner))
        half.setCornerWidget(corner)
        self._corners[half] = across
        self._splitter.addWidget(half)
        return half

    def _take_active(self, half: EntryTabWidget, _index: int) -> None:
        if half.count():
            self._active = half
        self._show_bar(half)
        self._notify()

    def _show_menu(self, half: EntryTabWidget, place: QPoint) -> None:
        surface = half.widget(half.tabBar().tabAt(place))
        if not isinstance(surface, Surface):
            return
        self.turn_to(surface)
        texts, menu = self._look.texts, QMenu(self)
        menu.addAction(texts("tabs.split"), self.split)
        menu.addAction(texts("tabs.close"), partial(self.close_by_hand, surface))
        open_at(menu, half.tabBar().mapToGlobal(place))

    def _on_moved(self, _from: int, _to: int) -> None:
        self.changed.emit()

    def _notify(self) -> None:
        self.notify_visibility()
        self.changed.emit()


def _holds_keyboard(surface: Surface) -> bool:
    """Whether the keyboard is in a surface, or nowhere that a person would miss it."""
    focused = QApplication.focusWidget()
    return focused is None or focused is surface or surface.isAncestorOf(focused)


def _surfaces(half: EntryTabWidget) -> Iterator[Surface]:
    for index in range(half.count()):
        widget = half.widget(index)
        if isinstance(widget, Surface):
            yield widget
