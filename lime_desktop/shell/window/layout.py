"""Where the parts of the window stand: the rail, what it leads to with the shell's own words around it, what opens beside."""

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget


def beside_each_other(rail: QWidget, main: QWidget, *panels: QWidget) -> QWidget:
    """The whole window; all room that is left goes to the middle."""
    whole = QWidget()
    across = QHBoxLayout(whole)
    across.setContentsMargins(0, 0, 0, 0)
    across.setSpacing(0)
    across.addWidget(rail)
    across.addWidget(main, 1)
    for panel in panels:
        across.addWidget(panel)
    return whole


def middle_of(strip: QWidget, pages: QWidget) -> QWidget:
    """The pages under what is open, with all the room there is: what the shell says floats over them."""
    main = QWidget()
    main.setObjectName("page")
    column = QVBoxLayout(main)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    column.addWidget(strip)
    column.addWidget(pages, 1)
    return main
