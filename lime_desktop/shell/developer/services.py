"""What the developer's loop and the test runs stand on, made once with the program."""

from dataclasses import dataclass
from pathlib import Path

from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.host.apps.setup_facts import SetupReading
from lime_desktop.host.wording.texts import Texts
from lime_desktop.shell.window.services import OpenedTabs


@dataclass(frozen=True, slots=True)
class DeveloperServices:
    """Opens a package in place, follows its setup, and joins the views that are made of it."""

    texts: Texts
    resources: Path
    registry: AppRegistry
    setup: SetupReading
    opened_tabs: OpenedTabs
