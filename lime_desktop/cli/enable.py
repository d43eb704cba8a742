"""``lime-desktop enable``: see `switching`."""

from lime_desktop.cli.switching import enable as command

__all__ = ["command"]
