"""A package opened where it lies, from its first page to the end of the program: shown anew as it is saved."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from lime_desktop.app_package.files.tree import PackageTree, open_folder
from lime_desktop.app_package.package import AppPackage, load_package
from lime_desktop.app_package.problems import Problem
from lime_desktop.developer.changes import Change, Renewal, read_change
from lime_desktop.developer.events import OpenedEvent, ProblemsEvent, ReloadedEvent
from lime_desktop.developer.findings import NOTHING_RECORDED, findings_of
from lime_desktop.developer.options import Developing
from lime_desktop.developer.served_pages import DevServerPages
from lime_desktop.developer.watching import FolderWatch
from lime_desktop.host.apps.bundle import bundle_root
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.shell.developer.live_entry import LiveEntry
from lime_desktop.shell.developer.recording.record_view import ViewRecording
from lime_desktop.shell.developer.services import DeveloperServices
from lime_desktop.shell.window.app_tab.app_tab import AppTab
from lime_desktop.shell.window.main_window import MainWindow

_PAINT_S = 5.0
"""How long a page may take to paint before the next change is looked at all the same."""


_SETUP_MS = 15_000
"""After so long what is not known about the app's setup counts as missing, and is told."""


class DeveloperLoop(QObject):
    """Registers the package with all it asks for, opens it as soon as it can run, and follows its files."""

    opened = Signal(str)
    """The entry is open for the first time."""

    def __init__(
        self, window: MainWindow, services: DeveloperServices, developing: Developing
    ) -> None:
        super().__init__(window)
        self._window = window
        self._services = services
        self._registry = services.registry
        self._options = developing.options
        self._tell = developing.tell
        self._app_id = ""
        self._entry_key = developing.options.entry_key
        self._tree: PackageTree | None = None
        self._package_problems: tuple[Problem, ...] = ()
        self._told: tuple[Problem, ...] = ()
        self._is_open = False
        self._is_patient = True
        self._entries: list[LiveEntry] = []
        server = developing.options.dev_server
        self._pages = (
            DevServerPages(server, self._miss_server, self._on_failure) if server else None
        )
        self._watch: FolderWatch | None = None
        self._recording: ViewRecording | None = None
        self._saved: set[str] = set()
        self._work: asyncio.Task[None] | None = None
        self._number = 0
        self._painted: asyncio.Future[str] | None = None
        self._stop_following: Callable[[], None] = lambda: None

    @property
    def app(self) -> RegisteredApp | None:
        """The app as it was last read."""
        return self._registry.app(self._app_id)

    @property
    def entries(self) -> tuple[LiveEntry, ...]:
        """The open entries of the app."""
        return tuple(self._entries)

    def start(self) -> None:
        """Read the package and show it; a page that cannot run yet opens once it can."""
        self._services.opened_tabs.opened.connect(self._join)
        [app] = self._registry.add([self._options.package])
        self._app_id = app.app_id
        self._services.setup.work_on(app.app_id)
        QTimer.singleShot(_SETUP_MS, self, self._give_up)
        if self._options.record_file is not None:
            self._recording = ViewRecording(
                self._services.opened_tabs,
                self._services.resources,
                app.app_id,
                self._options.record_file,
            )
        self._tree = app.package.tree
        self._package_problems = app.package.problems
        self._window.show_details(app.app_id)
        self._grant(app)
        if self._options.is_watched:
            self._start_watching()
        self._stop_following = self._registry.watch(self._follow_registry)
        self._follow_registry()

    async def close(self) -> None:
        """Watch no longer."""
        self._stop_following()
        self._services.opened_tabs.opened.disconnect(self._join)
        if self._recording is not None:
            self._recording.close()
            if self._recording.is_empty:
                problem = NOTHING_RECORDED.found(NOTHING_RECORDED.meaning)
                self._tell(ProblemsEvent(problems=(*self._told, problem)))
        if self._watch is not None:
            await asyncio.to_thread(self._watch.stop)
        if self._pages is not None:
            await self._pages.close()
        if self._work is not None:
            self._work.cancel()
            await asyncio.wait({self._work})

    # The package, as it opens.

    def _grant(self, app: RegisteredApp) -> None:
        self._registry.grant(app.app_id, *(each.key for each in app.package.manifest.permissions))

    def _follow_registry(self) -> None:
        app = self.app
        if app is None:
            return
        if not self._is_open:
            self._open(app)
        self._look()

    def _open(self, app: RegisteredApp) -> None:
        entry_key = self._entry_key or app.projection.default_entry or ""
        if not app.can_open(entry_key):
            return
        self._is_open = True
        self._entry_key = entry_key
        self._window.open_entry(app.app_id, entry_key)
        self._tell(self._opened(app, entry_key))
        self.opened.emit(entry_key)

    def _opened(self, app: RegisteredApp, entry_key: str) -> OpenedEvent:
        server = self._options.dev_server
        return OpenedEvent(
            app_id=app.app_id,
            entry_key=entry_key,
            package=str(app.path),
            dev_server=server.origin if server else None,
            granted=tuple(sorted(app.granted)),
        )

    def _join(self, tab: object) -> None:
        if not isinstance(tab, AppTab) or tab.app_id != self._app_id:
            return
        entry = LiveEntry(
            tab, self._services.texts, self._services.resources, self._options, self._pages
        )
        entry.problems_changed.connect(self._look)
        entry.painted.connect(self._take_painted)
        self._entries.append(entry)
        entry.destroyed.connect(lambda: self._part(entry))

    def _part(self, entry: LiveEntry) -> None:
        if entry in self._entries:
            self._entries.remove(entry)

    def _miss_server(self) -> None:
        for entry in self.entries:
            entry.miss_server()

    def _on_failure(self, path: str, words: str) -> None:
        for entry in self.entries:
            entry.on_failure(path, words)

    # What is saved.

    def _start_watching(self) -> None:
        loop = asyncio.get_running_loop()

        def hear(files: frozenset[str]) -> None:
            loop.call_soon_threadsafe(self._take_saved, files)

        self._watch = FolderWatch(self._options.package, hear)
        self._watch.start()

    def _take_saved(self, files: frozenset[str]) -> None:
        self._saved |= files
        if self._work is None or self._work.done():
            self._work = asyncio.get_running_loop().create_task(self._follow_files())

    async def _follow_files(self) -> None:
        while self._saved:
            saved, self._saved = self._saved, set()
            begun = _saved_at(self._options.package, saved)
            tree = await asyncio.to_thread(open_folder, self._options.package)
            app, before = self.app, self._tree
            if app is None or before is None:
                return
            self._tree = tree
            bundle = None if self._options.dev_server else bundle_root(app.package.manifest)
            change = read_change(saved, bundle, before.files, tree.files)
            if change is not None:
                await self._follow(change, tree, begun)

    async def _follow(self, change: Change, tree: PackageTree, begun: float) -> None:
        """Show first, judge after: reading a package takes longer than painting a page."""
        if change.renewal is not Renewal.PACKAGE:
            await self._show(change, tree, begun)
        package = await asyncio.to_thread(load_package, tree)
        has_changed = self._take_package(package)
        if has_changed:
            await self._show(change, tree, begun, is_manifest=True)

    async def _show(
        self, change: Change, tree: PackageTree, begun: float, *, is_manifest: bool = False
    ) -> None:
        if not self._entries:
            return
        self._number += 1
        self._painted = asyncio.get_running_loop().create_future()
        for entry in self.entries:
            entry.show_change(change, tree, self._number)
        try:
            async with asyncio.timeout(_PAINT_S):
                how = await self._painted
        except TimeoutError:
            return
        took_ms = round((time.time() - begun) * 1_000)
        met = "manifest" if is_manifest else "styles" if how == "styles" else "page"
        self._tell(ReloadedEvent(files=change.files, how=met, took_ms=took_ms))
        texts = self._services.texts
        for entry in self.entries:
            entry.strip.say(texts("dev.shown", file=change.files[0], ms=took_ms))

    def _take_painted(self, number: int, how: str) -> None:
        if number == self._number and self._painted is not None and not self._painted.done():
            self._painted.set_result(how)

    def _take_package(self, package: AppPackage) -> bool:
        """Judge the package as it reads now; while it is broken, the last whole one stays. True if the page must know."""
        app = self.app
        self._package_problems = package.problems
        if app is None or not package.is_valid:
            self._look()
            return False
        if package.manifest.name != app.app_id:
            self._take_name(app, package)
            return True
        has_changed = package.effective != app.package.effective
        self._grant(self._registry.renew(app, package))
        for entry in self.entries:
            entry.renew()
        self._look()
        return has_changed

    def _take_name(self, app: RegisteredApp, package: AppPackage) -> None:
        """Another name is another app, with an origin and data of its own: its view cannot be the old one."""
        self._entries.clear()
        self._window.close_app(app.app_id)
        self._app_id = package.manifest.name
        self._services.setup.work_on(self._app_id)
        self._is_open = False
        self._grant(self._registry.renew(app, package))
        self._follow_registry()

    # What is wrong.

    def _look(self) -> None:
        app = self.app
        if app is None:
            return
        found = findings_of(
            app,
            self._entry_key or app.projection.default_entry or "",
            self._package_problems,
            knows_setup=not self._is_patient or self._registry.knows_setup(app.app_id),
        )
        pages = [problem for entry in self.entries for problem in entry.problems]
        problems = (*found, *dict.fromkeys(pages))
        if problems == self._told:
            return
        self._told = problems
        for entry in self.entries:
            entry.show_problems(problems)
        self._tell(ProblemsEvent(problems=problems))

    def _give_up(self) -> None:
        self._is_patient = False
        self._look()


def _saved_at(folder: Path, files: set[str]) -> float:
    """When the newest of these files was written; now, where none is left."""
    now = time.time()
    written = [(folder / name).stat().st_mtime for name in files if (folder / name).is_file()]
    return min(max(written, default=now), now)
