"""Where the App Server keeps its files, as commands are told it."""

from pathlib import Path

import click

from lime_desktop.host.user_profile.user_paths import app_server_folder, user_data_folder

data_dir_option = click.option(
    "--data-dir",
    type=click.Path(path_type=Path, file_okay=False),
    envvar="APP_SERVER_DATA_DIR",
    default=lambda: app_server_folder(user_data_folder()),
    help="The App Server's folder.  [default: the desktop's own]",
)
