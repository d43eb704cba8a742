"""``lime-desktop update`` and ``publish`` by name. What signs and checks is loaded with the first of their commands."""

from importlib import import_module

import click

from lime_desktop.cli.terminal.command_group import CommandGroup

_APP = "app"
UPDATE_COMMANDS = frozenset({"check", "apply", "rollback", "status", "channel"})
"""The commands of ``update``: any other word names an app."""


class _LateGroup(CommandGroup):
    """A group whose commands are in another module."""

    module = ""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name every command."""
        return self._loaded().list_commands(ctx)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load the commands, and give one."""
        return self._loaded().get_command(ctx, cmd_name)

    def _loaded(self) -> click.Group:
        return import_module(self.module).command


class _PublishGroup(_LateGroup):
    module = "lime_desktop.cli.shipping.publish"


class _UpdateGroup(_LateGroup):
    """What is no command of its own names an app, as it always did; a folder of such a name is ./check."""

    module = "lime_desktop.cli.shipping.update"

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the command before an app's name, and `check` where nothing is said."""
        if not args:
            args = ["check"]
        elif args[0] not in {*UPDATE_COMMANDS, _APP, "-h", "--help"}:
            args = [_APP, *args]
        return super().parse_args(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load what updates an app only for that."""
        if cmd_name == _APP:
            return import_module("lime_desktop.cli.installed.install").update
        return super().get_command(ctx, cmd_name)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name every command."""
        return [*super().list_commands(ctx), _APP]


@click.group(cls=_UpdateGroup)
def update() -> None:
    """Update Lime Desktop, or an app that is named: update APP. Each command supports --json.

    A new version is prepared beside the running one and starts after a restart. If it does not start, the version before
    is back by itself. A copy that a package manager installed is updated by that.
    """


@click.group(cls=_PublishGroup)
def publish() -> None:
    """Publish versions of a shell, or apps as a signed catalog. Each command supports --json.

    The folder holds signed metadata, manifests and packed pieces of files; copy it to any web server. The keys stay in a
    folder of yours.
    """
