"""The time zone that pages are told of."""

from functools import cache

from PySide6.QtCore import QTimeZone


@cache
def system_timezone() -> str:
    """The system's time zone at the start, by its public name; asking the system each time takes long."""
    return bytes(QTimeZone.systemTimeZoneId().data()).decode() or "UTC"
