"""How much, when and how long ago, in words a person reads at a glance."""

from functools import cache

from PySide6.QtCore import QDateTime, QLocale, QTimeZone

from lime_desktop.host.app_center.records.removal import RemovalItem
from lime_desktop.host.wording.app_parts import part_words
from lime_desktop.host.wording.texts import Texts

_STEP = 1_000
"""Units by tens, as systems show the sizes of files and makers those of disks."""
_UNITS = ("KB", "MB", "GB", "TB")
_FEW = 100
"""Below this, a tenth says something."""
_MINUTE_S = 60
_HOUR_S = 3_600
_DAY_S = 86_400


@cache
def system_timezone() -> str:
    """The system's time zone at the start, by its public name; asking the system each time takes long."""
    return bytes(QTimeZone.systemTimeZoneId().data()).decode() or "UTC"


def reading_locale(texts: Texts, system: QLocale | None = None) -> QLocale:
    """The system's own where it speaks the window's language: an English date is another in London than in Boston."""
    wanted, found = QLocale(texts.locale), QLocale.system() if system is None else system
    is_same = (found.language(), found.script()) == (wanted.language(), wanted.script())
    return found if is_same else wanted


def size_in_words(size: int, texts: Texts) -> str:
    """A number of bytes, as the person's language writes it."""
    if size < _STEP:
        return texts("size.bytes", count=size)
    amount, unit = size / _STEP, 0
    while round(amount) >= _STEP and unit < len(_UNITS) - 1:
        amount, unit = amount / _STEP, unit + 1
    tenths = round(amount, 1)
    digits = 0 if tenths >= _FEW or tenths.is_integer() else 1
    return f"{reading_locale(texts).toString(amount, 'f', digits)} {_UNITS[unit]}"


def time_in_words(at_ms: int, texts: Texts) -> str:
    """A moment, in local time."""
    moment = QDateTime.fromMSecsSinceEpoch(at_ms)
    return reading_locale(texts).toString(moment, QLocale.FormatType.ShortFormat)


def thing_in_words(thing: RemovalItem, texts: Texts) -> str:
    """Something an app has here: what, how many, how large."""
    what = texts(f"uninstall.thing.{thing.kind}", name=part_words(thing.name, texts))
    size = size_in_words(thing.size_bytes, texts) if thing.size_bytes else ""
    if thing.items > 1:
        key = "settings.storage.amount" if size else "uninstall.thing.items"
        return f"{what} · {texts(key, count=thing.items, size=size)}"
    return f"{what} · {size}" if size else what


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
