"""What one run of the program is for, as its caller says it. Imports nothing of weight."""

from dataclasses import dataclass
from pathlib import Path

from lime_desktop.developer.options import Developing
from lime_desktop.host.startup.single_instance import FirstInstance
from lime_desktop.shell.widgets.resource_folders import Folders


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What one run of the program is for."""

    folders: Folders
    samples: Path
    instance: FirstInstance
    """The right to run on these folders, and an ear for later starts."""
    target: str = ""
    """A package or a link to show first."""
    developing: Developing | None = None
    """The package that is worked on, if it is opened for that."""
