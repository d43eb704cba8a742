"""What the program has recorded below a home, read from its files as somebody who does not belong to it would."""

import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from lime_desktop.host.user_profile.recent_work import RecentEntry
from lime_desktop.host.user_profile.settings import HostSettings, WindowState, read_settings
from lime_desktop.protocol.wire import WireModel
from tests.walk.program import places_of


class _RecentFile(WireModel):
    """As much of the file as a walk asks for."""

    entries: tuple[RecentEntry, ...] = ()
    seen_runs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Recorded:
    """The files of one person. Every look reads them anew."""

    home: Path

    @property
    def settings_file(self) -> Path:
        """The person's choices."""
        return Path(places_of(self.home)["XDG_CONFIG_HOME"]) / "lime-desktop" / "settings.json"

    @property
    def settings(self) -> HostSettings:
        """What the person chose."""
        return read_settings(self.settings_file)

    @property
    def tabs(self) -> tuple[str, ...]:
        """The apps that are open, from left to right."""
        return tuple(each.app_id for each in self._window().entries)

    @property
    def tab_in_front(self) -> str:
        """The app whose tab is in front; nothing where none is."""
        return next((each.app_id for each in self._window().entries if each.is_current), "")

    @property
    def recent(self) -> tuple[str, ...]:
        """The apps that the person worked in, the newest first."""
        said = _text(self.settings_file.with_name("recent.json"))
        kept = _RecentFile.model_validate_json(said) if said else _RecentFile()
        return tuple(each.app_id for each in kept.entries)

    @property
    def installed(self) -> frozenset[str]:
        """The apps that are here."""
        rows = _rows(self._data / "host" / "host.db", "SELECT app_id FROM app")
        return frozenset(rows)

    @property
    def notes(self) -> dict[str, str]:
        """What stands in each note, by its title."""
        files = (self._data / "app-server" / "apps").glob("notes-*.db")
        bodies = [
            json.loads(body) for each in files for body in _rows(each, "SELECT body FROM note")
        ]
        return {str(each["title"]): str(each["body"]) for each in bodies}

    @property
    def _data(self) -> Path:
        return Path(places_of(self.home)["XDG_DATA_HOME"]) / "lime-desktop"

    def _window(self) -> WindowState:
        said = _text(self.settings_file.with_name("window.json"))
        return WindowState.model_validate_json(said) if said else WindowState()


def _text(path: Path) -> str:
    return path.read_text("utf-8") if path.exists() else ""


def _rows(path: Path, query: str) -> list[str]:
    """The first column of what a file in use by its owner answers; nothing where the table is not there yet."""
    if not path.exists():
        return []
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=1.0)) as connection:
        try:
            return [str(row[0]) for row in connection.execute(query)]
        except sqlite3.OperationalError:
            return []
