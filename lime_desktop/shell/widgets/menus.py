"""Menus that a key can go on in at once: the first choice is marked, so that it is seen where the keyboard is."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QMenu, QWidget


def open_below(menu: QMenu, opener: QWidget) -> None:
    """Open under the button that was pressed, by whatever; it goes for good when it is closed."""
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.popup(opener.mapToGlobal(opener.rect().bottomLeft()))
    _mark_first(menu)


def open_at(menu: QMenu, place: QPoint) -> None:
    """Open at a place of the screen; where the pointer is there, it marks what it comes to itself."""
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.popup(place)
    if place != QCursor.pos():
        _mark_first(menu)


def _mark_first(menu: QMenu) -> None:
    choices = (each for each in menu.actions() if each.isEnabled() and not each.isSeparator())
    if (first := next(choices, None)) is not None:
        menu.setActiveAction(first)
