"""Where the app center keeps things on disk. Knows paths, and makes none of them."""

from dataclasses import dataclass
from pathlib import Path

from lime_desktop.host.web_content.origin import view_storage


@dataclass(frozen=True, slots=True)
class CenterLayout:
    """The folders below the product's data folder."""

    data: Path

    @property
    def host(self) -> Path:
        """What the app center alone writes; held by one process at a time."""
        return self.data / "host"

    @property
    def database(self) -> Path:
        """The facts."""
        return self.host / "host.db"

    @property
    def staging(self) -> Path:
        """Packages under review, and nothing that must survive a crash."""
        return self.host / "staging"

    @property
    def packages(self) -> Path:
        """Installed code, by hash."""
        return self.host / "packages"

    @property
    def view_copies(self) -> Path:
        """What views had kept when a rollback point was made, by the point's id."""
        return self.host / "view-copies"

    @property
    def views(self) -> Path:
        """The web profiles of apps; the shell makes them."""
        return self.data / "views"

    def view_of(self, app_id: str) -> Path:
        """The web profile of one app."""
        return view_storage(self.views, app_id)
