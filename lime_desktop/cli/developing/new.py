"""``lime-desktop new``: a working app to begin from."""

import sys
from pathlib import Path

import click

from lime_desktop.cli.terminal.output import json_option, print_json
from lime_desktop.developer.template import Template

_DEV_SERVER = "http://localhost:5173"
"""Where the templates' dev servers are told to listen."""


@click.command()
@click.argument("name", type=click.Path(path_type=Path), required=False)
@click.option(
    "--template",
    type=click.Choice([each.value for each in Template]),
    help="The template. Default: plain.",
)
@json_option
def command(name: Path | None, template: str | None, *, as_json: bool) -> None:
    """Create an app in a new folder. It runs right away, and has tests and editor settings.

    Without NAME, you are asked for a name and a template.
    """
    if name is None:
        name, template = _ask(template, as_json=as_json)
    _make(name, template or Template.PLAIN, as_json=as_json)


def _ask(template: str | None, *, as_json: bool) -> tuple[Path, str]:
    """What a person answers; a program has to say it all at once."""
    if as_json or not sys.stdin.isatty():
        raise click.UsageError("Missing argument 'NAME'.")
    name = click.prompt("App name (small letters, digits, dashes)", value_proc=_named)
    if template is None:
        click.echo("Templates:")
        for number, each in enumerate(Template, 1):
            click.echo(f"  {number}  {each.value:<12}" + click.style(each.about, dim=True))
        number = click.prompt("Template", type=click.IntRange(1, len(Template)), default=1)
        template = list(Template)[number - 1]
    return name, template


def _named(written: str) -> Path:
    from lime_desktop.developer.new_app import BadName, FolderTaken, check_folder  # noqa: PLC0415

    try:
        check_folder(Path.cwd() / written.strip())
    except (BadName, FolderTaken) as error:
        raise click.BadParameter(f"{error}.") from None
    return Path(written.strip())


def _make(name: Path, template: str, *, as_json: bool) -> None:
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


def _next_steps(name: Path, template: str) -> tuple[tuple[str, str], ...]:
    into = (f"cd {name}", "it is a folder like any other")
    if Template(template).is_built:
        return (
            into,
            ("npm install && npm run dev", "start its dev server and keep it running"),
            (
                f"lime-desktop dev . --url {_DEV_SERVER}",
                "open it with live reload",
            ),
            ("npm run build", "write the files to install to dist/ui"),
        )
    watch = ("npm install && npm run watch", "compile when you save")
    test = ("lime-desktop test .", "run its tests")
    see = ("lime-desktop dev .", "open it with live reload")
    return (into, see, watch if template == Template.TYPESCRIPT else test)
