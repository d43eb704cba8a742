"""The ``lime-desktop`` command: a table of commands, each loaded only when it is asked for.

Loading one command must not pay for another: ``validate`` never imports a network client or Qt.
"""

import errno
import gc
import os
import sys
from importlib import import_module
from io import TextIOWrapper
from typing import TextIO

import click

from lime_desktop import __version__
from lime_desktop.product import this_product
from lime_desktop.spelling import did_you_mean

# A plugin of pydantic would see every value that is validated here, secrets too; and every start
# would ask all that is installed whether it is one, which takes 40 ms.
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")

COMMANDS: dict[str, tuple[str, str]] = {
    # command: (module that holds it as `command`, or `module:name`; one line for the overview)
    "validate": ("lime_desktop.cli.package.validate", "Check packages against the standard."),
    "show": (
        "lime_desktop.cli.package.show",
        "Print a package's manifest and where each value comes from.",
    ),
    "project": ("lime_desktop.cli.package.project", "Show what a package adds to Lime Desktop."),
    "readiness": ("lime_desktop.cli.package.readiness", "Check whether a package can run here."),
    "catalog": ("lime_desktop.cli.package.catalog", "List and search the packages in a folder."),
    "hash": ("lime_desktop.cli.package.hash", "Print the hashes of packages."),
    "pack": ("lime_desktop.cli.package.pack", "Make a package file (.lapp)."),
    "sign": ("lime_desktop.cli.package.sign", "Sign a package, or create a signing key."),
    "verify": ("lime_desktop.cli.package.verify", "Verify the signature of a package."),
    "migrate": (
        "lime_desktop.cli.package.migrate",
        "Update a package to the current manifest version.",
    ),
    "install": ("lime_desktop.cli.installed.install", "Review and install a package."),
    "update": (
        "lime_desktop.cli.shipping.groups:update",
        "Update Lime Desktop, or review and update an installed app.",
    ),
    "publish": (
        "lime_desktop.cli.shipping.groups:publish",
        "Publish versions of a shell for its users to update to.",
    ),
    "ship": (
        "lime_desktop.cli.shipping.ship",
        "Make an app, or an organization's apps, a product with installers.",
    ),
    "runtime": (
        "lime_desktop.cli.shipping.runtime",
        "Register this Lime Desktop for products that use an installed one.",
    ),
    "rollback": (
        "lime_desktop.cli.installed.install:rollback",
        "Roll back an update: code, data and permissions.",
    ),
    "apps": ("lime_desktop.cli.installed.apps", "List installed apps and their permissions."),
    "workflow": (
        "lime_desktop.cli.installed.workflow",
        "Run an app's workflows, and look after their runs.",
    ),
    "disable": ("lime_desktop.cli.installed.switching:disable", "Disable an app."),
    "enable": ("lime_desktop.cli.installed.switching:enable", "Enable an app."),
    "organisation": (
        "lime_desktop.cli.installed.organisation",
        "Join or leave an organization and its rules.",
    ),
    "workspace": (
        "lime_desktop.cli.installed.workspace",
        "Open or leave a workspace and its rules.",
    ),
    "uninstall": ("lime_desktop.cli.installed.uninstall", "Uninstall an app, with a receipt."),
    "app-server": ("lime_desktop.cli.server.app_server", "Run the App Server."),
    "rebuild": (
        "lime_desktop.cli.server.rebuild",
        "Check or rebuild the App Server's read models.",
    ),
    "backup": ("lime_desktop.cli.server.backup", "Back up all data, or list the backups."),
    "restore": ("lime_desktop.cli.server.restore", "Restore a backup."),
    "open": ("lime_desktop.cli.terminal.window", "Open a package in Lime Desktop."),
    "new": ("lime_desktop.cli.developing.new", "Create an app from a template."),
    "dev": ("lime_desktop.cli.developing.dev", "Develop an app with live reload."),
    "test": ("lime_desktop.cli.developing.test", "Run an app's tests in Lime Desktop."),
    "eval": ("lime_desktop.cli.developing.evals", "Run an app's quality gates on its cases."),
    "benchmark": (
        "lime_desktop.cli.developing.benchmark",
        "Measure an installed app's tasks on models, against a baseline.",
    ),
    "conformance": (
        "lime_desktop.cli.developing.conformance",
        "Check an app against the standard and write a report.",
    ),
    "fixtures": (
        "lime_desktop.cli.developing.fixtures",
        "Prove a model provider or agent engine against the runtime's fixtures.",
    ),
    "evidence": ("lime_desktop.cli.server.evidence", "Export runs, and verify exported evidence."),
    "providers": (
        "lime_desktop.cli.agents.providers",
        "Set up and test model providers.",
    ),
    "models": (
        "lime_desktop.cli.agents.models",
        "List, install and remove models on this computer.",
    ),
    "mcp": ("lime_desktop.cli.agents.mcp", "Set up tool servers (MCP) for agents."),
    "replay": ("lime_desktop.cli.developing.replay", "Replay a recorded session."),
    "doctor": ("lime_desktop.cli.doctor", "Check this computer and the installation."),
}


def load_command(name: str) -> click.Command:
    """Import the module of a command in the table."""
    module, _, attribute = COMMANDS[name][0].partition(":")
    return getattr(import_module(module), attribute or "command")


class LazyGroup(click.Group):
    """A group that knows the names of its commands but imports only the one in use."""

    def __call__(self, *args: object, **options: object) -> object:
        """Run as a program; that the output has no room is told in a line, as any other problem."""
        try:
            return super().__call__(*args, **options)
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
            sys.stderr.write(f"Error: The output was not written: {error.strerror}.\n")
            # What is left in the buffer has nowhere to go either; Python would complain at its end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(1)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name every command, in the table's order."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command's module, or say that there is none of that name."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        command = load_command(cmd_name)
        _collect_garbage_again()
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """A package or a link in a command's place is to be opened: so a desktop starts us for a double click."""
        if args and args[0] not in COMMANDS and _can_be_opened(args[0]):
            return super().resolve_command(ctx, ["open", *args])
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            # click itself looks for the nearest name among commands that are there, and ours are not imported yet.
            raise click.UsageError(
                f"{error.message}{did_you_mean(args[0], COMMANDS)}", ctx
            ) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands from the table, so that help imports none of them."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in COMMANDS.items()])


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="lime-desktop")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Lime Desktop: install, check and run Agent Apps."""
    ctx.color = _colour_wish()
    _escape_what_cannot_be_printed(sys.stdout)
    if ctx.invoked_subcommand is None:
        open_window = import_module("lime_desktop.cli.terminal.window").open_window
        _collect_garbage_again()
        ctx.exit(open_window())


def _can_be_opened(word: str) -> bool:
    product = this_product()
    is_ours = word.lower().startswith(f"{product.scheme}:") or product.is_own_file(word)
    return is_ours or word.endswith(".lapp") or os.path.isdir(word)  # noqa: PTH112 - loads nothing


def _collect_garbage_again() -> None:
    """Only what is made from now on can be garbage: keep the collector away from all that was loaded."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()


def _escape_what_cannot_be_printed(stream: TextIO) -> None:
    """A package may hold characters that this output has no byte for; that is no reason to fail."""
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")


def _colour_wish() -> bool | None:
    """Say what the user asked for by environment; None leaves it to whether there is a terminal."""
    if os.environ.get("NO_COLOR"):
        return False
    return True if os.environ.get("FORCE_COLOR") else None
