"""What a person drops on a page: the page hears of it as on any website, and may take references to it from the host.

Dropping is a choice like any other in the host's own dialog, so it is a grant, for the view it was dropped on and no
other. It is given out once and soon: a page cannot come back later for what was meant for another moment.
"""

import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QDropEvent
from PySide6.QtWebEngineCore import QWebEnginePage
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import QWidget

from lime_desktop.host.view.opened_files import MOST_FILES

VALID_S = 30.0


class Dropped:
    """The paths of the last drop on one view."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._paths: tuple[Path, ...] = ()
        self._at = 0.0

    def keep(self, data: QMimeData) -> None:
        """Remember which files and folders of this computer these are; what is none of them is no grant."""
        local = [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
        self._paths = tuple(path for path in local if path.is_absolute())[:MOST_FILES]
        self._at = self._clock()

    def take(self) -> tuple[Path, ...]:
        """Give them out, once."""
        paths, self._paths = self._paths, ()
        return paths if self._clock() - self._at <= VALID_S else ()


class DropView(QWebEngineView):
    """The engine's view, which remembers what was dropped on it before the page hears of it."""

    def __init__(self, page: QWebEnginePage, dropped: Dropped, parent: QWidget) -> None:
        super().__init__(page, parent)
        self._dropped = dropped

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 - Qt calls this  # pyright: ignore[reportIncompatibleMethodOverride] - Qt names it otherwise in its base
        """Keep what it is, then let the engine tell the page."""
        self._dropped.keep(event.mimeData())
        super().dropEvent(event)
