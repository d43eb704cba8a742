"""Where things lie on this machine. Imports nothing of weight: the first frame needs it."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Folders:
    """Where things lie on this machine. Nothing of it ever reaches an app."""

    resources: Path
    data: Path
    settings_file: Path

    @property
    def views(self) -> Path:
        """What the pages of apps store, one folder per app."""
        return self.data / "views"

    @property
    def crashes(self) -> Path:
        """What a crash leaves for the next start."""
        return self.data / "crashes"
