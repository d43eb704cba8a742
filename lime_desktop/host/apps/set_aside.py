"""Installed apps that are not read: their package kept its reader from coming to an end.

A package that was merely being read when somebody pulled the plug must not suffer for it. So a suspect is set aside at
once, so that all others are read as ever, and tried in a process of its own; only if that does not end does it stay here.
"""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from lime_desktop.host.app_center.records.records import InstalledApp
from lime_desktop.host.apps.package_probe import comes_to_an_end
from lime_desktop.host.apps.reading_journal import ReadingJournal

Probe = Callable[[Path], Awaitable[bool]]


@dataclass(frozen=True, slots=True)
class SetAsideApp:
    """One of them."""

    app: InstalledApp
    is_being_tried: bool
    """Whether it is read just now, where that does no harm."""


class SetAsideApps:
    """Which they are, by the journal of what was being read."""

    def __init__(self, journal: ReadingJournal, probe: Probe = comes_to_an_end) -> None:
        self.journal = journal
        self._probe = probe
        self._apps: dict[str, SetAsideApp] = {}

    @property
    def apps(self) -> tuple[SetAsideApp, ...]:
        """All of them, by their names."""
        return tuple(sorted(self._apps.values(), key=lambda each: each.app.title.casefold()))

    def holds(self, app: InstalledApp) -> bool:
        """Whether an app is not to be read; a new version of it is another matter."""
        aside = self._apps.get(app.app_id)
        return aside is not None and aside.app.package_hash == app.package_hash

    def take(self, installed: Iterable[InstalledApp]) -> tuple[InstalledApp, ...]:
        """Set aside what an earlier start left noted, and give those that are to be tried."""
        notes = [(app, self.journal.note(app.package_hash)) for app in installed]
        for app, note in notes:
            if note is not None:
                self._apps[app.app_id] = SetAsideApp(app, is_being_tried=note == "suspect")
        return tuple(app for app, note in notes if note == "suspect")

    def keep_only(self, installed: Iterable[InstalledApp]) -> None:
        """Let go of what was uninstalled or has another version now."""
        there = {(app.app_id, app.package_hash) for app in installed}
        for app_id, aside in tuple(self._apps.items()):
            if (app_id, aside.app.package_hash) not in there:
                del self._apps[app_id]
                self.journal.acquit(aside.app.package_hash)

    def begin(self, app_id: str) -> InstalledApp | None:
        """Try an app that was given up; None where it was not, or is being tried already."""
        aside = self._apps.get(app_id)
        if aside is None or aside.is_being_tried:
            return None
        self._apps[app_id] = SetAsideApp(aside.app, is_being_tried=True)
        return aside.app

    async def retry(self, app: InstalledApp, package: Path) -> bool:
        """Read a package where it does no harm; True if it may be read as ever."""
        is_sound = await self._probe(package)
        if not self.holds(app):
            return False
        if is_sound:
            del self._apps[app.app_id]
            self.journal.acquit(app.package_hash)
        else:
            self._apps[app.app_id] = SetAsideApp(app, is_being_tried=False)
            self.journal.convict(app.package_hash)
        return is_sound
