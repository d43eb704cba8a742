"""The composition root of the desktop process: says where everything lies, and starts the shell on it."""

import click

from lime_desktop.host.places import user_data_folder, user_settings_file
from lime_desktop.resources import resources_folder


def main(target: str = "") -> int:
    """Open the window, at a package or a `lime://` link if one is named, and stay until it is left."""
    try:
        from lime_desktop.shell.folders import Folders  # noqa: PLC0415 - likewise
        from lime_desktop.shell.starting import (  # noqa: PLC0415 - Qt is loaded only to show a window
            run_shell,
        )
    except ImportError as error:
        raise click.ClickException(
            f"The desktop parts cannot be loaded ({error}). `lime-desktop doctor` says what is missing."
        ) from None
    resources = resources_folder()
    folders = Folders(
        resources=resources,
        data=user_data_folder(),
        settings_file=user_settings_file(),
    )
    return run_shell(folders, resources.parent / "sample_apps", target)
