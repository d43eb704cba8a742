"""The composition root of the desktop process: says where everything lies, and starts the shell on it."""

from pathlib import Path

import click

from lime_desktop.developer.options import Developing
from lime_desktop.host.places import user_data_folder, user_settings_file
from lime_desktop.resources import resources_folder


def main(target: str = "") -> int:
    """Open the window, at a package or a `lime://` link if one is named, and stay until it is left."""
    return _run(user_data_folder(), user_settings_file(), target)


def develop(developing: Developing) -> int:
    """Open a package where it lies, with its data apart from the person's own, until the window is left."""
    from lime_desktop.developer.folders import developer_folder  # noqa: PLC0415 - only here

    own = developer_folder(developing.options, user_data_folder(), user_settings_file())
    with own as folder:
        return _run(folder.data, folder.settings_file, developing=developing)


def _run(
    data: Path, settings_file: Path, target: str = "", developing: Developing | None = None
) -> int:
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
        data=data,
        settings_file=settings_file,
    )
    return run_shell(folders, resources.parent / "sample_apps", target, developing)
