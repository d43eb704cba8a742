"""`lime-desktop mcp`: the tool servers of this machine, for agents of apps that declare them."""

import asyncio
import sys
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

import click
import platformdirs
from pydantic import SecretStr, ValidationError

from lime_desktop.app_server.secrets.keyring_place import find_keyring
from lime_desktop.app_server.secrets.store import open_secret_store
from lime_desktop.app_server.tools.mcp.server_secrets import ServerSecrets
from lime_desktop.app_server.tools.mcp.servers import McpServers
from lime_desktop.app_server.tools.mcp.service import try_server
from lime_desktop.app_server.tools.mcp.store import McpServerStore
from lime_desktop.cli.agents.naming import server_argument
from lime_desktop.cli.terminal.command_group import CommandGroup
from lime_desktop.cli.terminal.failures import print_failure
from lime_desktop.cli.terminal.output import ExitCode, json_option, print_json, printable
from lime_desktop.protocol.calls.mcp_servers import (
    GivenValue,
    HiddenKind,
    McpServerSettings,
    McpServerStatus,
)
from lime_desktop.protocol.errors import AppError, InvalidInput

T = TypeVar("T")

_COLOURS = {"running": "green", "down": "red"}

data_dir_option = click.option(
    "--data-dir",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path(platformdirs.user_data_dir("lime-desktop", appauthor=False)) / "app-server",
    help="The App Server's folder.  [default: the desktop's own]",
)


@click.group("mcp", cls=CommandGroup)
def command() -> None:
    """Set up MCP tool servers. `mcp list --json` prints JSON.

    Changes apply to a running Lime Desktop. Apps use the servers that their manifest names, and need your approval.
    """


@command.command("list")
@data_dir_option
@json_option
def list_command(*, data_dir: Path, as_json: bool) -> None:
    """List the servers. Starts none of them."""
    servers = _stored(data_dir)
    if as_json:
        print_json([{"servers": [settings.to_wire() for settings in servers]}])
        return
    for settings in servers:
        how = settings.url or " ".join(settings.command)
        state = "" if settings.is_enabled else "  (disabled)"
        click.echo(f"  {settings.server_id:<20}{printable(how)}{state}")
    if not servers:
        click.echo("No tool servers yet. Add one: lime-desktop mcp add NAME -- COMMAND ...")


@command.command("add", context_settings={"ignore_unknown_options": True})
@server_argument
@click.argument("words", metavar="URL | -- COMMAND ...", nargs=-1, required=True)
@click.option("--title", help="The name shown in Lime Desktop.")
@click.option(
    "--alias",
    "aliases",
    metavar="NAME",
    multiple=True,
    help="Another name by which apps may call the server.",
)
@click.option(
    "--variable",
    "variables",
    metavar="NAME=VALUE",
    multiple=True,
    help="Set this environment variable.",
)
@click.option(
    "--hidden",
    metavar="NAME",
    multiple=True,
    help="A secret from the keyring: a variable of the program, or a header such as Authorization.",
)
@data_dir_option
@json_option
@click.pass_context
def add_command(
    ctx: click.Context,
    *,
    name: str,
    words: tuple[str, ...],
    title: str | None,
    aliases: tuple[str, ...],
    variables: tuple[str, ...],
    hidden: tuple[str, ...],
    data_dir: Path,
    as_json: bool,
) -> None:
    """Add a server with a URL, or one that a COMMAND starts.

    The value of each --hidden NAME is asked for on the terminal, or read from standard input, a line each. An earlier
    server of the same NAME is replaced. Ends with 2 if the settings are not usable.
    """
    is_url = len(words) == 1 and words[0].startswith(("http://", "https://"))
    try:
        settings = McpServerSettings(
            server_id=name,
            title=title,
            aliases=aliases,
            command=() if is_url else words,
            url=words[0] if is_url else None,
            variables=dict(_variable(each) for each in variables),
        )
        values = [_given("header" if is_url else "variable", each) for each in hidden]
    except ValidationError as error:
        raise click.UsageError(InvalidInput.from_validation(error).message, ctx) from None
    settings = _expected(ctx, lambda: asyncio.run(_put(settings, values, data_dir)))
    if as_json:
        print_json([settings.to_wire()])
    else:
        click.echo(f"{name} was added. Test it: lime-desktop mcp test {name}")


