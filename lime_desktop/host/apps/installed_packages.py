"""The installed packages, as far as they were read. Knows when each is read; knows no judgement and no observer.

Of many only the first are read at once; each other is read when somebody asks for it by name, and all that nobody asked
for bit by bit. One whose package kept its reader from coming to an end is set aside at the next start.
"""

import asyncio
import time
from collections.abc import Callable, Iterable
from contextlib import nullcontext, suppress

from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.records.records import InstalledApp
from lime_desktop.host.apps.app_assessment import ReadPackage, read_installed
from lime_desktop.host.apps.set_aside import SetAsideApp, SetAsideApps

_EAGER = 20
"""Installed apps that are read at the start: more than fit on the first page, and few enough not to be noticed."""
_AT_A_TIME = 4
_REST = 3.0
"""How much longer than a few packages took the reading of the rest pauses: the window and its calls come first."""


class InstalledPackages:
    """What was read of the app center's packages, and what is left to read."""

    def __init__(self, center: AppCenter, aside: SetAsideApps | None, hurry: asyncio.Event) -> None:
        self._center = center
        self._aside = aside
        self._hurry = hurry
        """Set once somebody searches among all apps."""
        self._read: dict[str, ReadPackage] = {}
        self._reading = asyncio.Lock()
        self.suspects = aside.take(center.installed()) if aside is not None else ()
        """Apps whose reading did not come to an end the last time: each is tried by itself."""
        sound = (app for app in center.installed() if not self._is_set_aside(app))
        by_name = sorted(sound, key=lambda app: app.title.casefold())
        self.eager = frozenset(app.app_id for app in by_name[:_EAGER])
        """The first few, which are read at once."""
        self._left: dict[str, None] = dict.fromkeys(app.app_id for app in by_name[_EAGER:])

    @property
    def unread(self) -> tuple[InstalledApp, ...]:
        """Apps that nobody has asked for yet, by name alone."""
        found = map(self._center.installed_app, self._left)
        return tuple(app for app in found if app is not None)

    @property
    def set_aside(self) -> tuple[SetAsideApp, ...]:
        """Apps that are not read: they kept their reader from coming to an end."""
        return self._aside.apps if self._aside is not None else ()

    def take_back(self, app_id: str) -> InstalledApp | None:
        """An app that was set aside, to be tried again."""
        return self._aside.begin(app_id) if self._aside is not None else None

    def known(self, app: InstalledApp) -> ReadPackage | None:
        """The package of an app, if it was read as it is installed now."""
        known = self._read.get(app.app_id)
        return known if known is not None and known.package_hash == app.package_hash else None

    def follow_center(self) -> bool:
        """Forget what is installed no more, and say whether something is to be read."""
        installed = self._center.installed()
        if self._aside is not None:
            self._aside.keep_only(installed)
        gone = self._left.keys() - {app.app_id for app in installed}
        self._left = {app_id: None for app_id in self._left if app_id not in gone}
        return any(self.known(app) is None for app in self._wanted())

    async def read_wanted(self) -> frozenset[str]:
        """Read all that is wanted and not read yet, and name it."""
        found: dict[str, None] = {}
        async with self._reading:
            for app in tuple(self._wanted()):
                if self.known(app) is None:
                    self._read[app.app_id] = await asyncio.to_thread(self._read_noted, app)
                    found[app.app_id] = None
        return frozenset(found)

    def catch_up(self, app_id: str) -> InstalledApp | None:
        """Read an app that nobody had asked for, or that was installed this moment. Blocks; gives nothing of others."""
        # The first few are being read by a thread of their own: a window that starts doesn't wait for them.
        app = None if app_id in self.eager else self._center.installed_app(app_id)
        if app is None or self._is_set_aside(app):
            return None
        if self.known(app) is None:
            self._take(app, self._read_noted(app))
        return app

    async def read_left(
        self,
        after_s: float,
        is_skipped: Callable[[str], bool],
        took: Callable[[InstalledApp], None],
    ) -> None:
        """Read the rest, a few at a time, after a while or as soon as somebody is in a hurry."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._hurry.wait(), after_s)
        while unread := [app for app in self.unread if not is_skipped(app.app_id)]:
            begun = time.monotonic()
            for app in unread[:_AT_A_TIME]:
                known = await asyncio.to_thread(self._read_noted, app)
                if app.app_id in self._left:
                    self._take(app, known)
                    took(app)
            pause = (time.monotonic() - begun) * _REST
            await asyncio.sleep(0 if self._hurry.is_set() else pause)

    async def retry(self, app: InstalledApp) -> bool:
        """Try a suspect in a process of its own, and say whether it can be read now."""
        if self._aside is None or self._center.installed_app(app.app_id) is None:
            return False
        return await self._aside.retry(app, self._center.package_path(app.app_id))

    def _wanted(self) -> Iterable[InstalledApp]:
        return (
            app
            for app in self._center.installed()
            if app.app_id not in self._left and not self._is_set_aside(app)
        )

    def _is_set_aside(self, app: InstalledApp) -> bool:
        return self._aside is not None and self._aside.holds(app)

    def _take(self, app: InstalledApp, known: ReadPackage) -> None:
        self._left.pop(app.app_id, None)
        self._read[app.app_id] = known

    def _read_noted(self, app: InstalledApp) -> ReadPackage:
        """Read a package and leave a note meanwhile, which stays if that never comes to an end. Blocks."""
        aside = self._aside
        with nullcontext() if aside is None else aside.journal.reading(app.package_hash):
            return read_installed(self._center, app)
