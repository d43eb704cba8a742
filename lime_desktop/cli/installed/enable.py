"""``lime-desktop enable``: see `switching`."""

from lime_desktop.cli.installed.switching import enable as command

__all__ = ["command"]
