"""A command with commands of its own, each of a name that no other has."""

import click

from lime_desktop.unique_names import DuplicateName


class CommandGroup(click.Group):
    """Refuses a second command of one name, where click would let it take the first one's place."""

    def add_command(self, cmd: click.Command, name: str | None = None) -> None:
        """Add a command under its name."""
        if (name or cmd.name) in self.commands:
            raise DuplicateName(f"There are two of one name: command {name or cmd.name}")
        super().add_command(cmd, name)
