"""``lime-desktop disable``: see `switching`."""

from lime_desktop.cli.installed.switching import disable as command

__all__ = ["command"]
