"""``lime-desktop dev``: open a package where it lies, in the real host, and show what is saved."""

from pathlib import Path

import click

from lime_desktop.cli.developing.dev_lines import tell_person, tell_program
from lime_desktop.cli.terminal.output import package_argument
from lime_desktop.developer.dev_server import DevServer, NotLoopback, parse_dev_server
from lime_desktop.developer.options import DeveloperOptions, Developing


@click.command()
@package_argument
@click.option("--entry", "entry_key", default="", metavar="KEY", help="Open this entry.")
@click.option(
    "--url", metavar="URL", help="Show a dev server on this computer instead of the bundle."
)
@click.option(
    "--record",
    "record_file",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    metavar="FILE",
    help="Record the session to FILE for `replay`. Saved changes are not shown meanwhile.",
)
@click.option("--headless", "is_headless", is_flag=True, help="Run without a screen.")
@click.option(
    "--without-sandbox",
    "opens_without_sandbox",
    is_flag=True,
    help="Run without Chromium's sandbox where it is not available, for example as root.",
)
@click.option(
    "--fresh",
    "has_fresh_profile",
    is_flag=True,
    help="Start with no data and no settings, and delete both at the end.",
)
@click.option("--json", "as_json", is_flag=True, help="Print events as lines of JSON.")
@click.pass_context
def command(
    ctx: click.Context,
    package: Path,
    *,
    entry_key: str,
    url: str | None,
    record_file: Path | None,
    is_headless: bool,
    opens_without_sandbox: bool,
    has_fresh_profile: bool,
    as_json: bool,
) -> None:
    """Develop an app: open its folder in Lime Desktop, and reload it when you save.

    The app has every permission it declares, and keeps its data apart from the apps you installed. Ends with its
    window, or with Ctrl+C.
    """
    from lime_desktop.cli.terminal.window import develop_in_window  # noqa: PLC0415 - loads the desktop's parts

    if not package.is_dir():
        raise click.BadParameter(f"{package} is not a folder. Name the folder you edit.")
    options = DeveloperOptions(
        package=package.resolve(),
        entry_key=entry_key,
        dev_server=_dev_server(url),
        record_file=record_file,
        # A recording is one of one bundle.
        is_watched=record_file is None,
        is_headless=is_headless,
        opens_without_sandbox=opens_without_sandbox,
        has_fresh_profile=has_fresh_profile,
    )
    tell = tell_program if as_json else tell_person
    ctx.exit(develop_in_window(Developing(options, tell)))


def _dev_server(url: str | None) -> DevServer | None:
    try:
        return parse_dev_server(url) if url else None
    except NotLoopback as error:
        raise click.BadParameter(f"{error}.", param_hint="--url") from None
