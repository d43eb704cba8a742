"""Where this product keeps things for the person at this machine, each product its own. Knows folders; makes none."""

from pathlib import Path

import platformdirs

from lime_desktop.product import this_product


def user_data_folder() -> Path:
    """What is installed and what apps keep."""
    return Path(platformdirs.user_data_dir(this_product().id, appauthor=False))


def user_settings_file() -> Path:
    """The person's choices."""
    return Path(platformdirs.user_config_dir(this_product().id, appauthor=False)) / "settings.json"


def app_server_folder(data: Path) -> Path:
    """The App Server's part of a data folder."""
    return data / "app-server"
