"""Open entries: tabs, in one half or two. Knows surfaces; knows nothing of what they show."""

from collections.abc import Iterator
from functools import partial
from typing import TypedDict

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QMenu, QVBoxLayout, QWidget

from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.host.user_profile.settings import OpenEntry
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.layouts.edges import edge_to_edge
from lime_desktop.shell.surfaces.surface import Surface
from lime_desktop.shell.surfaces.unsaved_question import UnsavedQuestions
from lime_desktop.shell.widgets.menus import open_at
from lime_desktop.shell.window.entries.closed_entries import ClosedEntries
from lime_desktop.shell.window.entries.halves import Halves
from lime_desktop.shell.window.entries.panel_place import PanelFrame, PanelWish
from lime_desktop.shell.window.entries.panels import Panels
from lime_desktop.shell.window.entries.tab_strip import TabFace
from lime_desktop.shell.window.entries.titles import EntryTitles


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
        self._unsaved = UnsavedQuestions(look.texts, registry)
        self._titles = EntryTitles(look, registry)
        self._halves = Halves(look, self._titles)
        self._closed = ClosedEntries()
        self._panels = Panels(look, self.close_by_hand, self.changed.emit)
        self._asked: set[Surface] = set()
        """Those whose closing is being decided on."""
        layout = edge_to_edge(QVBoxLayout(self))
        layout.addWidget(self._halves)
        self._follow_halves()
        look.texts.changed.connect(self._name_tabs)
        look.appearance.changed.connect(self._name_tabs)

    def _follow_halves(self) -> None:
        self._halves.turned.connect(self._notify)
        self._halves.moved.connect(self.changed)
        self._halves.close_wanted.connect(self.close_by_hand)
        self._halves.menu_wanted.connect(self._show_menu)

    @property
    def tabs(self) -> tuple[Surface, ...]:
        """Every entry with a tab of its own, from left to right."""
        return self._halves.tabs

    @property
    def surfaces(self) -> tuple[Surface, ...]:
        """Everything that is open, from left to right, each entry before its panels."""
        return tuple(each for tab in self.tabs for each in (tab, *self._panels.of(tab)))

    @property
    def current_tab(self) -> Surface | None:
        """The entry whose tab is in front."""
        return self._halves.in_front

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
        return self._halves.is_split

    def entries(self) -> tuple[OpenEntry, ...]:
        """What is open, to be opened again another time."""
        return tuple(
            OpenEntry(
                app_id=each.app_id,
                entry_key=each.entry_key,
                is_beside=self._halves.is_beside(self.tab_of(each)),
                is_current=each is self.current,
                session_id=each.session_id,
                run_id=each.run_id,
                **self._standing(each),
            )
            for each in self.surfaces
            if each.is_entry
        )

    def _standing(self, surface: Surface) -> _Standing:
        """Beside what a panel stands, and how wide."""
        owner, width = self._panels.owner_of(surface), self._panels.width_of(surface)
        if owner is None or width is None:
            return {}
        return {"panel_of": owner.entry_key, "panel_width": width}

    def faces(self) -> Iterator[TabFace]:
        """Everything that is open, as its tabs name it, from left to right."""
        return self._halves.faces()

    @property
    def is_tight(self) -> bool:
        """Whether its tabs have no room for whole titles."""
        return self._halves.is_tight

    def open_at(self, app_id: str, entry_key: str) -> Surface | None:
        """The open surface of an entry."""
        wanted = (app_id, entry_key)
        entries = (each for each in self.surfaces if each.is_entry)
        return next((e for e in entries if (e.app_id, e.entry_key) == wanted), None)

    def add(self, surface: Surface, *, beside: bool = False, in_front: bool = True) -> None:
        """Open a surface in front, beside what is open if wanted; not in front, it takes neither place nor keyboard."""
        self._halves.add(surface, beside=beside)
        if in_front:
            self.turn_to(surface)
        else:
            self._notify()

    def embed(
        self, panel: Surface, owner: Surface, wish: PanelWish, *, in_front: bool = True
    ) -> None:
        """Open a panel beside the entry it belongs to, in that entry's tab."""
        frame = self._panels.embed(self.tab_of(owner), panel, wish)
        frame.name(self._titles.of_panel(panel))
        if in_front:
            self.turn_to(panel)
        else:
            self._notify()

    def replace(self, old: Surface, new: Surface) -> None:
        """Put another surface in the place of an open one; what is in front stays so, and so does the keyboard."""
        if self._panels.owner_of(old) is not None:
            self._replace_panel(old, new)
            return
        is_in_front, holds_keyboard = self._halves.is_in_front(old), _holds_keyboard(old)
        self._halves.swap(old, new)
        self._panels.move(old, new)
        self._name_tabs()
        old.shut()
        old.deleteLater()
        self._halves.forget(old)
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
        return self._halves.is_in_front(self.tab_of(surface))

    def turn_to(self, surface: Surface) -> None:
        """Bring an open surface to the front, with the keyboard."""
        self._halves.turn_to(self.tab_of(surface))
        surface.setFocus(Qt.FocusReason.OtherFocusReason)
        self._notify()

    def take_keyboard(self, *, past_panels: bool = False) -> None:
        """Bring the keyboard back to the entry in front, if it can be seen; to its panel, if that had it last."""
        surface = self.current_tab if past_panels else self.current
        if surface is not None and surface.is_seen:
            surface.setFocus(Qt.FocusReason.OtherFocusReason)

    def split(self) -> None:
        """Move the current entry to the other half; back, if it is there already."""
        if (surface := self._halves.move_over()) is not None:
            self.turn_to(surface)

    def widen_panel(self, by: int) -> None:
        """Give the panel of the entry in front more room or less."""
        tab = self.current_tab
        place = None if tab is None else self._panels.place_of(tab)
        if place is not None:
            place.widen(by)

    def step(self, by: int) -> None:
        """Turn to the next or the previous tab."""
        tabs, shown = self._halves.tabs_in_use, self._halves.in_front
        if shown is not None:
            self.turn_to(tabs[(tabs.index(shown) + by) % len(tabs)])

    def show_at(self, at: int) -> None:
        """Turn to the tab with this number, counted from the left; -1 is the last."""
        if at < len(self.tabs):
            self.turn_to(self.tabs[at])

    def other_half(self) -> None:
        """Turn to the half beside."""
        if (shown := self._halves.in_front_beside) is not None:
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
        return self._closed.take()

    @property
    def has_closed(self) -> bool:
        """Whether there is something to open again."""
        return bool(self._closed)

    def _close_to_reopen(self, surface: Surface) -> None:
        if surface not in self.surfaces:
            return  # closed otherwise while it was asked
        both = (surface, *self._panels.of(surface))
        here = {(each.app_id, each.entry_key) for each in both if each.is_entry}
        self._closed.add([e for e in self.entries() if (e.app_id, e.entry_key) in here])
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
            self._panels.keep_width(panel)
            panel.shut()
        self._panels.forget(surface)
        self._halves.remove(surface)
        self._name_tabs()
        surface.shut()
        surface.deleteLater()
        self._halves.forget(surface)
        self._halves.settle()
        self._notify()
        if not self.surfaces:
            self.emptied.emit()

    def _close_panel(self, panel: Surface) -> None:
        """Let go of a panel; the entry that it stood beside has the keyboard, if the panel had it."""
        held = _holds_keyboard(panel)
        self._panels.keep_width(panel)
        panel.shut()
        owner = self._panels.remove(panel)
        if owner is not None and held:
            owner.setFocus(Qt.FocusReason.OtherFocusReason)
        self._notify()

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

    def _name_tabs(self) -> None:
        self._halves.name_tabs()
        for tab in self.tabs:
            for frame in self._panels.frames_of(tab):
                frame.name(self._titles.of_panel(frame.surface))

    def _show_menu(self, surface: Surface, place: QPoint) -> None:
        self.turn_to(surface)
        texts, menu = self._look.texts, QMenu(self)
        menu.addAction(texts("tabs.split"), self.split)
        menu.addAction(texts("tabs.close"), partial(self.close_by_hand, surface))
        open_at(menu, place)

    def _notify(self) -> None:
        self.notify_visibility()
        self.changed.emit()


def _holds_keyboard(surface: Surface) -> bool:
    """Whether the keyboard is in a surface, or nowhere that a person would miss it."""
    focused = QApplication.focusWidget()
    return focused is None or focused is surface or surface.isAncestorOf(focused)
