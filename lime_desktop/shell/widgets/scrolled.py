"""Another content for a scroll area, while the old one may be the one that asks for it.

Qt's own way deletes the old at once: a control in it that is still in its own signal (a button that was pressed, a list
that is folding up) would be used after it is gone, which ends the program.
"""

from PySide6.QtWidgets import QScrollArea, QWidget


def put_into(area: QScrollArea, content: QWidget) -> None:
    """Show this instead of what was there; that goes when whatever it is doing is over."""
    before = area.takeWidget()
    if before is not None:  # pyright: ignore[reportUnnecessaryComparison] - an empty area has none
        before.hide()
        before.deleteLater()
    area.setWidget(content)
