"""Where this product keeps things for the person at this machine. Knows folders; makes none."""

from pathlib import Path

import platformdirs

_NAME = "lime-desktop"


def user_data_folder() -> Path:
    """What is installed and what apps keep."""
    return Path(platformdirs.user_data_dir(_NAME, appauthor=False))


def user_settings_file() -> Path:
    """The person's choices."""
    return Path(platformdirs.user_config_dir(_NAME, appauthor=False)) / "settings.json"


def app_server_folder(data: Path) -> Path:
    """The App Server's part of a data folder."""
    return data / "app-server"
