"""The settings as a person sees them: sections at the left, the chosen one at the right."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.layouts.edges import edge_to_edge
from lime_desktop.shell.notices.notices import OfferUndo
from lime_desktop.shell.notices.undo import Removals
from lime_desktop.shell.settings.section import (
    EngineFacts,
    Section,
    SectionContext,
    SettingsServices,
)
from lime_desktop.shell.settings.table import sections_of
from lime_desktop.shell.widgets.focus import begin_here, tab_stops
from lime_desktop.shell.widgets.page import Page, widen_with_text
from lime_desktop.shell.widgets.parts import button, combo_box, label
from lime_desktop.shell.widgets.work import Failed, Work

_NARROW = 640
"""The width below which the list of sections would leave a section too little."""
_BESIDE = 16
"""What is seen beyond the chosen one of a list that is scrolled to it."""


@dataclass(frozen=True, slots=True)
class SettingsLinks:
    """What the settings need of the window they stand in."""

    call: CallServer
    say: Callable[[str, str], None]
    failed: Failed
    show_app: Callable[[str], None]
    close_app: Callable[[str], None]
    offer_undo: OfferUndo
    removals: Removals


class SettingsPage(QWidget):
    """Builds the chosen section anew whenever it is shown: what it shows is never stale."""

    def __init__(
        self, look: Look, services: SettingsServices, engine: EngineFacts, links: SettingsLinks
    ) -> None:
        super().__init__()
        self.setObjectName("page")
        self._look = look
        self._services = services
        self._engine = engine
        self._links = links
        self._all = sections_of(services.folders.product)
        self._shown = self._all[0]
        self._told: object = None
        self._work = Work(self, links.failed)
        self._area = QScrollArea()
        self._list = QWidget()
        self._list.setObjectName("section-list")
        self._title = label(look.texts("settings.title"), "title")
        self._buttons = {section.key: self._button(section) for section in self._all}
        self._chooser = combo_box()
        self._chooser.activated.connect(self._choose)
        self._page = Page()
        self._side = self._sections()
        self._head = self._narrow_head()
        layout = edge_to_edge(QVBoxLayout(self), 0)
        layout.addWidget(self._head)
        across = QHBoxLayout()
        across.setSpacing(0)
        across.addWidget(self._side)
        across.addWidget(self._page, 1)
        layout.addLayout(across, 1)
        self._fill_list()
        self._fill_chooser()
        look.appearance.changed.connect(self._fit)
        look.texts.changed.connect(self._retranslate)
        self.destroyed.connect(services.registry.watch(self._follow_apps))

    @property
    def section(self) -> str:
        """The key of the section that is shown."""
        return self._shown.key

    def show_section(self, key: str = "") -> None:
        """Turn to a section, or show the last one again; an unknown one leaves the page as it is."""
        is_named = bool(key)
        self._shown = next((each for each in self._all if each.key == key), self._shown)
        chosen = self._buttons[self._shown.key]
        chosen.setChecked(True)
        # Once the list is laid out: before, everything is at its top.
        QTimer.singleShot(0, chosen, lambda: self._area.ensureWidgetVisible(chosen, 0, _BESIDE))
        self._chooser.setCurrentIndex(self._all.index(self._shown))
        self._work.end()
        self._told = self._tells()
        texts, key = self._look.texts, self._shown.key
        self._page.refill(
            label(texts(f"settings.{key}.title"), "title"),
            label(texts(f"settings.{key}.about"), "muted"),
            self._shown.build(self._context()),
        )
        self._mark_first(is_named=is_named)
        if is_named:
            self._page.verticalScrollBar().setValue(0)
            # After the keyboard was brought into it, which happens once the page is laid out.
            QTimer.singleShot(0, self, lambda: QTimer.singleShot(0, self, self._begin_at_top))

    def _begin_at_top(self) -> None:
        """Show what a section is before what can be done in it; a control further down waits in the list beside it."""
        bar, focused = self._page.verticalScrollBar(), QApplication.focusWidget()
        bar.setValue(0)
        port = self._page.viewport()
        if focused is None or not port.isAncestorOf(focused):
            return
        place = QRect(focused.mapTo(port, QPoint()), focused.size())
        if not port.rect().contains(place):
            beside = self._buttons[self._shown.key] if self._side.isVisible() else self._chooser
            beside.setFocus(Qt.FocusReason.OtherFocusReason)
            bar.setValue(0)

    def _mark_first(self, *, is_named: bool) -> None:
        """Begin in the section that somebody named, else where one is chosen; a section may also offer nothing."""
        if is_named:
            for each in tab_stops(self._page.widget())[:1]:
                begin_here(each, rank=2)
        for section, each in self._buttons.items():
            begin_here(each, rank=int(section == self._shown.key))
        begin_here(self._chooser)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt calls this
        """Give the list's room to the section where both would be too narrow."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        is_narrow = self.width() < _NARROW * self._look.appearance.text_scale
        self._side.setVisible(not is_narrow)
        self._head.setVisible(is_narrow)

    def _context(self) -> SectionContext:
        links = self._links
        return SectionContext(
            look=self._look,
            services=self._services,
            engine=self._engine,
            call=links.call,
            work=self._work,
            say=links.say,
            show_app=links.show_app,
            close_app=links.close_app,
            offer_undo=links.offer_undo,
            removals=links.removals,
            page=self._page,
        )

    def _tells(self) -> object:
        shows = self._shown.shows
        return None if shows is None else shows(self._services.registry)

    def _follow_apps(self) -> None:
        # Afterwards: the change may come from a button of the section, which must outlive its click.
        QTimer.singleShot(0, self, self._tell_anew)

    def _tell_anew(self) -> None:
        if self.isVisible() and self._tells() != self._told:
            self.show_section()

    def _retranslate(self) -> None:
        texts = self._look.texts
        self._title.setText(texts("settings.title"))
        for key, each in self._buttons.items():
            each.setText(texts(f"settings.{key}.title"))
        self._fill_chooser()
        if self.isVisible():
            self.show_section()

    def _choose(self, at: int) -> None:
        self.show_section(self._all[at].key)

    def _fill_chooser(self) -> None:
        """Name the sections in the place of the list, which a narrow window has no room for."""
        texts = self._look.texts
        self._chooser.clear()
        self._chooser.setAccessibleName(texts("settings.title"))
        for each in self._all:
            self._chooser.addItem(texts(f"settings.{each.key}.title"))
        self._chooser.setCurrentIndex(self._all.index(self._shown))

    def _narrow_head(self) -> QFrame:
        made = QFrame()
        made.setObjectName("bar")
        across = QHBoxLayout(made)
        across.setContentsMargins(16, 8, 16, 8)
        across.addWidget(self._chooser)
        made.hide()
        return made

    def _sections(self) -> QFrame:
        """The list under its title; it is longer than a low window with large text, and scrolls without the title."""
        side = QFrame()
        side.setObjectName("sections")
        column = QVBoxLayout(side)
        column.setContentsMargins(0, 24, 0, 0)
        column.setSpacing(12)
        self._title.setContentsMargins(16, 0, 16, 0)
        column.addWidget(self._title)
        area = self._area
        area.setWidget(self._list)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        column.addWidget(area, 1)
        widen_with_text(side, self._look.appearance, 232)
        return side

    def _fill_list(self) -> None:
        column = QVBoxLayout(self._list)
        column.setContentsMargins(16, 4, 16, 16)
        column.setSpacing(4)
        group = QButtonGroup(self)
        for each in self._buttons.values():
            group.addButton(each)
            column.addWidget(each)
        column.addStretch(1)
        self._buttons[self._shown.key].setChecked(True)

    def _button(self, section: Section) -> QPushButton:
        words = self._look.texts(f"settings.{section.key}.title")
        made = button(words, lambda: self.show_section(section.key), "section")
        made.setCheckable(True)
        self._look.icons.put_on(made, section.sign, "text-muted")
        return made
