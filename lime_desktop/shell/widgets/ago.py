"""How long ago something was, as people say it."""

from PySide6.QtCore import QDateTime, QLocale

from lime_desktop.host.wording.texts import Texts
from lime_desktop.shell.widgets.reading_locale import reading_locale

_MINUTE_S = 60
_HOUR_S = 3_600
_DAY_S = 86_400


def ago_in_words(at_ms: int, now_ms: int, texts: Texts) -> str:
    """Minutes and hours within a day, then the date."""
    seconds = (now_ms - at_ms) // 1_000
    if seconds < _MINUTE_S:
        return texts("ago.now")
    if seconds < _HOUR_S:
        return texts("ago.minutes", count=seconds // _MINUTE_S)
    if seconds < _DAY_S:
        return texts("ago.hours", count=seconds // _HOUR_S)
    moment = QDateTime.fromMSecsSinceEpoch(at_ms)
    return reading_locale(texts).toString(moment.date(), QLocale.FormatType.ShortFormat)
