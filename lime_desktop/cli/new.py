"""``lime-desktop new``: a working app to begin from."""

from pathlib import Path

import click

from lime_desktop.cli.output import json_option, print_json
from lime_desktop.developer.template import Template

_NO_ENGINE = (
    "Lime Desktop can't run workflows yet (APP_E305). Until then, the page of this template leads\n"
    "through the steps by hand."
)


@click.command()
@click.argument("name", type=click.Path(path_type=Path))
@click.option(
    "--template",
    type=click.Choice([each.value for each in Template]),
    default="plain",
    show_default=True,
    help="The template: plain pages, TypeScript, a chat or a workflow.",
)
@json_option
def command(name: Path, template: str, *, as_json: bool) -> None:
    """Create an app in a new folder. It runs right away, and has tests and editor settings."""
    from lime_desktop.developer.new_app import (  # noqa: PLC0415 - loads the manifest's models
        BadName,
        FolderTaken,
        new_app,
    )
    from lime_desktop.resources import resources_folder  # noqa: PLC0415 - likewise

    folder = name if name.is_absolute() else Path.cwd() / name
    try:
        files = new_app(folder, Template(template), resources_folder())
    except (BadName, FolderTaken) as error:
        raise click.BadParameter(f"{error}.", param_hint="NAME") from None
    except OSError as error:
        raise click.ClickException(f"{name} was not written: {error.strerror}.") from None
    if as_json:
        print_json([{"app": folder.name, "template": template, "files": files}])
    else:
        _tell(name, template, len(files))


def _tell(name: Path, template: str, count: int) -> None:
    click.secho(f"{name} was created: {count} files, template {template}.", bold=True)
    click.echo("Next:")
    for line, why in _next_steps(name, template):
        click.echo(f"  {line:<38}" + click.style(f"  {why}", dim=True))
    if template == Template.WORKFLOW:
        click.echo(_NO_ENGINE)


def _next_steps(name: Path, template: str) -> tuple[tuple[str, str], ...]:
    watch = (
        ("npm install && npm run watch", "compile when you save")
        if template == "typescript"
        else None
    )
    return (
        (f"cd {name}", "it is a folder like any other"),
        ("lime-desktop dev .", "open it with live reload"),
        watch or ("lime-desktop test .", "run its tests"),
    )
