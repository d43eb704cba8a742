"""Says when a view of an app is made, for whoever looks at apps while they are written."""

from PySide6.QtCore import QObject, Signal


class OpenedTabs(QObject):
    """Heard by the developer's loop, by recordings and by test runs."""

    opened = Signal(object)
    """An `AppTab` was made and is about to load its page."""
