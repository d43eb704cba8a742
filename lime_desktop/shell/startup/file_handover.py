"""How files that a person opened from outside come to the app that is the program for them.

The app's first entry is opened, and the files wait for its page to ask for them. An app that is still to be reviewed and
installed gets them after that. Where a page does not ask, the person is told how to give them by hand, and they wait no more.
"""

import asyncio
import time
from pathlib import Path

from PySide6.QtCore import QTimer

from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.host.startup.asked_files import AskedFiles, read_asked_files
from lime_desktop.host.view.opened_files import (
    MOST_BYTES,
    MOST_FILES,
    EntryView,
    FileFault,
    OpenedFilesQueue,
    code_of,
    fault_of,
)
from lime_desktop.product import Product
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.ids import AppId
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.widgets.work import Work
from lime_desktop.shell.window.main_window import MainWindow

_EACH_MS = 1_000
TAKING_S = 15.0
"""How long a page that is up may take to ask for what waits for it."""
LONGEST_S = 600.0
"""How long files wait for a page to come up: the person may have something to set up or to agree to first."""
_CAPABILITY = "lime.files"


class FileHandover:
    """Opens files with their app."""

    def __init__(
        self,
        window: MainWindow,
        look: Look,
        registry: AppRegistry,
        opened: OpenedFilesQueue,
        product: Product,
    ) -> None:
        self._window = window
        self._look = look
        self._registry = registry
        self._opened = opened
        self._product = product
        self._work = Work(window, window.notices.problem)
        self._uninstalled: tuple[Path, ...] = ()
        """For the product's own app, once the person has installed it."""
        self._since: dict[EntryView, float] = {}
        self._up: set[EntryView] = set()
        self._timer = QTimer(window, interval=_EACH_MS)
        self._timer.timeout.connect(self._look_after)
        registry.watch(self._go_on)
        opened.failed.subscribe(window.notices.problem)

    def shows(self, target: str) -> bool:
        """Whether the program was asked for files, which are then opened."""
        try:
            asked = read_asked_files(target, self._product)
        except AppError as error:
            self._window.notices.problem(error)
            return True
        if asked is not None:
            self._window.come_forward()
            self._work.start(self._open(asked))
        return asked is not None

    async def _open(self, asked: AskedFiles) -> None:
        faults: list[FileFault | None] = await asyncio.to_thread(
            lambda: [fault_of(path) for path in asked.paths]
        )
        for path, fault in zip(asked.paths, faults, strict=True):
            if fault is not None:
                self._refuse(fault, path.name)
        sound = [path for path, fault in zip(asked.paths, faults, strict=True) if fault is None]
        if len(sound) > MOST_FILES:
            self._refuse("many", sound[0].name)
        elif sound:
            self._give(asked.app_id, tuple(sound))

    def _give(self, app_id: str, paths: tuple[Path, ...]) -> None:
        app = self._registry.app(app_id)
        own = self._product.app
        if app is not None:
            entry = app.first_entry
            if entry is None or not app.declared.has_capability(_CAPABILITY, entry):
                self._tell_by_hand(app_id, paths)
                return
            self._window.open_entry(app_id, entry)
            view = (AppId(app_id), entry)
            self._opened.give(view, paths)
            self._since[view] = time.monotonic()
            self._timer.start()
        elif own is not None and own.id == app_id:
            self._uninstalled = (*self._uninstalled, *paths)[-MOST_FILES:]
        else:
            self._refuse("no-app", paths[0].name)

    def _go_on(self) -> None:
        own = self._product.app
        if self._uninstalled and own is not None and self._registry.app(own.id) is not None:
            paths, self._uninstalled = self._uninstalled, ()
            self._give(own.id, paths)

    def _look_after(self) -> None:
        for view in tuple(self._since):
            self._look_after_one(view)
        if not self._since:
            self._timer.stop()

    def _look_after_one(self, view: EntryView) -> None:
        if not self._opened.is_waiting(view):
            self._forget(view)
            return
        surface = self._window.workspace.open_at(*view)
        if surface is not None and surface.is_up and view not in self._up:
            self._up.add(view)
            self._since[view] = time.monotonic()
        longest = TAKING_S if view in self._up else LONGEST_S
        if time.monotonic() - self._since[view] > longest:
            self._tell_by_hand(view[0], self._opened.take_back(view))
            self._forget(view)

    def _forget(self, view: EntryView) -> None:
        self._since.pop(view, None)
        self._up.discard(view)

    def _tell_by_hand(self, app_id: str, paths: tuple[Path, ...]) -> None:
        app = self._registry.app(app_id)
        texts = self._look.texts
        title = app_id if app is None else app.title(texts.locale)
        # Which is no failure: the app takes its files in another way.
        self._window.notices.hint(texts("opened-file.by-hand", file=paths[0].name, app=title))

    def _refuse(self, fault: FileFault, file: str) -> None:
        texts = self._look.texts
        why = texts(f"opened-file.{fault}", most=MOST_FILES, gigabytes=MOST_BYTES // 1024**3)
        words = texts("opened-file.refused", file=file, why=why, code=code_of(fault))
        self._window.notices.toast(words, "error")
