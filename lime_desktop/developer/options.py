"""How a package is opened where it lies, for whoever works on it or tests it.

Imports nothing of weight: the first frame needs it.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from lime_desktop.developer.dev_server import DevServer
from lime_desktop.developer.testing.plan import TestPlan

if TYPE_CHECKING:
    from lime_desktop.developer.events import Tell
    from lime_desktop.host.apps.registry import RegisteredApp


@dataclass(frozen=True, slots=True, kw_only=True)
class DeveloperOptions:
    """What is opened, and how. Everything but the package has a usual value."""

    package: Path
    """A package's folder; it is read where it lies, and never installed."""
    entry_key: str = ""
    """The entry to open; empty for the one the app starts with."""
    dev_server: DevServer | None = None
    """Serves the app's pages instead of its bundle."""
    record_file: Path | None = None
    """Where the whole bridge traffic is written."""
    is_headless: bool = False
    """Whether everything runs without a screen."""
    opens_without_sandbox: bool = False
    """Whether the developer agrees beforehand to do without Chromium's sandbox where it cannot be on."""
    has_fresh_profile: bool = False
    """Whether it starts with no data, no settings and nothing installed, and leaves nothing behind."""
    engine_scripts: Path | None = None
    """What the App Server's engine plays instead of thinking."""
    is_watched: bool = True
    """Whether what is saved is shown."""
    tests: TestPlan | None = None
    """The app's own tests, to be run once it is open; the window is left after them."""


@dataclass(frozen=True, slots=True)
class Developing:
    """That a package is worked on: how it is opened, and who is told."""

    options: DeveloperOptions
    tell: "Tell"
    then: tuple["Developing", ...] = ()
    """Packages that are tested after this one, in the same window."""

    def is_about(self, app: "RegisteredApp") -> bool:
        """Whether this app is one of those that are worked on: its folder itself, and nothing that was installed."""
        folders = {each.options.package.resolve() for each in (self, *self.then)}
        return app.installed is None and app.path.resolve() in folders
