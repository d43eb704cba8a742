"""How much, in words a person reads at a glance."""

from PySide6.QtCore import QDateTime, QLocale

from lime_desktop.host.app_center.records.removal import Thing
from lime_desktop.host.wording.texts import Texts


def size_in_words(size: int, texts: Texts) -> str:
    """A number of bytes, as the person's language writes it."""
    return QLocale(texts.locale).formattedDataSize(size, 1)


def time_in_words(at_ms: int, texts: Texts) -> str:
    """A moment, in local time."""
    moment = QDateTime.fromMSecsSinceEpoch(at_ms)
    return QLocale(texts.locale).toString(moment, QLocale.FormatType.ShortFormat)


def thing_in_words(thing: Thing, texts: Texts) -> str:
    """Something an app has here: what, how many, how large."""
    what = texts(f"uninstall.thing.{thing.kind}", name=_part_in_words(thing.name, texts))
    facts = [texts("uninstall.thing.items", count=thing.items)] if thing.items > 1 else []
    facts += [size_in_words(thing.size_bytes, texts)] if thing.size_bytes else []
    return f"{what} · {', '.join(facts)}" if facts else what


def _part_in_words(name: str, texts: Texts) -> str:
    """A part of an app's data; one that has no words here keeps its name."""
    words = texts(f"uninstall.part.{name}")
    return name if words == f"uninstall.part.{name}" else words
