"""In whose manner dates and numbers are written: the window's language, in the system's region where it has that."""

from PySide6.QtCore import QLocale

from lime_desktop.host.wording.texts import Texts


def reading_locale(texts: Texts, system: QLocale | None = None) -> QLocale:
    """The system's own where it speaks the window's language: an English date is another in London than in Boston."""
    wanted, found = QLocale(texts.locale), QLocale.system() if system is None else system
    is_same = (found.language(), found.script()) == (wanted.language(), wanted.script())
    return found if is_same else wanted