@command.command("remove")
@server_argument
@data_dir_option
@json_option
@click.pass_context
def remove_command(ctx: click.Context, *, name: str, data_dir: Path, as_json: bool) -> None:
    """Remove a server. Exits with 1 if there is none with that NAME."""
    was_there = _expected(ctx, lambda: asyncio.run(_remove(name, data_dir)))
    if as_json:
        print_json([{"serverId": name, "removed": was_there}])
    else:
        click.echo("Removed." if was_there else "There is no tool server with that name.")
    ctx.exit(ExitCode.OK if was_there else ExitCode.PROBLEMS)


@command.command("test")
@server_argument
@data_dir_option
@json_option
@click.pass_context
def test_command(ctx: click.Context, *, name: str, data_dir: Path, as_json: bool) -> None:
    """Start a server, list its tools and stop it. Exits with 1 if it does not work."""
    status = _expected(ctx, lambda: asyncio.run(_try(name, data_dir)))
    if status is None:
        raise click.UsageError("There is no tool server with that name.", ctx)
    if as_json:
        print_json([status.to_wire()])
    else:
        _print_status(status)
    ctx.exit(ExitCode.OK if status.state == "running" else ExitCode.PROBLEMS)


@asynccontextmanager
async def _servers(data_dir: Path) -> AsyncGenerator[McpServers]:
    secrets = open_secret_store(data_dir, find_keyring)
    servers = McpServers(
        McpServerStore(data_dir), ServerSecrets(secrets), data_dir / "tool-servers"
    )
    try:
        yield servers
    finally:
        await servers.close()
        secrets.close()


async def _put(
    settings: McpServerSettings, values: Iterable[GivenValue], data_dir: Path
) -> McpServerSettings:
    async with _servers(data_dir) as servers:
        return await servers.put(settings, values)


async def _remove(name: str, data_dir: Path) -> bool:
    async with _servers(data_dir) as servers:
        return await servers.remove(name)


async def _try(name: str, data_dir: Path) -> McpServerStatus | None:
    async with _servers(data_dir) as servers:
        found = await servers.find(name)
        return None if found is None else await try_server(found)


def _print_status(status: McpServerStatus) -> None:
    click.secho(f"{status.settings.server_id} is {status.state}.", fg=_COLOURS.get(status.state))
    if status.reason:
        click.echo(printable(status.reason))
    if status.server_name:
        version = status.server_version or ""
        click.echo(
            f"{printable(status.server_name)} {printable(version)}, MCP {status.protocol_version}"
        )
    for tool in status.tools:
        mark = "reads" if tool.is_read_only else "destroys" if tool.is_destructive else "changes"
        click.echo(
            f"  {tool.name:<32}{mark:<10}{printable(tool.description.partition(chr(10))[0])[:80]}"
        )


def _stored(data_dir: Path) -> tuple[McpServerSettings, ...]:
    return _expected(click.get_current_context(), lambda: McpServerStore(data_dir).all())


def _given(kind: HiddenKind, name: str) -> GivenValue:
    """A value that no command line, and no list of processes, may show."""
    if sys.stdin.isatty():
        text = click.prompt(f"{name} (not shown)", hide_input=True, err=True)
    else:
        text = sys.stdin.readline().rstrip("\r\n")
    if not text:
        raise click.UsageError(f"Enter a value for {name}.")
    return GivenValue(kind=kind, name=name, value=SecretStr(text))


def _variable(text: str) -> tuple[str, str]:
    name, found, value = text.partition("=")
    if not found or not name:
        raise click.UsageError(f"{text} is not NAME=VALUE.")
    return name, value


def _expected(ctx: click.Context, work: Callable[[], T]) -> T:
    """Do it; an expected failure is told in two lines."""
    try:
        return work()
    except AppError as error:
        print_failure(error)
        ctx.exit(ExitCode.PROBLEMS)
